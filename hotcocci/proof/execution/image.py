# SPDX-License-Identifier: GPL-2.0
"""Objects laid into the emulated address space, as the module loader and the boot code would do it."""

from __future__ import annotations

import bisect
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from hotcocci.engines.machine import arm64_insn, code, powerpc_insn
from hotcocci.engines.machine.elf import ARM64, Address, ObjectFile, Relocation, Symbol
from hotcocci.errors import EngineError
from hotcocci.proof.execution import annotated, marks
from hotcocci.proof.execution.annotated import Uses
from hotcocci.proof.execution.library import IMITATED
from hotcocci.proof.execution.space import Registry

# include/linux/jump_label.h: the likely branch, and what objtool makes a NOP (arch/x86).
LIKELY = 1
BECOMES_NOP = 2
# Where an object has its data, but for literals.
DATA = (".rodata", ".data", ".bss")


# __FILE__ with __LINE__ in a literal: lines move.
LINE = re.compile(r"(\.[ch]:)\d+")


class LinkError(EngineError):
    """The object cannot be laid out; the message says why."""


@dataclass(frozen=True)
class Fixup:
    """Where an instruction that faults goes on; ``kind`` and ``data`` as asm/extable.h has them."""

    target: int
    kind: int = 0
    data: int = 0


@dataclass(frozen=True)
class JumpLabel:
    """A static branch: where it leads, and whether it does as the kernel boots."""

    target: int
    key: str
    taken: bool


@dataclass(frozen=True)
class Function:
    """A function's code, from its first address up to its end."""

    name: str
    start: int
    end: int


@dataclass
class Image:
    """What stands in memory before a run.

    ``segments`` maps addresses to contents, ``fixups`` instructions to where they go on if they
    fault, ``labels`` the sites of static branches; ``warnings`` are the traps of WARN(),
    each with its flags.
    ``functions`` are those of the object itself, ``routines`` the entries of the others.
    ``strings`` are the stretches that hold literals, of which only the contents matter,
    ``variables`` those that the object itself may write,
    ``copies`` those with the code of routines that copy. ``marks`` are those of marks.py;
    ``sections`` are the object's own with data in them, ``references`` the fields that lead to its
    own sections: to which, and to which address. ``volatile`` are volatile accesses, ``bounds``
    what array_index_nospec() leaves, and ``uses`` tells what calls read (annotated.py).
    """

    registry: Registry
    segments: dict[int, bytearray] = field(default_factory=dict)
    symbols: dict[str, int] = field(default_factory=dict)
    fixups: dict[int, Fixup] = field(default_factory=dict)
    labels: dict[int, JumpLabel] = field(default_factory=dict)
    warnings: dict[int, int] = field(default_factory=dict)
    functions: list[Function] = field(default_factory=list)
    routines: dict[int, str] = field(default_factory=dict)
    strings: list[tuple[int, int]] = field(default_factory=list)
    variables: list[tuple[int, int]] = field(default_factory=list)
    copies: list[tuple[int, int]] = field(default_factory=list)
    marks: dict[int, int] = field(default_factory=dict)
    volatile: set[int] = field(default_factory=set)
    bounds: set[int] = field(default_factory=set)
    uses: dict[int, Uses] = field(default_factory=dict)
    bases: dict[int, int] = field(default_factory=dict)
    sections: dict[int, str] = field(default_factory=dict)
    references: dict[int, tuple[int, int]] = field(default_factory=dict)

    def function_at(self, address: int) -> Function | None:
        """The function of the first object that an address lies in."""
        index = bisect.bisect_right(self.functions, address, key=lambda f: f.start) - 1
        if index < 0 or address >= self.functions[index].end:
            return None
        return self.functions[index]

    def segment(self, address: int) -> tuple[int, bytearray] | None:
        """The segment that holds an address."""
        for start, data in self.segments.items():
            if start <= address < start + len(data):
                return start, data
        return None

    def read(self, address: int, size: int) -> bytes:
        """Bytes of a segment. Raises LinkError where there is none."""
        found = self.segment(address)
        if found is None:
            raise LinkError(f"nothing lies at {address:#x}")
        start, data = found
        return bytes(data[address - start : address - start + size])

    def write(self, address: int, data: bytes) -> None:
        """Overwrite bytes of a segment. Raises LinkError where there is none."""
        found = self.segment(address)
        if found is None:
            raise LinkError(f"nothing lies at {address:#x}")
        start, segment = found
        segment[address - start : address - start + len(data)] = data

    def is_variable(self, address: int) -> bool:
        """Whether an address is one of the object's own variables."""
        return any(start <= address < end for start, end in self.variables)

    def is_copy(self, address: int) -> bool:
        """Whether an instruction is one of a routine that copies."""
        return any(start <= address < end for start, end in self.copies)

    def text(self, address: int) -> str | None:
        """The literal that begins at an address, None if it is no literal."""
        for start, end in self.strings:
            if start <= address < end:
                data = self.read(address, min(end - address, 4096))
                text = data.split(b"\0")[0].decode(errors="replace")
                return repr(LINE.sub(r"\1LINE", text))
        return None

    def constant(self, address: int) -> str | None:
        """The characters up to a NUL in data of the object that nobody writes; None elsewhere."""
        found = self.segment(address)
        if found is None or self.is_variable(address):
            return None
        start, data = found
        rest = bytes(data[address - start : address - start + 4096])
        return rest.split(b"\0")[0].decode(errors="replace")


