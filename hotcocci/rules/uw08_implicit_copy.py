# SPDX-License-Identifier: GPL-2.0
"""UW08: implicit memset() or memcpy() inside a window."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, OBJECTS, OBJTOOL
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW08",
    title="implicit memset() or memcpy() inside a window",
    family=WINDOWS,
    engines=(
        CLANG_TIDY,
        OBJTOOL,
        OBJECTS,
    ),
    doc=(
        "A structure assignment, an initializer of an aggregate, or a variable declared in the window under "
        "INIT_STACK_ALL may be compiled to a call."
    ),
)
