# SPDX-License-Identifier: GPL-2.0
"""Where things lie in the emulated address space: the same for both sides of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

PAGE = 4096


@dataclass(frozen=True)
class Layout:
    """The address space of one architecture, in bytes.

    ``image`` is where sections are put, each at a multiple of ``spacing``, and ``outside``
    where the symbols of other objects get ``room`` each. ``user_low`` up to ``user_high`` can be
    mapped by a process; what lies below ``kernel`` is not the kernel's.
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


@dataclass
class Registry:
    """Names and their addresses, given out in the order of asking and shared by both sides."""

    layout: Layout
    sections: dict[str, int] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)

    def section(self, name: str, size: int) -> int:
        """The address of a section; what is too big for one place takes several."""
        if name not in self.sections:
            places = -(-max(size, 1) // self.layout.spacing) + 1
            used = self.sections.get("", 0)
            self.sections[name] = self.layout.image + used * self.layout.spacing
            self.sections[""] = used + places
        return self.sections[name]

    def symbol(self, name: str) -> int:
        """The address of a symbol that no object at hand defines."""
        if name not in self.symbols:
            at = self.layout.outside + len(self.symbols) * self.layout.room
            self.symbols[name] = at
            self.names[at] = name
        return self.symbols[name]

    def outside(self, address: int) -> str | None:
        """Whose room an address lies in, with the distance from its start."""
        layout = self.layout
        number, distance = divmod(address - layout.outside, layout.room)
        if not 0 <= number < len(self.symbols):
            return None
        name = self.names[layout.outside + number * layout.room]
        return f"{name}+{distance:#x}" if distance else name
