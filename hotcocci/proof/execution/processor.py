# SPDX-License-Identifier: GPL-2.0
"""The interface of an architecture: decode, emulate and link its code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import unicorn

from hotcocci.proof.execution import poison
from hotcocci.proof.execution.image import Function, Image, Linker
from hotcocci.proof.execution.tables import Fixup
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.space import Layout, Registry

PLAIN = "plain"
TRAP = "trap"
# Copies or fills a number of bytes given in a register (rep movs).
COPY = "copy"
# Needs a processor feature that the emulator lacks.
SYSTEM = "system"
# Size in bytes of the longest instruction.
LONGEST = 15


@dataclass(frozen=True)
class Place:
    """A memory operand: emulator register numbers (0 for none), scale and offset."""

    base: int = 0
    index: int = 0
    scale: int = 1
    offset: int = 0
    segment: int = 0


@dataclass(frozen=True)
class Operand:
    """A register of the emulator, or an immediate; ``size`` in bytes."""

    size: int
    register: int = 0
    number: int = 0


@dataclass(frozen=True)
class Step:
    """A decoded instruction, as far as it needs more than the emulator.

    ``operands`` are those of a trap that fires if they differ, or the arguments of a side effect,
    which ``effect`` names. ``access`` is the memory operand, ``size`` its bytes, and ``stores`` its
    direction. A copy that ``fills`` reads no memory. ``code`` is the instruction word of a system
    instruction. ``target`` is the target of a direct call or jump, else 0.
    """

    length: int
    kind: str = PLAIN
    operands: tuple[Operand, ...] = ()
    access: Place | None = None
    size: int = 0
    stores: bool = False
    fills: bool = False
    code: int = 0
    target: int = 0
    effect: str = ""


@dataclass(frozen=True)
class Copy:
    """A copy that is about to run; without a source it repeats ``fill``."""

    target: int
    source: int | None
    count: int
    fill: bytes = b""


@dataclass(frozen=True)
class Special:
    """An external routine that is not treated as a call: it returns at once, or jumps."""

    returns: bool = False
    jumps: int = 0


class Processor(Linker, Protocol):
    """An architecture whose code can be run in the emulator.

    The methods implemented here suit architectures without special cases.
    """

    layout: Layout
    # Source files with user access routines, whose code is run rather than modelled.
    support: Sequence[str]
    # General registers, the call-clobbered ones, and those of arguments.
    general: Sequence[int]
    spoiled: Sequence[int]
    arguments: Sequence[int]
    stack_pointer: int
    program_counter: int
    convention: Convention
    # The registers that marks.py uses for a window's base and length.
    marked: tuple[int, int]
    # Kernel memory that is written when user access is opened or closed.
    private: range = range(0)
    # Stores become visible in program order: smp_wmb() is only a compiler barrier. Elsewhere it is
    # an instruction, and opening user access has compiler barriers of its own.
    orders_stores: bool = False
    # Tracing routines, whose calls are patched out.
    tracers: Sequence[str]

    @property
    def ones(self) -> int:
        """A mask of the bits of a pointer."""
        return (1 << 8 * self.layout.pointer) - 1

    def poisoned(self, engine: unicorn.Uc, kind: int, registers: Sequence[int]) -> None:
        """Poison registers; ``kind`` is FOUND or SPOILED of poison.py."""
        for number, register in enumerate(registers):
            held = poison.register(kind, number, self.layout.pointer)
            engine.reg_write(register, held)

    def engine(self) -> unicorn.Uc:
        """A new emulator without memory."""

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """Memory outside the objects with known contents: address to bytes."""

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""

    def enter(
        self, engine: unicorn.Uc, space: AddressSpace, start: int, back: int
    ) -> None:
        """Set the registers for function entry, except for the arguments."""

    def leave(self, engine: unicorn.Uc, space: AddressSpace) -> int:
        """Return from a function that was just entered; return the address where the run continues."""

    def clobber(self, engine: unicorn.Uc, number: int, size: int) -> None:
        """Overwrite the call-clobbered registers and set the result, of ``size`` bytes."""

    def result(self, engine: unicorn.Uc, size: int) -> int:
        """The result of a function that returned, of ``size`` bytes."""

    def argument(self, engine: unicorn.Uc, number: int) -> int:
        """An integer argument of a function that was just entered."""
        return int(engine.reg_read(self.arguments[number]))

    def is_open(self, engine: unicorn.Uc, stores: bool = True) -> bool:
        """Whether user access is open for stores, or for loads."""

    def value(self, engine: unicorn.Uc, operand: Operand) -> int:
        """The value of a register or immediate operand."""
        value = operand.number
        if operand.register:
            value = int(engine.reg_read(operand.register))
        return value & ((1 << 8 * operand.size) - 1)

    def address(self, engine: unicorn.Uc, place: Place) -> int:
        """The address of a memory operand."""
        at = place.offset
        if place.base:
            at += engine.reg_read(place.base)
        if place.index:
            at += engine.reg_read(place.index) * place.scale
        if place.segment:
            at += engine.reg_read(place.segment)
        return at & self.ones

    def fault(self, engine: unicorn.Uc, fixup: Fixup) -> str:
        """Continue at an exception table entry; return why that is not supported, or ""."""

    def special(self, engine: unicorn.Uc, name: str) -> Special | None:
        """How to treat an external routine that is not a call; None for calls."""
        return Special(returns=True) if name in self.tracers else None

    def checked(self, engine: unicorn.Uc, name: str) -> int | None:
        """The user pointer that a routine is entered with, unless it is an argument."""
        return None

    def copy(self, engine: unicorn.Uc, step: Step) -> Copy:
        """The operands of a copy that is about to run."""
        raise AssertionError("no instruction copies")

    def copied(self, engine: unicorn.Uc, step: Step, done: int) -> None:
        """Set the registers to the state after ``done`` bytes of a copy."""
        raise AssertionError("no instruction copies")

    def perform(self, engine: unicorn.Uc, address: int, step: Step) -> int:
        """Emulate a system instruction; return the address where the run continues."""

    def go(self, engine: unicorn.Uc, address: int) -> None:
        """Continue at an address."""
        engine.reg_write(self.program_counter, address & self.ones)

    def here(self, engine: unicorn.Uc) -> int:
        """The address of the next instruction."""
        return int(engine.reg_read(self.program_counter)) & self.ones

    def stack(self, engine: unicorn.Uc) -> int:
        """The stack pointer."""
        return int(engine.reg_read(self.stack_pointer))


def decoded(processor: Processor, image: Image, address: int) -> Step | None:
    """The instruction at an address; None outside of what was linked."""
    segment = image.segment(address)
    if segment is None:
        return None
    start, data = segment
    at = address - start
    return processor.step(address, bytes(data[at : at + LONGEST]))


def listing(
    processor: Processor, image: Image, function: Function
) -> Iterator[tuple[int, Step]]:
    """The address and decoded instruction of each instruction of a function."""
    at = function.start
    while at < function.end:
        step = decoded(processor, image, at)
        assert step is not None
        yield at, step
        at += max(step.length, 1)
