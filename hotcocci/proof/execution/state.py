# SPDX-License-Identifier: GPL-2.0
"""The state of a run in progress; Trace is what remains of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from hotcocci.proof.execution.inputs import Input, Memory, Origin
from hotcocci.proof.execution.marks import Range
from hotcocci.proof.execution.trace import Access, Event, Seen, Trace, Violation

# Limit on the bytes of a copy whose values are recorded.
COPIED = 1024


@dataclass
class State:
    """The record of a run, written by the emulator's hooks.

    ``written`` is the kernel memory that was changed; ``shared`` what was written, with pointers in
    a form shared by both sides, and ``same`` where that changed nothing. ``read`` has the origins of values, in order of reading. ``compared`` has
    the operands of the last comparison and of those it depends on: left, right, size, whether bits
    were tested. ``branch`` is the conditional branch just executed, or 0; ``previous`` is the
    previous instruction. ``copying``: the last access was made by a routine that copies one
    instruction at a time, which counts as one access numbered ``copy``; ``first`` until it reaches
    user memory. ``range`` is the range of the open window, ``window`` its number, and ``windows``
    the number of windows so far. ``site`` is the instruction that called the current routine. The
    rest is as in Trace.
    """

    given: Input
    order: Literal["little", "big"] = "little"
    events: list[Event] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)
    shared: dict[int, int] = field(default_factory=dict)
    same: set[int] = field(default_factory=set)
    calls: dict[str, int] = field(default_factory=dict)
    path: set[tuple[int, int]] = field(default_factory=set)
    visited: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    seen: list[Seen] = field(default_factory=list)
    pointers: list[int] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    unchecked: set[int] = field(default_factory=set)
    read: dict[Origin, int] = field(default_factory=dict)
    accesses: int = 0
    instructions: int = 0
    end: str = ""
    detail: str = ""
    compared: list[tuple[int, int, int, bool]] = field(default_factory=list)
    branch: int = 0
    previous: int = 0
    copy: int = 0
    copying: bool = False
    first: bool = False
    range: Range | None = None
    window: int = 0
    windows: int = 0
    # How many accesses reached the address in Input.hit
    hits: int = 0
    site: int = 0
    pointed: dict[int, Origin] = field(default_factory=dict)
    done: dict[int, int] = field(default_factory=dict)
    failed: set[int] = field(default_factory=set)
    # The bytes of user memory that faulted
    lost: set[int] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    volatile: list[tuple[str, int, int]] = field(default_factory=list)
    checked: set[int] = field(default_factory=set)
    trusting: set[int] = field(default_factory=set)
    # The CFA of the tested function, and the size of each allocated object
    frame: int = 0
    allocated: dict[int, int] = field(default_factory=dict)
    zeroed: set[int] = field(default_factory=set)
    # Copies within the kernel: target, source and size
    moved: set[tuple[int, int, int]] = field(default_factory=set)


def violate(state: State, text: str, address: int) -> None:
    """Record a violation of a rule that holds for every run."""
    state.violations.append(Violation(text, address))


def note(state: State, origin: Memory, data: bytes) -> None:
    """Record the origin of a value; for a copy, of each value it may consist of."""
    if len(data) <= 8:
        value = int.from_bytes(data, state.order)
        state.read.setdefault(origin, value)
        state.pointed.setdefault(value, origin)
        return
    for size in (4, 8):
        for offset in range(0, min(len(data), COPIED) - size + 1, size):
            part = data[offset : offset + size]
            where = Memory(origin.address + offset, size)
            value = int.from_bytes(part, state.order)
            state.read.setdefault(where, value)
            state.pointed.setdefault(value, where)


def copying(state: State) -> None:
    """Start an access by a routine that copies one instruction at a time."""
    state.copy = state.accesses
    state.first = True
    state.accesses += 1


def site(state: State, function: object, address: int) -> int:
    """The instruction to attribute an access to: this one, or the call of the routine."""
    return state.site if function is None else address


def succeeded(state: State, where: int) -> None:
    """Count an access that did not fault."""
    # A routine reached from another call site counts as new coverage.
    state.visited.add(-where)
    state.done[where] = state.done.get(where, 0) + 1


def joined(state: State, access: Access) -> bool:
    """Merge an access of a copy with the one before, if they are adjacent."""
    last = state.events[-1] if state.events else None
    if not (access.block and isinstance(last, Access) and last.block):
        return False
    if last.kind != access.kind or last.address + len(last.data) != access.address:
        return False
    state.events[-1] = replace(last, data=last.data + access.data)
    return True


def branched(state: State, following: int) -> None:
    """Record the outcome of a conditional branch: the next instruction is reached."""
    state.path.add((state.branch, following))
    for left, right, size, mask in state.compared:
        read = len(state.read)
        state.seen.append(Seen(state.branch, following, left, right, size, mask, read))
    state.branch = 0


def trace(state: State, result: str) -> Trace:
    """The trace of a finished run."""
    return Trace(
        tuple(state.events),
        state.end,
        result,
        state.shared,
        tuple(state.violations),
        state.detail,
        frozenset(state.path),
        frozenset(state.visited),
        tuple(state.pointers),
        tuple(state.seen),
        frozenset(state.keys),
        frozenset(state.unchecked),
        frozenset(state.reached),
        state.instructions,
        state.accesses,
        state.pointed,
        state.done,
        frozenset(state.failed),
        frozenset(state.unknown),
        tuple(state.volatile),
        frozenset(state.checked),
        frozenset(state.trusting),
        frozenset(state.same),
        frozenset(state.moved),
    )
