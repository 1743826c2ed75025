# SPDX-License-Identifier: GPL-2.0
"""The state of user access at one point of one path, and the results of following the paths of a function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from hotcocci.c.constants import meaning
from hotcocci.c.expression import Expr
from hotcocci.c.flow import BasicBlock, Graph, Scope
from hotcocci.c.source import WORD
from hotcocci.windows.events import Helper

CLOSED = "closed"
OPEN = "open"
# As the caller left it: a helper that may run inside its caller's window
CALLER = "caller"
# A kernel address on this path, which needs no window (powerpc's sstep.c)
KERNEL = "kernel"

# How a violation is fixed
REPLACE = "replace"
BEFORE = "before"
DROP = "drop"

ASSEMBLY = "asm"


@dataclass(frozen=True)
class Window:
    """Whether user access is open, and what opened it.

    ``at`` is the offset of the begin or the scope. ``failed`` tells why a window is closed: its begin failed, or
    its scope was left by a jump. A window with ``any_end`` has no flavour: its end must fit the ``directions`` of
    the accesses so far. An ``inherited`` window belongs to the caller, which will end it.
    """

    kind: str
    at: int = 0
    flavour: str = ""
    any_end: bool = False
    scope: Scope | None = None
    failed: str = ""
    inherited: bool = False
    directions: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Pending:
    """A begin whose result is in a variable that was not tested yet.

    ``when`` is the value of the variable if the window is open.
    """

    variable: str | None
    when: bool
    window: Window


@dataclass(frozen=True)
class State:
    """The state at one point of one path.

    ``facts`` are conditions with their known values, ``values`` variables with the constants
    they were set to, ``saved`` the windows saved by user_access_save().
    """

    window: Window
    pending: Pending | None = None
    saved: tuple[Window, ...] = ()
    facts: frozenset[tuple[str, bool]] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()

    def put(self, window: Window) -> State:
        """The same state with another window."""
        return replace(self, window=window, pending=None)

    def changed(self, name: str, value: str | None) -> State:
        """The state after an assignment; ``value`` is None if the new value is unknown."""
        facts = frozenset(f for f in self.facts if name not in WORD.findall(f[0]))
        values = {v for v in self.values if v[0] != name}
        if value is not None:
            values.add((name, value))
        pending = self.pending
        if pending is not None and pending.variable == name:
            pending = replace(pending, variable=None)
        return replace(self, facts=facts, values=frozenset(values), pending=pending)

    def used(self, directions: frozenset[str]) -> State:
        """The state after accesses in these directions, recorded only for ``any_end`` windows."""
        if not self.window.any_end or directions <= self.window.directions:
            return self
        both = self.window.directions | directions
        return replace(self, window=replace(self.window, directions=both))

    def value(self, name: str) -> str | None:
        """The constant that a variable was set to; None if unknown."""
        return next((v for n, v in self.values if n == name), None)

    def left(self, scopes: tuple[Scope, ...], failed: str = "") -> State:
        """The state after leaving these scopes, which close their windows."""
        if self.window.kind == OPEN and self.window.scope in scopes:
            return self.put(Window(CLOSED, self.window.at, failed=failed))
        return self


@dataclass(frozen=True)
class Fix:
    """The fix of a statement: put ``end`` before it, replace it with ``end``, or drop it."""

    how: str
    end: str = ""


@dataclass(frozen=True)
class Violation:
    """A rule violated at an offset. ``begin`` is the offset where the window was opened, if known.

    ``fix`` is a mechanical fix for the statement that starts at the offset, if there is one.
    """

    rule: str
    at: int
    message: str
    begin: int | None = None
    fix: Fix | None = None


@dataclass(frozen=True)
class OpenCall:
    """A call made with user access open on some path; see `Called`.

    ``flavour`` is that of the window, empty for a function of the file.
    """

    name: str
    at: int
    begin: int
    last: Expr | None
    flavour: str


@dataclass(frozen=True)
class Exit:
    """A return from a function, the truth of its value (None if unknown), and the window there."""

    at: int
    value: bool | None
    window: Window
    missing_restore: bool = False


@dataclass
class Outcome:
    """The results for all paths of a function.

    ``calls`` are the windows in which it calls other functions of the file, ``ended`` the flavours of the ends
    that end a caller's window, ``accesses`` the offsets of accesses in its own windows with those of their begins.
    ``uses`` are the offsets of its begins with the names of all that is called in their windows, ``ASSEMBLY`` for
    an asm statement; ``ends`` the offsets of ends with those of the begins whose windows they end. ``masking`` are
    the helpers that open a window in any case, and return the masked pointer. ``lost`` are the offsets where a
    window could not be followed any further, and why. ``conditional`` is true if it is balanced, if at all, by
    conditions that go the same way.
    """

    violations: dict[tuple[str, int], Violation] = field(default_factory=dict)
    open_calls: set[OpenCall] = field(default_factory=set)
    exits: set[Exit] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    accesses: set[tuple[int, int]] = field(default_factory=set)
    uses: set[tuple[int, str]] = field(default_factory=set)
    ends: set[tuple[int, int]] = field(default_factory=set)
    masking: set[str] = field(default_factory=set)
    calls: dict[str, set[Window]] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    conditional: bool = False

    def is_unbalanced(self) -> bool:
        """Whether a window is open, or closed, where it should not be on some path."""
        wrong = any(rule in ("UW01", "UW02", "UW21") for rule, _ in self.violations)
        return wrong or any(
            e.window.kind == OPEN and not e.window.inherited for e in self.exits
        )


@dataclass(frozen=True)
class Known:
    """Data on all functions of a file, which is relative to ``root``.

    ``functions`` are the functions of the file with the directions of the accesses in each.
    ``one_flavour`` is true if the tree has a single masked begin for reads and writes.
    """

    root: Path
    file: str
    helpers: Mapping[str, Helper]
    functions: Mapping[str, frozenset[str]]
    one_flavour: bool

    def constant(self, text: str) -> str:
        """The number that a constant is, or else one name for all that stand for it."""
        name = text.removeprefix("-")
        known = meaning(self.root, self.file, name) if name.isupper() else name
        return text.removesuffix(name) + known


@dataclass
class Run:
    """The state of following one function.

    ``repeated`` are the conditions tested more than once, ``tested`` the names in any condition. ``following`` are
    the blocks, with their states, that may follow the current one.
    """

    graph: Graph
    known: Known
    text: str
    repeated: frozenset[str]
    tested: frozenset[str]
    outcome: Outcome = field(default_factory=Outcome)
    following: list[tuple[BasicBlock, State]] = field(default_factory=list)

    def use(self, window: Window, name: str) -> None:
        """Record what is called in a window of the function's own, if it is in one."""
        if window.kind == OPEN and not window.inherited:
            self.outcome.uses.add((window.at, name))

    def lost(self, at: int, why: str) -> None:
        """Record that a window cannot be followed beyond an offset; the first reason counts."""
        self.outcome.lost.setdefault(at, why)

    def report(
        self,
        rule: str,
        at: int,
        message: str,
        begin: int | None,
        fix: Fix | None = None,
    ) -> None:
        """Record a violation; the first one per rule and offset counts."""
        found = Violation(rule, at, message, begin, fix)
        self.outcome.violations.setdefault((rule, at), found)

    def go(
        self, source: BasicBlock, target: BasicBlock, state: State, why: str = ""
    ) -> None:
        """Continue at a block, leaving the scopes it is not in; ``why`` marks a jump."""
        left = tuple(s for s in source.scopes if s not in target.scopes)
        self.following.append((target, state.left(left, why)))

    def jump(self, source: BasicBlock, label: str, state: State, why: str = "") -> None:
        """Continue at a label, if the function has it."""
        if label in self.graph.labels:
            self.go(source, self.graph.labels[label], state, why)
