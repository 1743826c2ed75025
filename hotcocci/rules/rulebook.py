# SPDX-License-Identifier: GPL-2.0
"""The rulebook: the rules of windows, and a module or package in this directory for each other rule, found by its name.

The entry of one that may rewrite is its data file, and decide() of its module or package decides. For a rule on each
call by itself they are RULE and judge() of its module.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from hotcocci.errors import UserError
from hotcocci.findings import SPATCH, Facts, Finding, Rewrite
from hotcocci.rules.entry import (
    FAMILIES,
    SHARED,
    WINDOW_SCRIPT,
    WINDOWS,
    Rule,
    completed,
    entry_of,
    table,
)
from hotcocci.tree.select import ALLOWANCE, WINDOW

if TYPE_CHECKING:
    from hotcocci.rewrite.options import Options

FOLDER = Path(__file__).parent
# ua101_user_access_run: a rule's code and subject
NAME = re.compile(r"([a-z]{2}\d{3})_\w+")
# The table of a data file with the fields of an Implementation
_HOW = "implementation"


def _names() -> dict[str, str]:
    """The module or package of each rule that may rewrite by its code, in the order of codes."""
    modules = sorted(module.name for module in iter_modules([str(FOLDER)]))
    return {m[1].upper(): m[0] for m in map(NAME.fullmatch, modules) if m}


def _data(name: str) -> dict[str, Any]:
    """The data file of a rule that may rewrite; empty for one on each call by itself."""
    files = (f"{name}.toml", f"{name}/rule.toml")
    return next((table(file) for file in files if (FOLDER / file).is_file()), {})


def _entry(name: str) -> Rule:
    """The entry of a rule that may rewrite."""
    code, _, stem = name.partition("_")
    data = _data(name)
    if data:
        return entry_of(code.upper(), {k: data[k] for k in data if k != _HOW})
    return completed(import_module(f"{__package__}.{name}").RULE, stem)


def _window(code: str, entry: dict[str, Any]) -> Rule:
    """The entry of a rule of windows; ``spatch`` finds it with one semantic patch for all."""
    engines = tuple(entry.pop("engines"))
    script = WINDOW_SCRIPT if SPATCH in engines else ""
    return Rule(code, family=WINDOWS, engines=engines, script=script, **entry)


def _rules() -> tuple[Rule, ...]:
    own = [_entry(name) for name in NAMES.values()]
    own += [_window(code, entry) for code, entry in table("windows.toml").items()]
    return tuple(sorted(own, key=lambda r: (FAMILIES.index(r.family), r.code)))


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


@dataclass(frozen=True)
class Implementation:
    """The code of a rule that selects files and decides on them.

    ``may_match`` selects the files to parse of those that the rule's mention selects, ``decide`` returns
    the findings in a file, and rewrites for some, given its text, the facts of the rule's semantic patch and the options. ``in_function`` selects the functions to parse
    by their text, where ``may_match`` looks at more of a file. ``names`` are the calls that
    the patch must not miss. The searches of texts are functions of prefilter.py. ``hot_only`` selects files with a hot function. ``uses_hotness`` is set if a profile matters, and ``may_match_hot`` selects
    files by the names of their hot functions: of those with some if ``hot_only``, else in addition. ``others`` are the files, in groups that
    many decisions share, that a decision depends on apart from the file and its headers.
    """

    may_match: Callable[[str], bool]
    decide: Callable[[str, Facts, Options], tuple[list[Finding], list[Rewrite]]]
    names: frozenset[str]
    uses_hotness: bool = False
    others: Callable[[Path, str], Iterable[tuple[str, ...]]] | None = None
    hot_only: bool = False
    may_match_hot: Callable[[str, frozenset[str]], bool] | None = None
    in_function: Callable[[str], bool] | None = None

    @property
    def may_match_in(self) -> Callable[[str], bool]:
        """Whether the text of a function may have matches."""
        return self.in_function or self.may_match


@lru_cache
def implementation_of(code: str) -> Implementation:
    """The implementation of one of REWRITE_RULES, whose module is imported for the first decision."""
    name, entry = f"{__package__}.{NAMES[code]}", rule(code)

    def later(function: str) -> Callable[..., Any]:
        return lambda *given: getattr(import_module(name), function)(*given)

    if entry.names:
        from hotcocci.rules.calls import call_by_call

        decide = call_by_call(entry, import_module(name).judge)
        # The rule's mention has selected the files already.
        return Implementation(_always, decide, entry.names)
    from hotcocci.rewrite import prefilter

    given = _data(NAMES[code])[_HOW]
    searches = ("may_match", "may_match_hot", "in_function")
    found = {k: getattr(prefilter, given[k]) for k in searches if k in given}
    how: dict[str, Any] = {
        "may_match": _always,
        **given,
        **found,
        "names": frozenset(given["names"]),
    }
    if "others" in given:
        how["others"] = later("others")
    return Implementation(decide=later("decide"), **how)


def load_decision(code: str) -> None:
    """Import the module that decides for a rule; processes that are started after it have it, too."""
    import_module(f"{__package__}.{NAMES[code]}")


def _always(_: str) -> bool:
    return True


def module_of(code: str) -> Path:
    """The file with a rule's implementation, which imports everything that its decisions depend on."""
    package = FOLDER / NAMES[code]
    module = package.with_suffix(".py")
    return module if module.is_file() else package / "__init__.py"
