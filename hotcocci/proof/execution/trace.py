# SPDX-License-Identifier: GPL-2.0
"""What a run did, as far as anyone outside of the function can see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.proof.execution.inputs import Origin

LOAD = "load"
STORE = "store"

# How a run ended.
RETURNED = "returned"
# BUG(), or a call that does not return.
STOPPED = "stopped"
# A real kernel would have died here.
OOPS = "oopsed"
# The limits of the emulator, not of the kernel.
ENDLESS = "endless"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Access:
    """An access to user memory: ``block`` if it is one of a copy, whose widths mean nothing.

    ``site`` is the instruction of the function that makes it, or that calls the routine which does.
    ``window`` counts the windows begun up to this one, 0 outside of any. Neither is compared.
    """

    kind: str
    address: int
    data: bytes
    block: bool = False
    site: int = field(default=0, compare=False)
    window: int = field(default=0, compare=False)

    def __str__(self) -> str:
        data = self.data.hex(" ") if len(self.data) <= 16 else f"{len(self.data)} bytes"
        return f"user {self.kind} {len(self.data)} at {self.address:#x}: {data}"


@dataclass(frozen=True)
class Fault:
    """An access to user memory that faulted; ``site`` and ``window`` as in Access."""

    kind: str
    address: int
    size: int
    block: bool = False
    site: int = field(default=0, compare=False)
    window: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"user {self.kind} {self.size} at {self.address:#x}: faults"


@dataclass(frozen=True)
class Call:
    """A call that left the function, with its arguments in a form that both sides share.

    ``written`` is all kernel memory that was written up to here, as (address, byte). ``site`` is
    the instruction that makes the call, which is not compared.
    """

    name: str
    arguments: tuple[str, ...]
    written: frozenset[tuple[int, int]] = frozenset()
    site: int = field(default=0, compare=False)

    def __str__(self) -> str:
        return f"call {self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Warned:
    """A WARN() that was reached."""

    def __str__(self) -> str:
        return "WARN"


Event = Access | Fault | Call | Warned


@dataclass(frozen=True)
class Violation:
    """What no run may do, whatever the other side does: the rule in words, and its place."""

    text: str
    address: int


@dataclass(frozen=True)
class Seen:
    """A comparison that decided a branch: where the branch is, what was compared, and how wide.

    ``mask`` is true where bits were tested rather than numbers compared. ``read`` counts what
    had been read by then.
    """

    branch: int
    following: int
    left: int
    right: int
    size: int
    mask: bool
    read: int


@dataclass(frozen=True)
class Trace:
    """One run.

    ``result`` is what was returned, in a form that both sides share, empty for void.
    ``written`` is the kernel memory that was written, without the run's own stack.
    ``detail`` says why a run did not end as it should. ``path`` are the ways out of conditional branches that were taken, as
    (address of the branch, address of the next instruction). ``visited`` are the
    instructions with an exception table entry that were reached, and as negative numbers the
    places from which an access succeeded. ``pointers`` are the values
    that were taken for user pointers, ``seen`` the comparisons that decided branches.
    ``keys`` are the jump labels that were reached.
    ``accesses`` counts those to user memory, a copy as one.
    ``reached`` are those instructions that were reached and watched for.
    ``unchecked`` tells that an access meant for user memory went to kernel memory. ``pointed``
    tells where the run had a number from that may be a pointer. ``done`` and ``failed`` count by
    site the accesses that succeeded and those that faulted. ``unknown`` names the calls of which
    the arguments could not be read. ``volatile`` are the volatile accesses to kernel memory, as
    direction, address and size. ``checked`` are the numbers that were compared with the end of user
    space, and the ends of windows and of accesses that check themselves; ``trusting`` the ends of
    accesses by routines that do not.
    """

    events: tuple[Event, ...]
    end: str
    result: str
    written: Mapping[int, int]
    violations: tuple[Violation, ...]
    detail: str = ""
    path: frozenset[tuple[int, int]] = frozenset()
    visited: frozenset[int] = frozenset()
    pointers: tuple[int, ...] = ()
    seen: tuple[Seen, ...] = ()
    keys: frozenset[str] = frozenset()
    unchecked: bool = False
    reached: frozenset[int] = frozenset()
    instructions: int = 0
    accesses: int = 0
    pointed: Mapping[int, Origin] = field(default_factory=dict)
    done: Mapping[int, int] = field(default_factory=dict)
    failed: frozenset[int] = frozenset()
    unknown: frozenset[str] = frozenset()
    volatile: tuple[tuple[str, int, int], ...] = ()
    checked: frozenset[int] = frozenset()
    trusting: frozenset[int] = frozenset()
