# SPDX-License-Identifier: GPL-2.0
"""What following the paths of a function shows, as it comes together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.windows.events import Helper
from hotcocci.windows.graph import Graph, Node
from hotcocci.windows.state import State, Window

# Points of paths in one function; more than this is given up, and told.
MOST_STATES = 60_000
# How a violation is put right
REPLACE = "replace"
BEFORE = "before"
DROP = "drop"


class TooManyPaths(Exception):
    """A function with more paths than can be followed."""


@dataclass(frozen=True)
class Fix:
    """What puts a statement right: the end that belongs before it or in its place, or none."""

    how: str
    end: str = ""


@dataclass(frozen=True)
class Violation:
    """A rule that is broken at an offset. ``begin`` is where the window was opened, if anywhere.

    ``fix`` is for the statement that begins at the offset, where it is mechanical.
    """

    rule: str
    at: int
    message: str
    begin: int | None = None
    fix: Fix | None = None


@dataclass(frozen=True)
class OpenCall:
    """A call that is made with user access open on some path, as `Called` has it."""

    name: str
    at: int
    begin: int
    known_size: bool


@dataclass(frozen=True)
class Exit:
    """A way out of a function: where, whether the value is true if that is known, the window."""

    at: int
    value: bool | None
    window: Window
    missing_restore: bool = False


@dataclass
class Outcome:
    """What following all paths of a function has shown.

    ``calls`` are the windows with which other functions of the file are called, ``ended`` the
    flavours of the ends that end a caller's window, ``accesses`` those in a window of its own, with
    its begin.
    """

    violations: dict[tuple[str, int], Violation] = field(default_factory=dict)
    open_calls: set[OpenCall] = field(default_factory=set)
    exits: set[Exit] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    accesses: set[tuple[int, int]] = field(default_factory=set)
    calls: dict[str, set[Window]] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """What holds for all functions of a file.

    ``functions`` are those of the file whose callers matter, with the directions of the accesses
    in each; ``one_flavour`` says that the tree's masked begin has no flavours.
    """

    helpers: Mapping[str, Helper]
    functions: Mapping[str, frozenset[str]]
    one_flavour: bool


@dataclass
class Run:
    """One function being followed: what was found, and where to go on.

    ``repeated`` are the conditions that are tested more than once, ``tested`` the words of all.
    """

    graph: Graph
    known: Known
    text: str
    repeated: frozenset[str]
    tested: frozenset[str]
    outcome: Outcome = field(default_factory=Outcome)
    waiting: list[tuple[Node, State]] = field(default_factory=list)
    seen: set[tuple[int, State]] = field(default_factory=set)

    def report(
        self,
        rule: str,
        at: int,
        message: str,
        begin: int | None,
        fix: Fix | None = None,
    ) -> None:
        """Remember a violation; the first at a place counts."""
        found = Violation(rule, at, message, begin, fix)
        self.outcome.violations.setdefault((rule, at), found)

    def go(
        self, source: Node, target: Node | None, state: State, why: str = ""
    ) -> None:
        """Go on at another step, out of the scopes that it does not stand in; ``why`` if by a jump."""
        if target is None:
            return
        left = tuple(s for s in source.scopes if s not in target.scopes)
        state = state.left(left, why)
        if (id(target), state) in self.seen:
            return
        self.seen.add((id(target), state))
        if len(self.seen) > MOST_STATES:
            raise TooManyPaths
        self.waiting.append((target, state))
