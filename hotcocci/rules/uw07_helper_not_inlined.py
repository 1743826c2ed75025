# SPDX-License-Identifier: GPL-2.0
"""UW07: helper in a window that may not be inlined."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW07",
    title="helper in a window that may not be inlined",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "static inline is a hint: KASAN and UBSAN builds put such functions out of line (226d44acf6df, "
        "1fe4002cf7f2). Make a helper that is used in a window a macro or __always_inline."
    ),
    script=WINDOW_SCRIPT,
    hygiene=True,
)
