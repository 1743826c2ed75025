# SPDX-License-Identifier: GPL-2.0
"""The implementation of a rule that may rewrite: IMPLEMENTATION in decide.py of its package, or judge() of its module."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path

from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.options import Options
from hotcocci.rules.rulebook import FOLDER, NAMES, rule

Decider = Callable[[str, Facts, Options], tuple[list[Finding], list[Rewrite]]]
"""Returns the findings in a file, and rewrites for some, given its text, facts and the options."""


@dataclass(frozen=True)
class Implementation:
    """How a rule selects files and decides on them.

    ``may_match`` selects the files to parse of those that the rule's mention selects, ``decide``
    judges the matches of the rule's semantic patch in one. ``in_function`` selects the functions to parse
    by their text, where ``may_match`` looks at more of a file. ``names`` are the calls that
    the patch must not miss. ``hot_only`` selects files with a hot function. ``uses_hotness`` is set if a profile matters, and ``may_match_hot`` selects
    files by the names of their hot functions: of those with some if ``hot_only``, else in addition. ``others`` are the files, in groups that
    many decisions share, that a decision depends on apart from the file and its headers.
    """

    may_match: Callable[[str], bool]
    decide: Decider
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
    """The implementation of one of REWRITE_RULES."""
    name = f"{__package__}.{NAMES[code]}"
    entry = rule(code)
    if not entry.names:
        found: Implementation = import_module(f"{name}.decide").IMPLEMENTATION
        return found
    from hotcocci.rules.calls import call_by_call

    decide = call_by_call(entry, import_module(name).judge)
    # The rule's mention has selected the files already.
    return Implementation(lambda text: True, decide, entry.names)


def module_of(code: str) -> Path:
    """The file with a rule's implementation, which imports everything that its decisions depend on."""
    package = FOLDER / NAMES[code]
    return package / "decide.py" if package.is_dir() else package.with_suffix(".py")
