# SPDX-License-Identifier: GPL-2.0
"""UW20: an unsafe accessor that is not a statement of its own block."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW20",
    title="an unsafe accessor that is not a statement of its own block",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "Some architectures define these macros as an if without else, or ending in a semicolon, and use "
        "names of their own for what they are given. Braces around them are always right."
    ),
    script=WINDOW_SCRIPT,
)
