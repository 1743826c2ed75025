# SPDX-License-Identifier: GPL-2.0
"""UW16: fault label of a scope inside it, or one that ends it again."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW16",
    title="fault label of a scope inside it, or one that ends it again",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc="A scope closes itself on every exit. Its label must be outside and must not end the window again.",
    script=WINDOW_SCRIPT,
)
