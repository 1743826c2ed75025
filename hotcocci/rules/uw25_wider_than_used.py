# SPDX-License-Identifier: GPL-2.0
"""UW25: window opened wider than used."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW25",
    title="window opened wider than used",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "user_access_begin() or scoped_user_rw_access() opens both directions, but the window only reads or "
        "only writes. powerpc then leaves a direction open that it could have kept locked, and book3s32 pays "
        "for opening writes where reads need nothing. Nothing is reported in code of an architecture that "
        "does not tell the directions apart, nor if the window holds assembly or calls whose accesses are "
        "not known."
    ),
    script=WINDOW_SCRIPT,
)
