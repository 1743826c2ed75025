# SPDX-License-Identifier: GPL-2.0
"""The properties of an architecture's code: linking, calls and layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hotcocci.machine.elf import ObjectFile, Relocation
from hotcocci.machine.x86 import LONGEST
from hotcocci.proof.known import PURE, WITHOUT_ARGUMENTS
from hotcocci.proof.objects.image import Function, Image, Layout, Registry
from hotcocci.proof.objects.marks import MOST, WORD, Uses
from hotcocci.proof.objects.signatures import Signature, Value


@dataclass(frozen=True)
class Step:
    """The length of an instruction in bytes; of a direct call or jump also the target, and the code without it."""

    length: int
    target: int = 0
    rest: bytes = b""


class Processor(Protocol):
    """An architecture whose code can be linked and compared."""

    layout: Layout
    # Source files with user access routines, whose code is run rather than modelled.
    support: Sequence[str]
    # Their routines whose symbols have no type.
    untyped: Sequence[str] = ()
    convention: Convention
    # Kernel memory that is written when user access is opened or closed.
    private: range = range(0)
    # Stores become visible in program order: smp_wmb() is only a compiler barrier. Elsewhere it is
    # an instruction, and opening user access has compiler barriers of its own.
    orders_stores: bool = False
    # What functions call at their entry to be traced.
    tracers: Sequence[str]

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        """Apply a relocation: store ``value``, symbol plus addend, at ``place``.

        Raises LinkError for an unknown relocation.
        """

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Apply the boot-time patches, alternatives and runtime constants, if the code needs any.

        ``bases`` are the addresses of the object's sections.
        """
        return

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """Memory outside the objects with known contents: address to bytes."""

    def step(self, address: int, code: bytes) -> Step:
        """The instruction at an address; calls and jumps of other objects are relocated."""


def listing(
    processor: Processor, image: Image, function: Function
) -> Iterator[tuple[int, Step]]:
    """The address and decoded instruction of each instruction of a function."""
    segment = image.segment(function.start)
    assert segment is not None
    start, data = segment
    at = function.start
    while at < function.end:
        step = processor.step(at, bytes(data[at - start : at - start + LONGEST]))
        yield at, step
        at += max(step.length, 1)


@dataclass(frozen=True)
class Convention:
    """The way that integers, pointers and structs are passed and returned; sizes in bytes.

    ``word`` is the size of a register and ``registers`` their number. Structs up to ``largest`` are
    passed in registers, bigger ones on the stack or ``by_reference``. With ``paired``, an argument
    of two registers starts at an even one. Structs up to ``returned`` are returned in registers;
    otherwise the first argument register points to the result, or another register if
    ``elsewhere``. Stack arguments start ``stack`` bytes above the stack pointer at function entry;
    with ``filling``, later small arguments may still use registers. The CFA is ``frame`` bytes above the stack
    pointer at function entry. A callee has ``extended`` a small result to a register.
    """

    word: int
    registers: int
    largest: int = 0
    by_reference: bool = False
    paired: bool = False
    returned: int = 0
    elsewhere: bool = False
    stack: int = 0
    filling: bool = False
    frame: int = 0
    extended: bool = False


@dataclass(frozen=True)
class Passed:
    """A parameter and the words that hold it, first word first.

    Words are numbered from the first register, then from the first stack slot.
    """

    value: Value
    words: tuple[int, ...]


def is_returned(convention: Convention, value: Value) -> bool:
    """Whether a result is returned in registers."""
    return not value.record or value.size <= convention.returned


def passed(convention: Convention, signature: Signature) -> tuple[Passed, ...]:
    """Locate the parameters; a pointer to a result in memory comes first."""
    parameters = list(signature.parameters)
    result = signature.result
    if result is not None and not is_returned(convention, result):
        if not convention.elsewhere:
            parameters.insert(0, Value(convention.word, result.size, made=True))
    found = []
    register, on_stack = 0, convention.registers
    for value in parameters:
        stacked = value.record and value.size > convention.largest
        if stacked and convention.by_reference:
            copy = Value(convention.word, value.size, constant=True, made=True)
            value, stacked = copy, False
        count = -(-value.size // convention.word)
        pair = convention.paired and count == 2
        first = register + (register % 2 if pair else 0)
        if not stacked and first + count <= convention.registers:
            register = first + count
        else:
            if not convention.filling:
                register = convention.registers
            first = on_stack + (on_stack % 2 if pair else 0)
            on_stack = first + count
        found.append(Passed(value, tuple(range(first, first + count))))
    return tuple(found)


def arguments(
    convention: Convention, name: str, signature: Signature | None, uses: Uses | None
) -> tuple[Passed, ...] | None:
    """The arguments of a call: those that its prototype names, and what else gcc says that it reads (marks.py), word by word.

    None if neither is known.
    """
    known = passed(convention, signature) if signature is not None else ()
    if signature is not None and not signature.variadic:
        return known
    if uses is None or not uses.sizes or uses.stacked == MOST:
        return () if uses is None and name in WITHOUT_ARGUMENTS else None
    # What follows a format is only read, but by scanf().
    formatted = known and known[-1].value.target == 1 and "scanf" not in name
    constant = bool(formatted) or name in PURE
    taken = {word for each in known for word in each.words}
    sizes = {n: uses.sizes[n] for n in range(convention.registers)}
    stacked = convention.registers + uses.stacked * WORD // convention.word
    first = max((1 + word for word in taken), default=0)
    sizes |= dict.fromkeys(range(max(first, len(sizes)), stacked), convention.word)
    return known + tuple(
        Passed(Value(size, 0 if size == convention.word else None, constant), (word,))
        for word, size in sizes.items()
        if size and word not in taken
    )
