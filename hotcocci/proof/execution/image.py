# SPDX-License-Identifier: GPL-2.0
"""Link objects into the emulated address space, as the module loader and boot code would do."""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from hotcocci.machine import code
from hotcocci.machine.elf import (
    Address,
    ObjectFile,
    Relocation,
    Symbol,
)
from hotcocci.errors import EngineError
from hotcocci.proof.execution import annotated, marks
from hotcocci.proof.execution.annotated import Uses
from hotcocci.proof.execution.library import IMITATED
from hotcocci.proof.execution.space import Registry
from hotcocci.proof.execution.tables import Fixup, JumpLabel, fixups, labels

# Sections with data other than literals.
DATA = (".rodata", ".data", ".bss")
# Other sections are tables that the kernel finds by name (_kprobe_blacklist, .pci_fixup_final), but
# for what describes code to unwinders, boot code, objtool and us, or has line numbers.
DESCRIBING = (
    annotated.SECTION,
    marks.SECTION,
    ".eh_frame",
    ".orc_",
    ".discard",
    ".altinstr",
    ".printk_index",
    "__bug_table",
    "__ftr_alt_",
    "__dyndbg",
    "__mcount_loc",
    "__patchable_function_entries",
    "_ftrace_branch",
    "_ftrace_annotated_branch",
    "alloc_tags",
)


# __LINE__ in a literal, behind __FILE__ or as the name of a regmap's lock has it
# (__regmap_lockdep_wrapper()); lines move.
LINE = re.compile(r"(\.[ch]:|^\w+:(?=\d+:\(.*\)->lock$))\d+")


class LinkError(EngineError):
    """The object cannot be linked; the message says why."""


@dataclass(frozen=True)
class Function:
    """A function's code, from its first address up to its end."""

    name: str
    start: int
    end: int


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

    ``segments`` maps addresses to contents, ``fixups`` instructions to their exception table entry,
    ``labels`` the sites of static branches, ``alternatives`` those of code that other processors
    run instead; ``warnings`` maps the traps of WARN() to their flags. ``functions`` are
    those of the tested object, ``routines`` the entry points of the support objects. ``strings``
    are ranges of literals, compared by content; ``variables`` are ranges that the object may write;
    ``copies`` are ranges of copy routines. ``marks`` come from marks.py. ``sections`` are the
    object's data sections, ``tables`` those that the kernel finds by name, and ``references`` maps
    relocated fields to the section and address they refer to. ``before`` are the sections of the
    object before relocation, ``named`` what each relocated field refers to, independent of addresses,
    ``kinds`` where its functions are, and ``defined`` what it defines for other files. ``volatile`` are volatile accesses, ``bounds`` the masks of array_index_nospec(), and
    ``uses`` the argument registers of calls (annotated.py).
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
    copies: list[tuple[int, int]] = field(default_factory=list)
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
        found = self.segment(address)
        if found is None:
            raise LinkError(f"nothing lies at {address:#x}")
        start, data = found
        return bytes(data[address - start : address - start + size])

    def write(self, address: int, data: bytes) -> None:
        """Overwrite bytes of a segment.

        Raises LinkError if no segment contains the address.
        """
        found = self.segment(address)
        if found is None:
            raise LinkError(f"nothing lies at {address:#x}")
        start, segment = found
        segment[address - start : address - start + len(data)] = data

    def is_variable(self, address: int) -> bool:
        """Whether an address is in a section that the object may write."""
        return any(start <= address < end for start, end in self.variables)

    def is_copy(self, address: int) -> bool:
        """Whether an instruction belongs to a copy routine."""
        return any(start <= address < end for start, end in self.copies)

    def text(self, address: int) -> str | None:
        """The literal that an address points into, quoted; None outside of literals."""
        for start, end in self.strings:
            if start <= address < end:
                data = self.read(address, min(end - address, 4096))
                text = data.split(b"\0")[0].decode(errors="replace")
                return repr(LINE.sub(r"\1LINE", text))
        return None

    def constant(self, address: int) -> str | None:
        """The string at an address in constant data of the object; None elsewhere."""
        found = self.segment(address)
        if found is None or self.is_variable(address):
            return None
        start, data = found
        rest = bytes(data[address - start : address - start + 4096])
        return rest.split(b"\0")[0].decode(errors="replace")

    def symbol_at(self, address: int) -> str:
        """The name of the symbol at an address, the address itself if there is none."""
        outside = self.registry.outside(address)
        if outside is not None:
            return outside
        for name, where in self.symbols.items():
            if where == address:
                return name
        return f"{address:#x}"


