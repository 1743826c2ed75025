# SPDX-License-Identifier: GPL-2.0
"""UW09: call that may sleep inside a window."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW09",
    title="call that may sleep inside a window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "An explicit schedule() does not save the user access state: it leaks into the next task, or is lost "
        "(788aa64c01f1). A page fault that sleeps is fine, since exception entry saves the state."
    ),
    script=WINDOW_SCRIPT,
)
