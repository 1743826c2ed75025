# SPDX-License-Identifier: GPL-2.0
"""UW19: 8-byte access that an architecture does not have."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW19",
    title="8-byte access that an architecture does not have",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "unsafe_get_user() of 8 bytes fails to link on 32-bit ARM in trees where ARM has no 8-byte "
        "__get_user()."
    ),
)
