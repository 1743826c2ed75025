# SPDX-License-Identifier: GPL-2.0
"""What a run has done so far; Trace is what remains of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from hotcocci.proof.execution.inputs import Input, Memory, Origin
from hotcocci.proof.execution.marks import Range
from hotcocci.proof.execution.trace import Access, Event, Seen, Trace, Violation

# Bytes of a copy of which the numbers are remembered.
COPIED = 1024


@dataclass
class State:
    """The record of a run, which the hooks of the emulator write.

    ``written`` is kernel memory as it was written, ``told`` the same with pointers in a form
    that both sides share. ``read`` is where values came from, in the order of reading. ``compared`` are the operands of
    the last comparison, their size, and whether bits were tested, and those of comparisons that it depends on; ``branch`` is the conditional
    branch that was just reached, or 0, and ``previous`` the instruction before this one.
    ``copying`` tells that the last access was one of a routine's that copies instruction by
    instruction; all that it does is one access, numbered ``copy``, ``first`` while it has not
    come to user memory. ``range`` is what the open window was begun for, ``window`` its number and
    ``windows`` how many were begun. ``site`` is the instruction of the function that called the
    routine at hand. The rest is as in Trace.
    """

    given: Input
    order: Literal["little", "big"] = "little"
    events: list[Event] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)
    told: dict[int, int] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    path: set[tuple[int, int]] = field(default_factory=set)
    visited: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    seen: list[Seen] = field(default_factory=list)
    pointers: list[int] = field(default_factory=list)
    keys: set[str] = field(default_factory=set)
    unchecked: bool = False
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
    # How often an access came to the address of Input.hit
    hits: int = 0
    site: int = 0
    pointed: dict[int, Origin] = field(default_factory=dict)
    done: dict[int, int] = field(default_factory=dict)
    failed: set[int] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    volatile: list[tuple[str, int, int]] = field(default_factory=list)
    checked: set[int] = field(default_factory=set)
    trusting: set[int] = field(default_factory=set)
    # The CFA of the function that is run, and the bytes of what it allocated.
    frame: int = 0
    allocated: dict[int, int] = field(default_factory=dict)
    zeroed: set[int] = field(default_factory=set)


def violate(state: State, text: str, address: int) -> None:
    """Note what no run may do."""
    state.violations.append(Violation(text, address))


def note(state: State, origin: Memory, data: bytes) -> None:
    """Remember where a value comes from; a copy brings all the numbers it may be made of."""
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
    """A routine is entered that copies instruction by instruction."""
    state.copy = state.accesses
    state.first = True
    state.accesses += 1


def site(state: State, function: object, address: int) -> int:
    """Where the function at hand makes an access: here, or where it called the routine that does."""
    return state.site if function is None else address


def succeeded(state: State, where: int) -> None:
    """Count an access that did not fault."""
    # A routine that was reached before is a new place where it is called from.
    state.visited.add(-where)
    state.done[where] = state.done.get(where, 0) + 1


def joined(state: State, access: Access) -> bool:
    """Add an access of a copy to the one before, if that ends where it begins."""
    last = state.events[-1] if state.events else None
    if not (access.block and isinstance(last, Access) and last.block):
        return False
    if last.kind != access.kind or last.address + len(last.data) != access.address:
        return False
    state.events[-1] = replace(last, data=last.data + access.data)
    return True


def branched(state: State, following: int) -> None:
    """The instruction behind a conditional branch is reached."""
    state.path.add((state.branch, following))
    for left, right, size, mask in state.compared:
        read = len(state.read)
        state.seen.append(Seen(state.branch, following, left, right, size, mask, read))
    state.branch = 0


def trace(state: State, result: str) -> Trace:
    """What remains of a run."""
    return Trace(
        tuple(state.events),
        state.end,
        result,
        state.told,
        tuple(state.violations),
        state.detail,
        frozenset(state.path),
        frozenset(state.visited),
        tuple(state.pointers),
        tuple(state.seen),
        frozenset(state.keys),
        state.unchecked,
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
    )
