# SPDX-License-Identifier: GPL-2.0
"""A run in progress: the emulator with one side's code, and what was recorded so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from hotcocci.proof.objects.compiled import Side
from hotcocci.proof.objects.signatures import Local
from hotcocci.proof.objects.x86 import CONVENTION, LAYOUT
from hotcocci.proof.replay.compare import ENDLESS, Access, Event, Trace
from hotcocci.proof.replay.cpu import RSP, Cpu, Space, filling
from hotcocci.proof.symbolic.joint import named
from hotcocci.proof.symbolic.prover import Input, Question
from hotcocci.proof.symbolic.state import Window

CLOSED = "user memory is accessed with user access closed"
# Limit on events of one run, which probably loops over random numbers.
EVENTS = 2_000


@dataclass(kw_only=True)
class Run(Trace):
    """A run of one side, and its record, in which pointers have a form shared by both sides.

    ``called`` counts the calls by name. ``previous`` is the previous instruction, ``window`` the open window. ``hits`` counts
    the accesses to the address in Input.hit, ``lost`` are the bytes of user memory that faulted.
    ``frame`` is the CFA of the tested function, whose variables are ``locals``.
    """

    question: Question
    side: Side
    given: Input
    locals: tuple[Local, ...]
    cpu: Cpu = field(default_factory=Cpu)
    called: dict[str, int] = field(default_factory=dict)
    previous: int = 0
    window: Window | None = None
    hits: int = 0
    lost: set[int] = field(default_factory=set)
    frame: int = 0
    memory: Space = field(init=False)

    def __post_init__(self) -> None:
        image = self.side.image
        constants = self.question.processor.constants(image.registry)
        self.memory = Space(
            self.cpu.engine, LAYOUT, image.segments, constants, self.given.values
        )
        self.cpu.enter(self.memory)
        self.frame = self.cpu.read(RSP) + CONVENTION.frame

    def stop(self, end: str, detail: str = "") -> None:
        """End the run; only the first reason is kept."""
        if not self.end:
            self.end, self.detail = end, detail
        self.cpu.engine.emu_stop()

    def event(self, event: Event) -> None:
        """Record an event that is visible outside the function; parts of a copy are joined."""
        last = self.events[-1] if self.events else None
        if isinstance(last, Access) and isinstance(event, Access):
            alike = last.block and event.block and last.kind == event.kind
            if alike and last.address + len(last.data) == event.address:
                self.events[-1] = replace(last, data=last.data + event.data)
                return
        self.events.append(event)
        if len(self.events) > EVENTS:
            self.stop(ENDLESS, f"it caused more than {EVENTS} events")

    def write(self, address: int, data: bytes) -> None:
        """Write kernel memory on behalf of the running code."""
        if not self.memory.is_stack(address):
            self.remember(address, data)
        self.memory.write(address, data)

    def remember(self, address: int, data: bytes) -> None:
        """Record what is about to be written to kernel memory, if that changes it."""
        name = self.named(int.from_bytes(data, "little")) if len(data) == 8 else ""
        shared = filling(name, 8) if name else data
        for at, (byte, known) in enumerate(zip(data, shared, strict=True), address):
            if byte == self.memory.clean(at):
                self.written.pop(at, None)
            else:
                self.written[at] = known

    def named(self, value: int) -> str:
        """A name for a pointer to the object's own code, literals or stack; empty for others."""
        if self.memory.is_stack(value):
            return "stack"
        return named(self.side.image, value) or ""
