# SPDX-License-Identifier: GPL-2.0
"""How a rule that may rewrite is carried out: the WORKING of working.py in its package."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from hotcocci.c.excerpt import Wanted
from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.session import Decider
from hotcocci.tree import hotness
from hotcocci.rules.rulebook import FOLDER, NAMES, REWRITE_RULES
from hotcocci.tree.select import POINTER, Mention

_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Working:
    """How a rule selects files and decides on them.

    ``mention`` chooses the files, ``worth`` those of them that are parsed, ``decide`` judges what
    the rule's semantic patch has seen in one. ``names`` are the calls that it is to see all of.
    ``hot_only`` selects files with a hot function; ``accessors`` gives the
    decision the small functions of the tree. ``heat`` says whether it matters how hot a function is: its semantic patch may leave out what
    only a profile would ask for, and gives it with ``-D everywhere=yes``. ``beside`` says what else
    than the file and the headers a decision depends on. ``seen_by`` is the semantic patch that sees what
    the rule needs, where another rule's sees the same: to parse a file takes longer than all else.
    """

    mention: Mention
    worth: Callable[[str], bool]
    decide: Decider
    names: frozenset[str]
    heat: bool = False
    beside: Callable[[Path, str], bytes] | None = None
    seen_by: str = ""
    hot_only: bool = False
    accessors: bool = False

    @property
    def wanted(self) -> Wanted:
        """Which functions a semantic patch is to see, the same for all rules that it works for."""
        return _holds_hot if self.mention == POINTER else _mentioning(self.mention)


def _mentioning(what: Mention) -> Wanted:
    return lambda _file, _head, body: what.pattern.search(body) is not None


def _holds_hot(file: str, head: bytes, _: bytes) -> bool:
    """Whether a word before a body, such as the function's name, is that of a hot function."""
    return any(hotness.is_hot(file, word.decode()) for word in _WORD.findall(head))


def hot_load(decide: Decider, accessors: bool = False) -> Working:
    """A rule of loads that looks at all of a hot function."""
    return Working(
        POINTER,
        _any,
        decide,
        frozenset(),
        heat=True,
        hot_only=True,
        accessors=accessors,
    )


def _any(_: str) -> bool:
    return True


def working_of(code: str) -> Working:
    """How a rule of REWRITE_RULES is carried out."""
    working: Working = import_module(f"{__package__}.{NAMES[code]}.working").WORKING
    return working


def decider(script: str) -> Decider:
    """What all rules that a semantic patch finds decide, in the order of the rules."""
    name = Path(script).resolve().name
    deciders = [
        working_of(rule.code).decide
        for rule in REWRITE_RULES
        if Path(rule.script).name == name
    ]

    def decide(
        text: str, facts: Facts, options: Options
    ) -> tuple[list[Finding], list[Rewrite]]:
        made = [each(text, facts, options) for each in deciders]
        findings = [finding for found, _ in made for finding in found]
        return findings, [rewrite for _, rewrites in made for rewrite in rewrites]

    return decide


def module_of(code: str) -> Path:
    """The file that tells how a rule is carried out; what it decides by is what this one imports."""
    return FOLDER / NAMES[code] / "working.py"
