# SPDX-License-Identifier: GPL-2.0
"""The contents of memory with one side's code, and the addresses that both sides share."""

import bisect
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from hotcocci.errors import EngineError
from hotcocci.machine.elf import COLD, Relocation
from hotcocci.proof.objects.marks import Uses

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
    stack: range
    percpu: int
    user_low: int
    user_high: int
    kernel: int
    end: int
    pointer: int
    order: Literal["little", "big"] = "little"

    @property
    def top(self) -> int:
        """The start of a function's stack: the rest belongs to its callers."""
        return self.stack[len(self.stack) * 3 // 4]


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


# __LINE__ in a literal, behind __FILE__ or as the name of a regmap's lock has it
# (__regmap_lockdep_wrapper()); lines move.
LINE = re.compile(r"(\.[ch]:|^\w+:(?=\d+:\(.*\)->lock$))\d+")
# How gcc ends the names of what it makes itself, and of the static variables of functions
NUMBERED = re.compile(r"\.\d+$")


class LinkError(EngineError):
    """The object cannot be linked; the message says why."""


@dataclass(frozen=True)
class Function:
    """A function's code, from its first address up to its end."""

    name: str
    start: int
    end: int


@dataclass(frozen=True)
class Fixup:
    """The place where a faulting instruction continues; ``kind`` and ``data`` as in asm/extable.h.

    ``kind`` is a handler's name in trees without numbers for it.
    """

    target: int
    kind: int | str = 0
    data: int = 0


@dataclass(frozen=True)
class JumpLabel:
    """A static branch: its target, and whether it is taken at boot."""

    target: int
    key: str
    taken: bool


class Alternative(NamedTuple):
    """Code that other processors run: their feature with flags, and where the code is."""

    feature: int
    start: int
    end: int


class Kind(NamedTuple):
    """The section of a function, whether its symbol is weak, and whether it calls the tracer."""

    section: str
    weak: bool
    traced: bool


@dataclass
class Image:
    """The contents of memory before a run.

    ``segments`` maps addresses to contents, ``fixups`` instructions to their exception table entry, ``labels`` the
    sites of static branches, ``alternatives`` those of code that other processors run instead; ``warnings`` maps
    the traps of WARN() to their flags. ``functions`` are those of the tested object, ``routines`` the entry points
    of the support objects. ``strings`` are ranges of literals, compared by content; ``variables`` are ranges that
    the object may write; ``marks`` come from marks.py. ``sections`` are the object's data sections, ``tables``
    those that the kernel finds by name, and ``references`` maps relocated fields to the section and address they
    refer to. ``before`` are the sections of the object before relocation, ``fields`` the relocations of its
    fields, ``kinds`` where its functions are, and ``defined`` what it defines for other files. ``volatile`` are
    volatile accesses, ``bounds`` the masks of array_index_nospec(), and ``uses`` the argument registers of calls
    (marks.py).
    """

    registry: Registry
    segments: dict[int, bytearray] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)
    fixups: dict[int, Fixup] = field(default_factory=dict)
    labels: dict[int, JumpLabel] = field(default_factory=dict)
    alternatives: dict[int, list[Alternative]] = field(default_factory=dict)
    warnings: dict[int, int] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    routines: dict[int, str] = field(default_factory=dict)
    strings: list[tuple[int, int]] = field(default_factory=list)
    variables: list[tuple[int, int]] = field(default_factory=list)
    marks: dict[int, int] = field(default_factory=dict)
    volatile: set[int] = field(default_factory=set)
    bounds: set[int] = field(default_factory=set)
    uses: dict[int, Uses] = field(default_factory=dict)
    bases: dict[int, int] = field(default_factory=dict)
    sections: dict[int, str] = field(default_factory=dict)
    tables: dict[int, str] = field(default_factory=dict)
    references: dict[int, tuple[int, int]] = field(default_factory=dict)
    before: dict[int, bytes] = field(default_factory=dict)
    fields: dict[int, Relocation] = field(default_factory=dict)
    machine: str = ""
    kinds: dict[str, Kind] = field(default_factory=dict)
    defined: frozenset[str] = frozenset()

    def function_at(self, address: int) -> Function | None:
        """The function of the tested object that contains an address."""
        index = bisect.bisect_right(self.functions, address, key=lambda f: f.start) - 1
        if index < 0 or address >= self.functions[index].end:
            return None
        return self.functions[index]

    def parts(self, name: str) -> list[Function]:
        """The code of a function, its unlikely part too."""
        return [f for f in self.functions if f.name in (name, f"{name}{COLD}")]

    def opaque(self, inline: Collection[str]) -> dict[int, str]:
        """The functions that are not stepped into, by their starts: all but those ``inline``.

        A weak one may not be what is called, as another file may replace it.
        """
        return {
            f.start: f.name
            for f in self.functions
            if not f.name.endswith(COLD) and (f.name not in inline or self.is_weak(f))
        }

    def is_weak(self, function: Function) -> bool:
        """Whether the function of another file may take its place."""
        kind = self.kinds.get(function.name)
        return kind is not None and kind.weak

    def segment(self, address: int) -> tuple[int, bytearray] | None:
        """The segment that contains an address."""
        for start, data in self.segments.items():
            if start <= address < start + len(data):
                return start, data
        return None

    def read(self, address: int, size: int) -> bytes:
        """Read bytes of a segment.

        Raises LinkError if no segment contains the address.
        """
        start, data = self._segment(address)
        return bytes(data[address - start : address - start + size])

    def write(self, address: int, data: bytes) -> None:
        """Overwrite bytes of a segment.

        Raises LinkError if no segment contains the address.
        """
        start, segment = self._segment(address)
        segment[address - start : address - start + len(data)] = data

    def _segment(self, address: int) -> tuple[int, bytearray]:
        found = self.segment(address)
        if found is None:
            raise LinkError(f"nothing lies at {address:#x}")
        return found

    @cached_property
    def _places(self) -> list[int]:
        """All relocated fields, sorted."""
        return sorted(self.references)

    def pointers(self, base: int) -> dict[int, tuple[int, int]]:
        """The relocated fields of a section, each with the section and address that it refers to."""
        first = bisect.bisect_left(self._places, base)
        last = bisect.bisect_left(self._places, base + len(self.segments[base]))
        return {place: self.references[place] for place in self._places[first:last]}

    def is_constant(self, address: int) -> bool:
        """Whether an address is in a section that nothing writes."""
        return self.segment(address) is not None and not self.is_variable(address)

    def is_of_table(self, address: int) -> bool:
        """Whether it may be the address of a constant table without its index, which need not begin with 0."""
        return any(
            start - PAGE <= address < start + len(data) and self.is_constant(start)
            for start, data in self.segments.items()
        )

    def is_variable(self, address: int) -> bool:
        """Whether an address is in a section that the object may write."""
        return any(start <= address < end for start, end in self.variables)

    def text(self, address: int) -> str | None:
        """The literal that an address points into, quoted; None outside of literals."""
        for start, end in self.strings:
            if start <= address < end:
                return self._text(address, end)
        return None

    def contents(self, address: int) -> str | None:
        """What an address of constant data points to, read as a text; None outside of such data."""
        found = self.segment(address) if self.is_constant(address) else None
        return self._text(address, found[0] + len(found[1])) if found else None

    def _text(self, address: int, end: int) -> str:
        data = self.read(address, min(end - address, PAGE))
        text = data.split(b"\0")[0].decode(errors="replace")
        return repr(LINE.sub(r"\1LINE", text))

    def symbol_at(self, address: int) -> str:
        """The name of the symbol at an address, the address itself if there is none."""
        outside = self.registry.outside(address)
        if outside is not None:
            return outside
        for name, where in self.symbols.items():
            if where == address:
                return name
        return f"{address:#x}"