class Linker(Protocol):
    """The architecture-specific part of linking."""

    # Support routines that copy or clear one instruction at a time, with the number of leading
    # pointer arguments.
    copies: Mapping[str, int]
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


def filled(
    image: Image,
    place: int,
    kind: int,
    value: int,
    absolute: Mapping[int, int],
    relative: Mapping[int, int],
) -> bool:
    """Apply a relocation of a whole little-endian field; return False for other kinds.

    ``absolute`` and ``relative`` map relocation kinds to field sizes in bytes; 0 is no relocation.
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
    """Link an object with the support objects whose routines it really runs.

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
            # Imitated functions behave the same on both sides and are slow to run.
            if number == 0 or symbol.name not in IMITATED:
                exported.setdefault(symbol.name, where)
            if number and symbol.name in linker.copies:
                # Assembly symbols may lack a size.
                end = where - address.offset + len(each.data(address.section))
                image.copies.append((where - address.offset, end))
                image.routines[where] = symbol.name
        if number == 0:
            image.bases = bases
            image.functions = _functions(each, bases)
            image.before = {base: each.data(n) for n, base in bases.items()}
            image.kinds = _kinds(each, linker.tracers)
            image.machine = each.machine
            image.defined = frozenset(
                s.name for s in each.symbols if s.address and not s.local
            )
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
                if each is obj:
                    image.fields[base + found.offset] = found
                linker.relocate(
                    image, each, base + found.offset, found, start + found.addend
                )
        _tables(image, each, bases)
        linker.patch(image, each, bases)
    return image


def _lay(image: Image, obj: ObjectFile, prefix: str) -> dict[int, int]:
    """Assign an address to every loaded section; return the addresses by section number."""
    bases: dict[int, int] = {}
    seen: dict[str, int] = {}
    for number in obj.loaded:
        name = obj.section_names[number]
        seen[name] = seen.get(name, 0) + 1
        # Empty sections as well: an empty lock class has an address.
        data = obj.data(number)
        base = image.registry.section(f"{prefix}{name}#{seen[name]}", len(data))
        bases[number] = base
        image.segments[base] = bytearray(data)
        if number in obj.writable or name.startswith((".data", ".bss")):
            image.variables.append((base, base + len(data)))
        if name.startswith(".rodata") and ".str" in name:
            image.strings.append((base, base + len(data)))
        elif name.startswith(DATA) and not prefix:
            image.sections[base] = name
        elif not (prefix or name.startswith(DESCRIBING) or number in obj.executable):
            image.tables[base] = name
    return bases


def _kinds(obj: ObjectFile, tracers: Sequence[str]) -> dict[str, Kind]:
    found = {}
    for symbol in obj.functions:
        assert symbol.address is not None
        section, start = symbol.address
        called = (
            r.symbol.name
            for at, r in obj.relocations(section).items()
            if start <= at < start + symbol.size
        )
        traced = any(name in tracers for name in called)
        found[symbol.name] = Kind(obj.section_names[section], symbol.weak, traced)
    return found


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
        # References to sections that are not loaded are never used.
        return bases.get(symbol.address.section, 0) + symbol.address.offset
    if symbol.name in exported:
        return exported[symbol.name]
    return registry.symbol(symbol.name) if symbol.name else 0


def _tables(image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
    """Read the tables for traps, faults and patching."""
    order = obj.order
    place = {Address(section, 0): base for section, base in bases.items()}
    for where, flags in code.warnings(obj).items():
        start = place.get(Address(where.section, 0))
        if start is not None:
            image.warnings[start + where.offset] = flags
    for section in obj.named("__ex_table"):
        if section in bases:
            base = bases[section]
            image.fixups |= fixups(image.segments[base], base, order, obj)
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
            image.labels |= labels(image, bases[section], order, obj)
