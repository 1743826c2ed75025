# SPDX-License-Identifier: GPL-2.0
"""UW12: fault label outside the cleanup scope of the access."""

from __future__ import annotations

from hotcocci.findings import CLANG_TIDY
from hotcocci.rules.entry import Rule, WINDOWS

RULE = Rule(
    code="UW12",
    title="fault label outside the cleanup scope of the access",
    family=WINDOWS,
    engines=(CLANG_TIDY,),
    doc=(
        "On a fault, the access jumps to its label by asm goto. If that leaves the scope of a __cleanup "
        "variable, clang rejects it and gcc miscompiles it. Trees that wrap unsafe_get_user() and "
        "unsafe_put_user() with a local label are safe for these two, not for other accessors."
    ),
)
