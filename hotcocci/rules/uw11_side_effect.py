# SPDX-License-Identifier: GPL-2.0
"""UW11: an argument that does more than load and compute."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY, SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW11",
    title="an argument that does more than load and compute",
    family=WINDOWS,
    engines=(
        SPATCH,
        CLANG_TIDY,
    ),
    doc=(
        "get_user() and put_user() evaluate their arguments before they open; the unsafe ones do so inside "
        "the window, and an architecture may evaluate the pointer twice. What calls or changes something is "
        "computed before (2a418cf3f5f1, d02f6b7dab82)."
    ),
    script=WINDOW_SCRIPT,
)
