# SPDX-License-Identifier: GPL-2.0
"""UW16: a scope whose fault label ends it, or lies in it."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW16",
    title="a scope whose fault label ends it, or lies in it",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "A scope closes itself however it is left. Its label stands outside, and must not end the window "
        "again."
    ),
    script=WINDOW_SCRIPT,
)
