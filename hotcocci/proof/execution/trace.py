# SPDX-License-Identifier: GPL-2.0
"""The record of a run, as visible outside the function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.proof.execution.inputs import Origin

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

# include/linux/err.h
MAX_ERRNO = 4095


@dataclass(frozen=True)
class Access:
    """A user access; ``block`` if it is part of a copy, whose access widths mean nothing.

    ``site`` is the instruction of the function that makes it or calls the routine that does.
    ``window`` numbers the windows from 1, 0 outside of any. Neither is compared.
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
    """A user access that faulted; fields as in Access."""

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
    """A call that left the function, with arguments in a form shared by both sides.

    ``written`` is all kernel memory written so far, as (address, byte), and ``same`` where that
    changed nothing. ``site`` is the call instruction, which is not compared, nor is ``same``.
    """

    name: str
    arguments: tuple[str, ...]
    written: frozenset[tuple[int, int]] = frozenset()
    site: int = field(default=0, compare=False)
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
class Violation:
    """A violation of a rule that holds for every run: the rule as text, and where."""

    text: str
    address: int


@dataclass(frozen=True)
class Seen:
    """A comparison that decided a branch; ``size`` in bytes.

    ``mask``: bits were tested. ``read`` is how many values had been read by then.
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

    ``result`` is the result in a form shared by both sides, empty for void. ``written`` is the
    kernel memory that was written, without the stack. ``detail`` says why a run ended abnormally.
    ``path`` are the branch outcomes taken, as (address of the branch, address of the next
    instruction). ``visited`` are executed instructions with an exception table entry, and, negated,
    the sites of accesses that succeeded. ``pointers`` are the values used as user pointers,
    ``seen`` the comparisons that decided branches. ``keys`` are the static keys that were reached.
    ``accesses`` counts user accesses, a copy as one. ``reached`` are the watched instructions that
    were executed. ``unchecked`` are the addresses in kernel memory that user accesses went to, one for all of
    the stack. ``pointed`` maps values that may be pointers to their origin. ``done`` counts the accesses that succeeded by site; ``failed``
    are the sites that faulted. ``unknown`` names calls whose arguments could not be read.
    ``volatile`` are the volatile accesses to kernel memory: direction, address, size. ``checked``
    are the ends of checked ranges, ``trusting`` those of accesses by routines that do not check.
    ``same`` is where writing changed nothing,
    ``moved`` are the copies within the kernel: target, source, size.
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
    unchecked: frozenset[int] = frozenset()
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
    same: frozenset[int] = frozenset()
    moved: frozenset[tuple[int, int, int]] = frozenset()


def is_error(result: str) -> bool:
    """Whether a result is an error number, as an int or as a long; other results may be names."""
    number = int(result, 16) if result.startswith("0x") else 0
    return any(2**bits - MAX_ERRNO <= number < 2**bits for bits in (32, 64))
