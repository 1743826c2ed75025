# SPDX-License-Identifier: GPL-2.0
"""The layout of the emulated address space, shared by old and new code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from hotcocci.errors import EngineError

PAGE = 4096


@dataclass(frozen=True)
class Layout:
    """The address space of one architecture, in bytes.

    Sections are placed from ``image`` on, at multiples of ``spacing``; external symbols get
    ``room`` each from ``outside`` on. A process can map ``user_low`` up to ``user_high``. Kernel
    memory is from ``kernel`` up to ``end``.
    """

    image: int
    spacing: int
    outside: int
    room: int
    stack: int
    stack_size: int
    percpu: int
    user_low: int
    user_high: int
    kernel: int
    end: int
    pointer: int
    order: Literal["little", "big"] = "little"
    # Bits set in every pointer to kernel memory, where random numbers would be user pointers.
    high_bits: int = 0
    # Alignment of pointers where it matters: for atomic instructions, and so that a misaligned word
    # keeps the high bits in its first byte.
    aligned: int = 1

    @property
    def mask(self) -> int:
        """The bits of a pointer that random numbers may set."""
        return (1 << 8 * self.pointer) - self.aligned

    def number(self, value: int) -> int:
        """A random number that is a valid kernel pointer."""
        return value & self.mask | self.high_bits

    def pointing(self, data: bytes) -> bytes:
        """Random bytes whose words are valid kernel pointers."""
        if len(data) % self.pointer or not (self.high_bits or self.aligned > 1):
            return data
        count = len(data) // self.pointer
        ones, mask = (
            int.from_bytes(word.to_bytes(self.pointer, self.order) * count, "big")
            for word in (self.high_bits, self.mask)
        )
        number = int.from_bytes(data, "big") & mask | ones
        return number.to_bytes(len(data), "big")


@dataclass
class Registry:
    """Addresses of names, assigned on first use and shared by old and new code."""

    layout: Layout
    sections: dict[str, int] = field(default_factory=dict)
    rooms: dict[str, int] = field(default_factory=dict)
    used: int = 0
    symbols: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def section(self, name: str, size: int) -> int:
        """The address of a section; a big section gets several slots.

        Raises EngineError if the section of the other side reserved too little room for it.
        """
        layout, spacing = self.layout, self.layout.spacing
        if name not in self.sections:
            places = -(-max(size, 1) // spacing) + 1
            self.sections[name] = self.layout.image + self.used * spacing
            self.rooms[name] = places * spacing
            self.used += places
        if layout.image < layout.outside < self.sections[name] + self.rooms[name]:
            raise EngineError("it has too many sections")
        if size > self.rooms[name]:
            raise EngineError(f"section {name} grew by more than {spacing} bytes")
        return self.sections[name]

    def symbol(self, name: str) -> int:
        """The address of an external symbol."""
        if name not in self.symbols:
            at = self.layout.outside + len(self.symbols) * self.layout.room
            self.symbols[name] = at
            self.names[at] = name
        return self.symbols[name]

    def outside(self, address: int) -> str | None:
        """The external symbol whose room contains an address, with the offset; None if there is none."""
        layout = self.layout
        number, distance = divmod(address - layout.outside, layout.room)
        if not 0 <= number < len(self.symbols):
            return None
        name = self.names[layout.outside + number * layout.room]
        return f"{name}+{distance:#x}" if distance else name
