# SPDX-License-Identifier: GPL-2.0
"""The record of a run, as visible outside the function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

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

    ``written`` is all kernel memory changed so far, as (address, byte).
    """

    name: str
    arguments: tuple[str, ...]
    written: frozenset[tuple[int, int]] = frozenset()

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
    kernel memory that was changed, without the stack. ``violations`` are violations of rules that
    hold for every run. ``detail`` says why a run ended abnormally. ``in_kernel`` counts the user
    accesses that went to kernel memory.
    """

    events: tuple[Event, ...]
    end: str
    result: str
    written: Mapping[int, int]
    violations: tuple[str, ...] = ()
    detail: str = ""
    instructions: int = 0
    in_kernel: int = 0

    @property
    def faults(self) -> list[Fault]:
        """The user accesses that faulted."""
        return [event for event in self.events if isinstance(event, Fault)]

    @property
    def accesses(self) -> list[Access]:
        """The user accesses that succeeded, in order."""
        return [event for event in self.events if isinstance(event, Access)]

    @property
    def calls(self) -> list[Call]:
        """The calls, in order."""
        return [event for event in self.events if isinstance(event, Call)]
