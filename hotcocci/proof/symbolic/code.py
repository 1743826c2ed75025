# SPDX-License-Identifier: GPL-2.0
"""Split the code of one side into blocks that end before anything that VEX does not model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pyvex

from hotcocci.machine.elf import COLD
from hotcocci.proof.objects.image import Image
from hotcocci.proof.objects.signatures import Signatures
from hotcocci.proof.symbolic.architecture import (
    BOUND,
    CLOSES,
    FENCE,
    NOTHING,
    OPAQUE,
    OPENS,
    PLAIN,
    RELAX,
    STRING,
    SYSTEM,
    TRAP,
    USER,
    VOLATILE,
    Architecture,
    Decoded,
)
from hotcocci.proof.symbolic.places import Terms
from hotcocci.proof.symbolic.state import UnsupportedError

# Instructions that need no VEX
UNTRANSLATED = (STRING, TRAP, OPENS, CLOSES, NOTHING, RELAX, SYSTEM, FENCE, OPAQUE)
# Size in bytes of the longest instruction
LONGEST = 15
# Limit on instructions of a block: a branch that forks runs its whole block again.
BLOCK = 24
# The largest function that is followed where it is called, in bytes.
SMALL = 256


@dataclass
class Code:
    """The object of one side, and what is known of the functions it calls.

    Calls of the object's own functions are opaque, except those in ``inline``, which the other side
    has inlined. Functions in ``safe`` may be called with user access open; those in ``noreturn`` do
    not return. ``lines`` returns the source line of an address. ``entries`` are the start addresses
    of the opaque functions.
    """

    side: str
    image: Image
    signatures: Signatures
    arch: Architecture
    terms: Terms
    inline: frozenset[str]
    safe: frozenset[str]
    noreturn: frozenset[str]
    lines: Callable[[int], int]
    # Start of the caller's part of the stack
    caller: int
    blocks: dict[int, Block] = field(default_factory=dict)
    entries: dict[int, str] = field(init=False)

    def __post_init__(self) -> None:
        self.entries = {
            f.start: f.name
            for f in self.image.functions
            if not f.name.endswith(COLD) and f.name not in self.inline
        }

    def stops(self, address: int) -> bool:
        """Whether a block must end before the instruction at an address."""
        image = self.image
        return (
            address in image.fixups
            or address in image.labels
            or address in image.marks
            or address in image.routines
            or address in image.volatile
            or address in image.bounds
            or address in self.entries
        )


@dataclass(frozen=True)
class Block:
    """Plain instructions in VEX, or one of another kind; ``last`` is the last one's address."""

    decoded: Decoded
    vex: pyvex.IRSB | None
    end: int
    last: int


def helpers(code: Code, start: int, end: int) -> Iterator[str]:
    """The object's own small functions that are called in some code; nothing if it cannot be read."""
    sizes = {f.start: f.end - f.start for f in code.image.functions}
    at = start
    while at < end:
        segment = code.image.segment(at)
        assert segment is not None
        try:
            found = code.arch.decode(_bytes(*segment, at), at)
        except UnsupportedError:
            return
        target = found.calls
        if target in code.entries and sizes[target] <= SMALL:
            yield code.entries[target]
        at += found.length


def block(code: Code, address: int) -> Block:
    """The block at an address, translated once.

    Raises UnsupportedError.
    """
    found = code.blocks.get(address)
    if found is None:
        found = code.blocks[address] = _block(code, address)
    return found


def _block(code: Code, address: int) -> Block:
    segment = code.image.segment(address)
    assert segment is not None
    start, data = segment
    first = code.arch.decode(_bytes(start, data, address), address)
    if address in code.image.fixups and first.kind not in (PLAIN, STRING, TRAP):
        # An atomic operation on user memory, as in futex code.
        raise UnsupportedError(f"an exception table entry for '{first.text}'")
    if address in code.image.fixups and first.kind == PLAIN:
        first = Decoded(first.length, USER, first.text)
    elif address in code.image.bounds and first.kind == PLAIN:
        first = Decoded(first.length, BOUND, first.text)
    elif address in code.image.volatile and first.kind == PLAIN:
        first = Decoded(first.length, VOLATILE, first.text)
    if first.kind != PLAIN:
        vex = None
        if first.kind not in UNTRANSLATED:
            vex = code.arch.lift(_bytes(start, data, address), address, 1)
        return Block(first, vex, address + first.length, address)
    at, count, decoded, last = address, 0, first, address
    while count < BLOCK:
        at, last, count = at + decoded.length, at, count + 1
        if decoded.ends or code.stops(at) or at >= start + len(data):
            break
        decoded = code.arch.decode(_bytes(start, data, at), at)
        if decoded.kind != PLAIN:
            break
    text = bytes(data[address - start : at - start])
    return Block(first, code.arch.lift(text, address, count), at, last)


def _bytes(start: int, data: bytearray, address: int) -> bytes:
    return bytes(data[address - start : address - start + LONGEST])
