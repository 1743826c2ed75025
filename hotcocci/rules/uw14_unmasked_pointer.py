# SPDX-License-Identifier: GPL-2.0
"""UW14: access through a pointer that the scope did not mask."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW14",
    title="access through a pointer that the scope did not mask",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "In a scope only the pointer that it declares is masked. A pointer derived from the original before "
        "the scope bypasses the only check."
    ),
    script=WINDOW_SCRIPT,
)
