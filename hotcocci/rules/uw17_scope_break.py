# SPDX-License-Identifier: GPL-2.0
"""UW17: break or continue leaves a scope, not the loop around it."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW17",
    title="break or continue leaves a scope, not the loop around it",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "A scope is made of loops that run once. A break in it ends the scope and nothing else."
    ),
    script=WINDOW_SCRIPT,
)