class Linker(Protocol):
    """What an architecture does to objects as they are loaded."""

    # Routines of the support that copy or clear instruction by instruction, and how many of
    # their first arguments are pointers.
    copies: Mapping[str, int]

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        """Fill the field at ``place`` with ``value``, symbol and addend added up.

        Raises LinkError for a relocation that is not known.
        """

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Do to the code what boot does to it: alternatives, constants.

        ``bases`` are the places of the object's sections.
        """


def filled(
    image: Image,
    place: int,
    kind: int,
    value: int,
    absolute: Mapping[int, int],
    relative: Mapping[int, int],
) -> bool:
    """Whether a relocation fills a whole field, little endian, which is then done.

    ``absolute`` and ``relative`` are the bytes of such fields by kind; 0 is no relocation.
    """
    size = absolute.get(kind) or relative.get(kind)
    if size is not None:
        if kind in relative:
            value -= place
        image.write(place, (value & ((1 << 8 * size) - 1)).to_bytes(size, "little"))
    return size is not None or kind == 0


def link(
    obj: ObjectFile, support: Sequence[ObjectFile], registry: Registry, linker: Linker
) -> Image:
    """Lay out an object, and beside it those whose functions it calls for real.

    Raises LinkError.
    """
    image = Image(registry)
    laid: list[tuple[ObjectFile, dict[int, int]]] = []
    exported: dict[str, int] = {}
    for number, each in enumerate((obj, *support)):
        bases = _lay(image, each, f"{number}:" if number else "")
        laid.append((each, bases))
        for symbol in each.symbols:
            address = symbol.address
            if address is None or address.section not in bases or not symbol.name:
                continue
            where = bases[address.section] + address.offset
            if number == 0:
                image.symbols.setdefault(symbol.name, where)
            # What is imitated is the same on both sides, and slow to run.
            if number == 0 or symbol.name not in IMITATED:
                exported.setdefault(symbol.name, where)
            if number and symbol.name in linker.copies:
                # Symbols of assembly need not tell their sizes.
                end = where - address.offset + len(each.data(address.section))
                image.copies.append((where - address.offset, end))
                image.routines[where] = symbol.name
        if number == 0:
            image.bases = bases
            image.functions = _functions(each, bases)
        else:
            image.routines |= {f.start: f.name for f in _functions(each, bases)}
    for each, bases in laid:
        for section, base in bases.items():
            for found in each.relocations(section).values():
                start = _resolve(found.symbol, bases, exported, registry)
                own = found.symbol.address if each is obj else None
                if own is not None and own.section in bases:
                    target = bases[own.section], start + found.addend
                    image.references[base + found.offset] = target
                linker.relocate(
                    image, each, base + found.offset, found, start + found.addend
                )
        _tables(image, each, bases)
        linker.patch(image, each, bases)
    return image


def _lay(image: Image, obj: ObjectFile, prefix: str) -> dict[int, int]:
    """Give every section that is loaded its place; returns the places by section number."""
    bases: dict[int, int] = {}
    seen: dict[str, int] = {}
    for number in obj.loaded:
        name = obj.section_names[number]
        seen[name] = seen.get(name, 0) + 1
        # Empty ones too: an empty lock class has an address.
        data = obj.data(number)
        base = image.registry.section(f"{prefix}{name}#{seen[name]}", len(data))
        bases[number] = base
        image.segments[base] = bytearray(data)
        if name.startswith((".data", ".bss")):
            image.variables.append((base, base + len(data)))
        if name.startswith(".rodata") and ".str" in name:
            image.strings.append((base, base + len(data)))
        elif name.startswith(DATA) and not prefix:
            image.sections[base] = name
    return bases


def _functions(obj: ObjectFile, bases: Mapping[int, int]) -> list[Function]:
    found = []
    for symbol in obj.functions:
        address = symbol.address
        if address is not None and address.section in bases:
            start = bases[address.section] + address.offset
            found.append(Function(symbol.name, start, start + symbol.size))
    return sorted(found, key=lambda f: f.start)


def _resolve(
    symbol: Symbol,
    bases: Mapping[int, int],
    exported: Mapping[str, int],
    registry: Registry,
) -> int:
    if symbol.address is not None:
        # What is not loaded is only pointed at by what is not used.
        return bases.get(symbol.address.section, 0) + symbol.address.offset
    if symbol.name in exported:
        return exported[symbol.name]
    return registry.symbol(symbol.name) if symbol.name else 0


def _tables(image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
    """The tables that tell the kernel's traps and patching what to do."""
    order = obj.order
    place = {Address(section, 0): base for section, base in bases.items()}
    for where, flags in code.warnings(obj).items():
        start = place.get(Address(where.section, 0))
        if start is not None:
            image.warnings[start + where.offset] = flags
    for section in obj.named("__ex_table"):
        if section in bases:
            image.fixups |= _fixups(image, bases[section], order, obj)
    for section in obj.named(marks.SECTION):
        if section in bases:
            base = bases[section]
            image.marks |= marks.table(bytes(image.segments[base]), base, order)
    for section in obj.named(annotated.SECTION):
        if section in bases:
            base = bases[section]
            data = bytes(image.segments[base])
            for address, kind, uses in annotated.table(data, base, order):
                if kind == annotated.VOLATILE_KIND:
                    image.volatile.add(address)
                elif kind == annotated.BOUND_KIND:
                    image.bounds.add(address)
                else:
                    image.uses[address] = uses
    for section in obj.named("__jump_table"):
        if section in bases:
            image.labels |= _labels(image, bases[section], order, obj)


