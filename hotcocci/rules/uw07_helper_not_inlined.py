# SPDX-License-Identifier: GPL-2.0
"""UW07: a helper inside a window that need not be inlined."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW07",
    title="a helper inside a window that need not be inlined",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "static inline is a wish: KASAN and UBSAN builds put such functions out of line (226d44acf6df, "
        "1fe4002cf7f2). A helper used in a window is a macro or __always_inline."
    ),
    script=WINDOW_SCRIPT,
)
