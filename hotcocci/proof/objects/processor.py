# SPDX-License-Identifier: GPL-2.0
"""What an architecture says of its code: how it is linked, called and laid out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from hotcocci.machine.elf import ObjectFile, Relocation
from hotcocci.machine.x86_insn import LONGEST
from hotcocci.proof.objects.image import Function, Image, Layout, Registry
from hotcocci.proof.objects.signatures import Convention


@dataclass(frozen=True)
class Step:
    """The length of an instruction in bytes, and the target of a direct call or jump, else 0."""

    length: int
    target: int = 0


class Processor(Protocol):
    """An architecture whose code can be linked and compared."""

    layout: Layout
    # Source files with user access routines, whose code is run rather than modelled.
    support: Sequence[str]
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
        """Apply the boot-time patches: alternatives and runtime constants.

        ``bases`` are the addresses of the object's sections.
        """

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """Memory outside the objects with known contents: address to bytes."""

    def step(self, address: int, code: bytes) -> Step:
        """The instruction at an address; calls and jumps of other objects are relocated."""
        return Step(4)


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