def _fixups(image: Image, base: int, order: str, obj: ObjectFile) -> dict[int, Fixup]:
    """The entries of an exception table, whose addresses count from their own fields."""
    data = image.segments[base]
    # arch/powerpc/include/asm/extable.h has no third field.
    size = 8 if obj.machine.startswith("EM_PPC") else 12
    found = {}
    for at in range(0, len(data) - size + 1, size):
        instruction, target = struct.unpack_from(f"{order}ii", data, at)
        kind = value = 0
        if obj.machine == ARM64:
            kind, value = struct.unpack_from(f"{order}hh", data, at + 8)
        elif size == 12:
            (both,) = struct.unpack_from(f"{order}i", data, at + 8)
            kind, value = both & 0xFF, both >> 8
        found[base + at + instruction] = Fixup(base + at + 4 + target, kind, value)
    return found


def _labels(
    image: Image, base: int, order: str, obj: ObjectFile
) -> dict[int, JumpLabel]:
    data, bits = image.segments[base], obj.bits
    size, form = (16, "iiq") if bits == 64 else (12, "iii")
    found = {}
    for at in range(0, len(data) - size + 1, size):
        site, target, key = struct.unpack_from(f"{order}{form}", data, at)
        flags = key & (LIKELY | BECOMES_NOP)
        address = (base + at + 8 + (key & ~(LIKELY | BECOMES_NOP))) & ((1 << bits) - 1)
        where = base + at + site
        taken = not flags & BECOMES_NOP and _jumps(image, where, obj)
        found[where] = JumpLabel(base + at + 4 + target, _named(image, address), taken)
    return found


def _jumps(image: Image, site: int, obj: ObjectFile) -> bool:
    """Whether the object has a jump at a site, not a NOP: x86 0f 1f, or 66 90 and the like."""
    code = image.read(site, 4)
    (word,) = struct.unpack(f"{obj.order}I", code)
    if obj.machine.startswith("EM_PPC"):
        return bool(word >> 26 == powerpc_insn.B)
    if obj.machine == ARM64:
        return word in arm64_insn.B
    return code[0] in (0xE9, 0xEB)


def _named(image: Image, address: int) -> str:
    outside = image.registry.outside(address)
    if outside is not None:
        return outside
    for name, where in image.symbols.items():
        if where == address:
            return name
    return f"{address:#x}"
