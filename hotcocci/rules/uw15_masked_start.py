# SPDX-License-Identifier: GPL-2.0
"""UW15: the first access of a masked window is not at its start."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW15",
    title="the first access of a masked window is not at its start",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "Masking keeps a pointer below the guard page: the first access has to lie in the first page behind "
        "it, the next ones at rising addresses."
    ),
)
