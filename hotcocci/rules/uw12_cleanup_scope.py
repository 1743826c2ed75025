# SPDX-License-Identifier: GPL-2.0
"""UW12: a fault label outside a cleanup scope that the access is in."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW12",
    title="a fault label outside a cleanup scope that the access is in",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "The access jumps to its label by asm goto. Out of a scope with __cleanup variables that jump is "
        "rejected by clang and miscompiled by gcc. Trees that wrap unsafe_get_user() and unsafe_put_user() "
        "with a local label are safe for these two, not for other accessors."
    ),
)
