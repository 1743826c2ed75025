# SPDX-License-Identifier: GPL-2.0
"""The rulebook: the rules of windows, and a module or package in this directory for each other rule, found by its name."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from hotcocci.errors import UserError
from hotcocci.rules import windows
from hotcocci.rules.entry import FAMILIES, WINDOWS, Rule, completed
from hotcocci.rules.reasons import SHARED
from hotcocci.tree.select import ALLOWANCE, WINDOW

FOLDER = Path(__file__).parent
# ua101_user_access_run: a rule's code and subject
NAME = re.compile(r"([a-z]{2}\d{3})_\w+")


def _names() -> dict[str, str]:
    """The module or package of each rule that may rewrite by its code, in the order of codes."""
    modules = sorted(module.name for module in iter_modules([str(FOLDER)]))
    return {m[1].upper(): m[0] for m in map(NAME.fullmatch, modules) if m}


def _entry(name: str) -> Rule:
    """The entry of a rule that may rewrite."""
    entry: Rule = import_module(f"{__package__}.{name}").RULE
    return completed(entry, name.partition("_")[2]) if entry.names else entry


def _rules() -> tuple[Rule, ...]:
    own = [_entry(name) for name in NAMES.values()]
    return tuple(
        sorted([*own, *windows.RULES], key=lambda r: (FAMILIES.index(r.family), r.code))
    )


NAMES = _names()
RULES = _rules()
# Rules for the check command; the others are for lint, patch and why.
WINDOW_RULES = tuple(rule for rule in RULES if rule.family == WINDOWS)
REWRITE_RULES = tuple(rule for rule in RULES if rule.family != WINDOWS)
# What files with findings of any rule that rewrites mention.
MENTIONS = tuple(dict.fromkeys(r.mention for r in REWRITE_RULES if r.mention))
# What one scan of a tree looks for, for all commands.
ASKED = (*MENTIONS, WINDOW, ALLOWANCE)
REASONS = SHARED | {code: text for rule in RULES for code, text in rule.reasons.items()}
"""Every reason not to rewrite, with one sentence."""

_BY_CODE = {rule.code: rule for rule in RULES}


def rule(code: str) -> Rule:
    """The rule with a code, case-insensitive. Raises UserError if there is none."""
    entry = _BY_CODE.get(code.upper())
    if entry is None:
        raise UserError(f"there is no rule {code}: 'rules' lists all")
    return entry
