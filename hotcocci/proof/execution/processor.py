# SPDX-License-Identifier: GPL-2.0
"""What a file of this package says of one architecture, so that its code can be run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import unicorn

from hotcocci.proof.execution import poison
from hotcocci.proof.execution.image import Fixup, Linker
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.space import Layout, Registry

PLAIN = "plain"
# Decides the branches behind it: its operands are worth knowing.
COMPARE = "compare"
BRANCH = "branch"
TRAP = "trap"
# Moves or fills as many bytes as a register says (rep movs).
COPY = "copy"
# Means something to a processor that the emulator does not have.
SYSTEM = "system"


@dataclass(frozen=True)
class Place:
    """A memory operand: registers of the emulator (0 is none), a factor, and what is added."""

    base: int = 0
    index: int = 0
    scale: int = 1
    offset: int = 0
    segment: int = 0


@dataclass(frozen=True)
class Operand:
    """A register of the emulator, a number, or a place in memory; ``size`` in bytes."""

    size: int
    register: int = 0
    number: int = 0
    place: Place | None = None


@dataclass(frozen=True)
class Step:
    """One instruction, as far as running it needs more than the emulator.

    ``operands`` are what a comparison compares, ``mask`` is true if it tests bits; a branch may
    compare by itself, and a trap with operands traps if they differ. ``access`` is
    the memory operand and ``size`` its bytes; ``stores`` tells the direction. A copy that
    ``fills`` reads no memory. ``code`` is the word of a system instruction. A ``further``
    comparison is only made if the one before came out a certain way. With ``chosen`` the second
    operand is the number of a bit that is tested in the first. ``target`` is where a call or a
    jump leads, 0 where that is not in the instruction; one that ``ends`` is not followed by the next.
    ``effect`` names what it does beside computing, with its operands as its arguments.
    """

    length: int
    kind: str = PLAIN
    operands: tuple[Operand, ...] = ()
    mask: bool = False
    access: Place | None = None
    size: int = 0
    stores: bool = False
    fills: bool = False
    code: int = 0
    further: bool = False
    chosen: bool = False
    target: int = 0
    ends: bool = False
    effect: str = ""


@dataclass(frozen=True)
class Copy:
    """What a copy is about to do; without a source it repeats ``fill``."""

    target: int
    source: int | None
    count: int
    fill: bytes = b""


@dataclass(frozen=True)
class Special:
    """A routine of other objects that is no call: it returns at once, or jumps."""

    returns: bool = False
    jumps: int = 0


class Processor(Linker, Protocol):
    """One architecture.

    What is implemented here is for those on which nothing is special.
    """

    layout: Layout
    # Files of the tree that hold user access routines, whose code is run, not modelled.
    support: Sequence[str]
    # Registers: all general ones, those that a call may spoil, and those of arguments.
    general: Sequence[int]
    spoiled: Sequence[int]
    arguments: Sequence[int]
    stack_pointer: int
    program_counter: int
    convention: Convention
    # The registers of marks.py: a window's base and length.
    marked: tuple[int, int]
    # Kernel memory that opening and closing user access writes.
    private: range = range(0)
    # Input.poison of the run at hand.
    poison: int = 0
    # Routines that record calls: their call is patched out.
    tracers: Sequence[str]

    @property
    def ones(self) -> int:
        """A pointer of all ones."""
        return (1 << 8 * self.layout.pointer) - 1

    def poisoned(self, engine: unicorn.Uc, kind: int, registers: Sequence[int]) -> None:
        """Set registers to what nobody wrote; ``kind`` is one of poison.py."""
        for number, register in enumerate(registers):
            held = poison.register(kind, self.poison, number, self.layout.pointer)
            engine.reg_write(register, held)

    def engine(self) -> unicorn.Uc:
        """An emulator without memory."""

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """Memory of other objects of which the contents are known."""

    def step(self, address: int, code: bytes) -> Step:
        """What the instruction at an address is."""

    def enter(
        self, engine: unicorn.Uc, space: AddressSpace, start: int, back: int
    ) -> None:
        """Set the registers with which a function begins, but for its arguments."""

    def leave(self, engine: unicorn.Uc, space: AddressSpace) -> int:
        """Return from a function that was just entered; the address gone on at."""

    def clobber(self, engine: unicorn.Uc, number: int, size: int) -> None:
        """Spoil what a call may spoil, and return the number, of so many bytes."""

    def result(self, engine: unicorn.Uc, size: int) -> int:
        """What a function returned."""

    def argument(self, engine: unicorn.Uc, number: int) -> int:
        """An argument of a function that was just entered."""
        return int(engine.reg_read(self.arguments[number]))

    def is_open(self, engine: unicorn.Uc, stores: bool = True) -> bool:
        """Whether user access is open for storing, or for loading."""

    def value(self, engine: unicorn.Uc, operand: Operand) -> int:
        """What an operand that is no place in memory holds."""
        value = operand.number
        if operand.register:
            value = int(engine.reg_read(operand.register))
        return value & ((1 << 8 * operand.size) - 1)

    def address(self, engine: unicorn.Uc, place: Place) -> int:
        """Where a memory operand lies."""
        at = place.offset
        if place.base:
            at += engine.reg_read(place.base)
        if place.index:
            at += engine.reg_read(place.index) * place.scale
        if place.segment:
            at += engine.reg_read(place.segment)
        return at & self.ones

    def fault(self, engine: unicorn.Uc, fixup: Fixup) -> str:
        """Go on as the exception table says; returns why not, if it is not known how."""

    def special(self, engine: unicorn.Uc, name: str) -> Special | None:
        """What a routine of other objects is, if it is no call."""
        return Special(returns=True) if name in self.tracers else None

    def checked(self, engine: unicorn.Uc, name: str) -> int | None:
        """The user pointer that a routine is entered with, if not as an argument."""
        return None

    def copy(self, engine: unicorn.Uc, step: Step) -> Copy:
        """A copy that is about to run."""
        raise AssertionError("no instruction copies")

    def copied(self, engine: unicorn.Uc, step: Step, done: int) -> None:
        """Set the registers as they are behind so many of its bytes."""
        raise AssertionError("no instruction copies")

    def perform(self, engine: unicorn.Uc, address: int, step: Step) -> int:
        """Do a system instruction in the emulator's place; the address gone on at."""

    def go(self, engine: unicorn.Uc, address: int) -> None:
        """Go on somewhere else."""
        engine.reg_write(self.program_counter, address & self.ones)

    def here(self, engine: unicorn.Uc) -> int:
        """The address of the instruction that comes next."""
        return int(engine.reg_read(self.program_counter)) & self.ones

    def stack(self, engine: unicorn.Uc) -> int:
        """The stack pointer."""
        return int(engine.reg_read(self.stack_pointer))
