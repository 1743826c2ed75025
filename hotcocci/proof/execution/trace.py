# SPDX-License-Identifier: GPL-2.0
"""The record of a run, as visible outside the function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.proof.execution.inputs import Result

LOAD = "load"
STORE = "store"

# How a run ended.
RETURNED = "returned"
# BUG(), or a function that does not return
STOPPED = "stopped"
# A real kernel would have crashed here
OOPS = "oopsed"
# Limits of the emulator, not of the kernel
ENDLESS = "endless"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Access:
    """A user access; ``block`` if it is part of a copy, whose access widths mean nothing."""

    kind: str
    address: int
    data: bytes
    block: bool = False

    def __str__(self) -> str:
        data = self.data.hex(" ") if len(self.data) <= 16 else f"{len(self.data)} bytes"
        return f"user {self.kind} {len(self.data)} at {self.address:#x}: {data}"


@dataclass(frozen=True)
class Fault:
    """A user access that faulted."""

    kind: str
    address: int
    size: int

    def __str__(self) -> str:
        return f"user {self.kind} {self.size} at {self.address:#x}: faults"


@dataclass(frozen=True)
class Call:
    """A call that left the function, with arguments in a form shared by both sides.

    ``written`` is all kernel memory written so far, as (address, byte), and ``same`` where that
    changed nothing, which is not compared.
    """

    name: str
    arguments: tuple[str, ...]
    written: frozenset[tuple[int, int]] = frozenset()
    same: frozenset[int] = field(default=frozenset(), compare=False)

    def __str__(self) -> str:
        return f"call {self.name}({', '.join(self.arguments)})"


@dataclass(frozen=True)
class Warned:
    """A WARN() that fired."""

    def __str__(self) -> str:
        return "WARN"


Event = Access | Fault | Call | Warned


@dataclass(frozen=True)
class Trace:
    """One run.

    ``result`` is the result in a form shared by both sides, empty for void. ``written`` is the
    kernel memory that was written, without the stack, and ``same`` where that changed nothing.
    ``violations`` are violations of rules that hold for every run. ``detail`` says why a run ended
    abnormally. ``unchecked`` are the addresses in kernel memory that user accesses went to, one for
    all of the stack, and ``pointers`` all addresses used as user pointers. ``checked`` are the ends of checked ranges, ``trusting`` those of accesses by
    routines that do not check. ``results`` are those of calls.
    """

    events: tuple[Event, ...]
    end: str
    result: str
    written: Mapping[int, int]
    violations: tuple[str, ...] = ()
    detail: str = ""
    instructions: int = 0
    unchecked: frozenset[int] = frozenset()
    checked: frozenset[int] = frozenset()
    trusting: frozenset[int] = frozenset()
    same: frozenset[int] = frozenset()
    pointers: tuple[int, ...] = ()
    results: Mapping[Result, int] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether a user access faulted."""
        return any(isinstance(event, Fault) for event in self.events)

    @property
    def accesses(self) -> list[Access]:
        """The user accesses that succeeded, in order."""
        return [event for event in self.events if isinstance(event, Access)]

    @property
    def calls(self) -> list[Call]:
        """The calls, in order."""
        return [event for event in self.events if isinstance(event, Call)]
