# SPDX-License-Identifier: GPL-2.0
"""UW17: break or continue that leaves only the scope."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW17",
    title="break or continue that leaves only the scope",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "A scope is implemented as loops that run once: a break or continue in it leaves the scope, not the "
        "loop around it."
    ),
    script=WINDOW_SCRIPT,
)
