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
from hotcocci.tree import hotness
from hotcocci.rules.rulebook import FOLDER, NAMES
from hotcocci.tree.select import POINTER, Mention

Decider = Callable[[str, Facts, Options], tuple[list[Finding], list[Rewrite]]]
"""Decides on a file, from its text, its facts and the options: its findings, and the rewrites of some."""

_WORD = re.compile(rb"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Working:
    """How a rule selects files and decides on them.

    ``mention`` chooses the files, ``worth`` those of them that are parsed, ``decide`` judges what
    the rule's semantic patch has seen in one. ``names`` are the calls that it is to see all of.
    ``hot_only`` selects files with a hot function; ``accessors`` gives the
    decision the small functions of the tree. ``heat`` says whether it matters how hot a function is: its semantic patch may leave out what
    only a profile would ask for, and gives it with ``-D everywhere=yes``. ``beside`` says what else
    than the file and the headers a decision depends on.
    """

    mention: Mention
    worth: Callable[[str], bool]
    decide: Decider
    names: frozenset[str]
    heat: bool = False
    beside: Callable[[Path, str], bytes] | None = None
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


def module_of(code: str) -> Path:
    """The file that tells how a rule is carried out; what it decides by is what this one imports."""
    return FOLDER / NAMES[code] / "working.py"
