# SPDX-License-Identifier: GPL-2.0
"""The state of user access at one point of one path."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hotcocci.c.flow import Scope

CLOSED = "closed"
OPEN = "open"
# As the caller left it: a helper that may run inside its caller's window
CALLER = "caller"
# A kernel address on this path, which needs no window (powerpc's sstep.c)
KERNEL = "kernel"

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Window:
    """Whether user access is open, and what opened it.

    ``at`` is the offset of the begin or the scope. ``failed`` tells why a window is closed: its
    begin failed, or its scope was left by a jump. A window with ``any_end`` has no flavour: its
    end must fit the ``directions`` of the accesses so far. An ``inherited`` window belongs to
    the caller, which will end it.
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
        facts = frozenset(f for f in self.facts if name not in _WORD.findall(f[0]))
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
