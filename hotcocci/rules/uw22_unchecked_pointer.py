# SPDX-License-Identifier: GPL-2.0
"""UW22: a second pointer whose range nobody checked."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW22",
    title="a second pointer whose range nobody checked",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "A window checks the range of one pointer. Another one needs its own access_ok() before the window; "
        "inside it there is no barrier against speculation behind it."
    ),
    script=WINDOW_SCRIPT,
)
