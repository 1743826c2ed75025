# SPDX-License-Identifier: GPL-2.0
"""UW20: unsafe accessor without braces of its own."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW20",
    title="unsafe accessor without braces of its own",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "Some architectures define these macros as an if without an else, or with a trailing semicolon. As "
        "the body of an if or a loop they need braces."
    ),
    script=WINDOW_SCRIPT,
)
