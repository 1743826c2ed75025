# SPDX-License-Identifier: GPL-2.0
"""UW10: a window inside a window."""

from __future__ import annotations

from hotcocci.findings import OBJECTS, OBJTOOL, SMATCH, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW10",
    title="a window inside a window",
    family=WINDOWS,
    engines=(
        SPATCH,
        SMATCH,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "get_user(), copy_to_user(), access by another begin and the like open and close by themselves, and "
        "so close the window they stand in; powerpc does not support nesting at all."
    ),
    script=WINDOW_SCRIPT,
)
