# SPDX-License-Identifier: GPL-2.0
"""What a run has done so far; Trace is what remains of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hotcocci.proof.execution.inputs import Input, Memory, Origin
from hotcocci.proof.execution.trace import Event, Seen, Trace, Violation

# Bytes of a copy of which the numbers are remembered.
COPIED = 1024


@dataclass
class State:
    """The record of a run, which the hooks of the emulator write.

    ``read`` is where values came from, in the order of reading. ``compared`` are the operands of
    the last comparison, their size, and whether bits were tested; ``branch`` is the conditional
    branch that was just reached, or 0.
    """

    given: Input
    order: Literal["little", "big"] = "little"
    events: list[Event] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    path: set[tuple[int, int]] = field(default_factory=set)
    visited: set[int] = field(default_factory=set)
    seen: list[Seen] = field(default_factory=list)
    pointers: list[int] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    unchecked: bool = False
    read: dict[Origin, int] = field(default_factory=dict)
    accesses: int = 0
    instructions: int = 0
    end: str = ""
    detail: str = ""
    compared: tuple[int, int, int, bool] | None = None
    branch: int = 0


def violate(state: State, text: str, address: int) -> None:
    """Note what no run may do."""
    state.violations.append(Violation(text, address))


def note(state: State, origin: Memory, data: bytes) -> None:
    """Remember where a value comes from; a copy brings all the numbers it may be made of."""
    if len(data) <= 8:
        state.read.setdefault(origin, int.from_bytes(data, state.order))
        return
    for size in (4, 8):
        for offset in range(0, min(len(data), COPIED) - size + 1, size):
            part = data[offset : offset + size]
            where = Memory(origin.address + offset, size)
            state.read.setdefault(where, int.from_bytes(part, state.order))


def branched(state: State, following: int) -> None:
    """The instruction behind a conditional branch is reached."""
    state.path.add((state.branch, following))
    if state.compared is not None:
        left, right, size, mask = state.compared
        read = len(state.read)
        state.seen.append(Seen(state.branch, following, left, right, size, mask, read))
    state.branch = 0


def trace(state: State, result: str) -> Trace:
    """What remains of a run."""
    return Trace(
        tuple(state.events),
        state.end,
        result,
        state.written,
        tuple(state.violations),
        state.detail,
        frozenset(state.path),
        frozenset(state.visited),
        tuple(state.pointers),
        tuple(state.seen),
        frozenset(state.keys),
        state.unchecked,
    )
