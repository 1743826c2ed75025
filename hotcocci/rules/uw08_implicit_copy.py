# SPDX-License-Identifier: GPL-2.0
"""UW08: an implicit memset() or memcpy() inside a window."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, OBJECTS, OBJTOOL
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW08",
    title="an implicit memset() or memcpy() inside a window",
    family=WINDOWS,
    engines=(
        CLANG_TIDY,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "A structure assignment, an initialiser of an aggregate, or a variable declared in the window under "
        "INIT_STACK_ALL becomes a call."
    ),
)
