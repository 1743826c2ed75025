# SPDX-License-Identifier: GPL-2.0
"""The state of a run in progress; Trace is what remains of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Protocol

import unicorn

from hotcocci.proof.execution.credentials import Credentials
from hotcocci.proof.execution.image import Image
from hotcocci.proof.execution.inputs import Input, Result
from hotcocci.proof.execution.locals import Local
from hotcocci.proof.execution.marks import Range
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.processor import Processor
from hotcocci.proof.execution.signatures import Signature, Signatures
from hotcocci.proof.execution.trace import Access, Event, Trace


@dataclass
class State:
    """The record of a run, written by the emulator's hooks.

    ``written`` is the kernel memory that was changed; ``shared`` what was written, with pointers in
    a form shared by both sides. ``previous`` is the previous instruction. ``copying``: the last
    access was made by a routine that copies one instruction at a time. ``range`` is the range of the
    open window. ``hits`` counts the accesses to the address in Input.hit, ``lost`` are the bytes of
    user memory that faulted. ``frame`` is the CFA of the tested function, ``allocated`` the size of
    each allocated object. The rest is as in Trace.
    """

    given: Input
    events: list[Event] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    written: dict[int, int] = field(default_factory=dict)
    shared: dict[int, int] = field(default_factory=dict)
    same: set[int] = field(default_factory=set)
    calls: dict[str, int] = field(default_factory=dict)
    results: dict[Result, int] = field(default_factory=dict)
    pointers: list[int] = field(default_factory=list)
    unchecked: set[int] = field(default_factory=set)
    checked: set[int] = field(default_factory=set)
    trusting: set[int] = field(default_factory=set)
    instructions: int = 0
    end: str = ""
    detail: str = ""
    previous: int = 0
    copying: bool = False
    range: Range | None = None
    hits: int = 0
    lost: set[int] = field(default_factory=set)
    frame: int = 0
    allocated: dict[int, int] = field(default_factory=dict)
    zeroed: set[int] = field(default_factory=set)


class Running(Protocol):
    """What a Machine gives its hooks."""

    engine: unicorn.Uc
    processor: Processor
    image: Image
    space: AddressSpace
    state: State
    signatures: Signatures
    locals: tuple[Local, ...]
    safe: frozenset[str]
    noreturn: frozenset[str]
    credentials: Credentials

    def through(self, site: int) -> Signature | None:
        """The signature of an indirect call at an instruction."""

    def stop(self, end: str, detail: str = "") -> None:
        """End the run."""

    def event(self, event: Event) -> None:
        """Record an event that is visible outside the function."""

    def write(self, address: int, data: bytes) -> None:
        """Write kernel memory on behalf of the running code."""


def joined(state: State, access: Access) -> bool:
    """Merge an access of a copy with the one before, if they are adjacent."""
    last = state.events[-1] if state.events else None
    if not (access.block and isinstance(last, Access) and last.block):
        return False
    if last.kind != access.kind or last.address + len(last.data) != access.address:
        return False
    state.events[-1] = replace(last, data=last.data + access.data)
    return True


def trace(state: State, result: str) -> Trace:
    """The trace of a finished run."""
    return Trace(
        tuple(state.events),
        state.end,
        result,
        state.shared,
        tuple(state.violations),
        state.detail,
        state.instructions,
        frozenset(state.unchecked),
        frozenset(state.checked),
        frozenset(state.trusting),
        frozenset(state.same),
        tuple(state.pointers),
        state.results,
    )
