# SPDX-License-Identifier: GPL-2.0
"""UW19: an 8-byte access where an architecture has none."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW19",
    title="an 8-byte access where an architecture has none",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "unsafe_get_user() of 8 bytes does not link on 32-bit ARM before it learned them."
    ),
)
