# SPDX-License-Identifier: GPL-2.0
"""What is known of user access at one point of one path."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from hotcocci.windows.graph import Scope

CLOSED = "closed"
OPEN = "open"
# Whatever the caller has open: a helper that may run inside the caller's window
CALLER = "caller"
# On this path the address is a kernel address, which needs no window (powerpc's sstep.c)
KERNEL = "kernel"

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Window:
    """Whether user access is open, and what opened it.

    ``at`` is the offset of the begin, or of the scope. ``failed`` says of a closed one that its
    begin failed or that a scope was left by a jump. ``any_end`` is one without a flavour of its own,
    ``inherited`` one that the caller has open and will end; ``directions`` are those of the
    accesses in one that may be ended by any.
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
    """A begin whose result has gone into a variable that nobody tested yet.

    ``when`` is the value of the variable if the window is open.
    """

    variable: str | None
    when: bool
    window: Window


@dataclass(frozen=True)
class State:
    """One point of one path.

    ``facts`` are conditions known to hold or not, ``values`` what variables were set to;
    ``saved`` are the windows set aside by user_access_save().
    """

    window: Window
    pending: Pending | None = None
    saved: tuple[Window, ...] = ()
    facts: frozenset[tuple[str, bool]] = frozenset()
    values: frozenset[tuple[str, str]] = frozenset()

    def put(self, window: Window) -> State:
        """The same with another window."""
        return replace(self, window=window, pending=None)

    def changed(self, name: str, value: str | None) -> State:
        """What is still known after a variable changed."""
        facts = frozenset(f for f in self.facts if name not in _WORD.findall(f[0]))
        values = {v for v in self.values if v[0] != name}
        if value is not None:
            values.add((name, value))
        pending = self.pending
        if pending is not None and pending.variable == name:
            pending = replace(pending, variable=None)
        return replace(self, facts=facts, values=frozenset(values), pending=pending)

    def used(self, directions: frozenset[str]) -> State:
        """The same after accesses in a window whose end is to be judged by them."""
        if not self.window.any_end or directions <= self.window.directions:
            return self
        told = self.window.directions | directions
        return replace(self, window=replace(self.window, directions=told))

    def value(self, name: str) -> str | None:
        """What a variable was set to, if that is known."""
        return next((v for n, v in self.values if n == name), None)

    def left(self, scopes: tuple[Scope, ...], failed: str = "") -> State:
        """The state after leaving these scopes, which end their windows by themselves."""
        if self.window.kind == OPEN and self.window.scope in scopes:
            return self.put(Window(CLOSED, self.window.at, failed=failed))
        return self
