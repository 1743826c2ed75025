# SPDX-License-Identifier: GPL-2.0
"""UW11: argument with side effects inside a window."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW11",
    title="argument with side effects inside a window",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "get_user() and put_user() evaluate their arguments before user access is open; the unsafe accessors "
        "do so inside the window, and an architecture may evaluate the pointer twice, as riscv's macros do in "
        "7.2: p++ is reported where one of the tree does. Compute the argument before the window if it calls a "
        "function or changes a variable (2a418cf3f5f1, d02f6b7dab82)."
    ),
    script=WINDOW_SCRIPT,
)
