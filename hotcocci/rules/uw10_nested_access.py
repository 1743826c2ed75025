# SPDX-License-Identifier: GPL-2.0
"""UW10: window inside a window."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW10",
    title="window inside a window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "get_user(), copy_to_user() and another begin open and close user access themselves, so they close "
        "the enclosing window; powerpc does not support nesting at all."
    ),
    script=WINDOW_SCRIPT,
)
