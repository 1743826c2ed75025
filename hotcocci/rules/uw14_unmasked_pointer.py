# SPDX-License-Identifier: GPL-2.0
"""UW14: an access past the checked pointer of its scope."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW14",
    title="an access past the checked pointer of its scope",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "In a scope only the pointer that the scope declares is masked. One that was derived from the "
        "caller's pointer before the scope goes around the only check there is."
    ),
    script=WINDOW_SCRIPT,
)
