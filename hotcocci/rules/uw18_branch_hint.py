# SPDX-License-Identifier: GPL-2.0
"""UW18: likely() or unlikely() around a begin."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW18",
    title="likely() or unlikely() around a begin",
    family=WINDOWS,
    engines=(SPATCH,),
    doc="With PROFILE_ALL_BRANCHES, these hide the begin from objtool (18372ef87665).",
    script=WINDOW_SCRIPT,
)
