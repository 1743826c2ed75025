# SPDX-License-Identifier: GPL-2.0
"""UW20: unsafe accessor that some architecture expands wrongly."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.rules.entry import Rule, WINDOWS, WINDOW_SCRIPT

RULE = Rule(
    code="UW20",
    title="unsafe accessor that some architecture expands wrongly",
    family=WINDOWS,
    engines=(SPATCH,),
    doc=(
        "Some architectures define these macros as an if without an else, or with a trailing semicolon, which "
        "breaks an if with an else around them: use braces. Others declare variables in them, which an "
        "argument of the same name would refer to."
    ),
    script=WINDOW_SCRIPT,
)
