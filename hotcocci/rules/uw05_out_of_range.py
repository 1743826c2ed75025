# SPDX-License-Identifier: GPL-2.0
"""UW05: access outside the range of its window."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW05",
    title="access outside the range of its window",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "begin(p, size) checks [p, p + size) and nothing else: an access through another pointer, past the "
        "end, or beyond a size computed from void * (1 byte) is not checked (3c2659bd1db8)."
    ),
)
