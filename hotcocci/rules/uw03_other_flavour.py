# SPDX-License-Identifier: GPL-2.0
"""UW03: begin and end are of different flavours."""

from __future__ import annotations

from hotcocci.findings import SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW03",
    title="begin and end are of different flavours",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
    ),
    doc=(
        "user_read_access_begin() is ended by user_read_access_end(), and likewise for write and for both. "
        "x86 does not care; powerpc locks another direction than the one it unlocked."
    ),
    script=WINDOW_SCRIPT,
)
