# SPDX-License-Identifier: GPL-2.0
"""UW14: access through a pointer that the window did not mask."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW14",
    title="access through a pointer that the window did not mask",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "A masked begin checks nothing: it returns a pointer that is safe. In a scope only the pointer that it "
        "declares is. An access through the original, or through a pointer derived from it before, has no "
        "range check at all, in a helper that is given such a pointer too."
    ),
    script=WINDOW_SCRIPT,
)
