# SPDX-License-Identifier: GPL-2.0
"""UW06: call inside a window."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW06",
    title="call inside a window",
    family=WINDOWS,
    engines=(SPATCH, SMATCH, OBJTOOL, OBJECTS),
    doc=(
        "An out-of-line function called in a window runs with user memory open. Only code that is always "
        "inlined may be called there, and the few functions that objtool lists as safe "
        "(tools/objtool/check.c). An inline helper that calls such a function on every path is one too."
    ),
    script=WINDOW_SCRIPT,
)
