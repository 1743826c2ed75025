# SPDX-License-Identifier: GPL-2.0
"""UW09: something that may sleep inside a window."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW09",
    title="something that may sleep inside a window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "An explicit schedule() does not save the state of user access: it leaks into the next task, or is "
        "lost (788aa64c01f1). A page fault that sleeps is fine, as exceptions save it."
    ),
    script=WINDOW_SCRIPT,
)
