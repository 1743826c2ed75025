# SPDX-License-Identifier: GPL-2.0
"""The rulebook: one entry per rule, a file per family."""

from __future__ import annotations

from hotcocci.errors import UserError
from hotcocci.rules.accesses import ACCESS_RULES
from hotcocci.rules.entry import Rule
from hotcocci.rules.loads import LOAD_RULES
from hotcocci.rules.windows import WINDOW_RULES

# What lint, patch and why look for; the others are those of check.
REWRITE_RULES = (*ACCESS_RULES, *LOAD_RULES)
RULES = (*REWRITE_RULES, *WINDOW_RULES)


def rule(code: str) -> Rule:
    """The rule of that code, in any case of letters. Raises UserError if there is none."""
    for entry in RULES:
        if entry.code == code.upper():
            return entry
    raise UserError(f"there is no rule {code}: 'rules' lists them all")
