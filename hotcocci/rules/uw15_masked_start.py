# SPDX-License-Identifier: GPL-2.0
"""UW15: first access of a masked window not at its start."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW15",
    title="first access of a masked window not at its start",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "Masking moves a bad pointer to the guard page: the first access must be within a page of the masked "
        "pointer, and the following ones at increasing addresses."
    ),
)
