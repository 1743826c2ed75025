# SPDX-License-Identifier: GPL-2.0
"""Link objects into one address space as the module loader and boot code would do, and read their tables."""

import struct
from collections.abc import Iterator, Mapping, Sequence

from hotcocci.machine import arm64, code, powerpc
from hotcocci.machine.elf import ARM64, ObjectFile, Symbol
from hotcocci.proof.known import IMITATED
from hotcocci.proof.objects import marks
from hotcocci.proof.objects.image import (
    NUMBERED,
    Fixup,
    Function,
    Image,
    JumpLabel,
    Kind,
    Registry,
)
from hotcocci.proof.objects.processor import Processor

# Sections with data other than literals.
DATA = (".rodata", ".data", ".bss")
# Other sections are tables that the kernel finds by name (_kprobe_blacklist, .pci_fixup_final), but
# for what describes code to unwinders, boot code, objtool and us, or has line numbers.
DESCRIBING = (
    marks.INSTRUCTIONS,
    marks.WINDOWS,
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


# The formats of trace_printk(), which only become those of copies (kernel/trace/trace_printk.c)
FORMATS = "__trace_printk_fmt"

# include/linux/jump_label.h: the likely branch, and what objtool makes a NOP (arch/x86).
LIKELY = 1
BECOMES_NOP = 2


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
    obj: ObjectFile,
    support: Sequence[ObjectFile],
    registry: Registry,
    processor: Processor,
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
        if number == 0:
            image.bases = bases
            image.functions = _functions(each, bases)
            image.before = {base: each.data(n) for n, base in bases.items()}
            image.kinds = _kinds(each, processor.tracers)
            image.machine = each.machine
            image.defined = frozenset(
                f"{s.name}{' as a weak symbol' * s.weak}"
                for s in each.symbols
                if s.address and not s.local
            )
        else:
            image.routines |= {f.start: f.name for f in _functions(each, bases)}
            image.routines |= {
                exported[s.name]: s.name
                for s in each.symbols
                if s.name in processor.untyped and s.address
            }
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
                processor.relocate(
                    image, each, base + found.offset, found, start + found.addend
                )
        _tables(image, each, bases)
        processor.patch(image, each, bases)
    return image


def _lay(image: Image, obj: ObjectFile, prefix: str) -> dict[int, int]:
    """Assign an address to every loaded section; return the addresses by section number."""
    bases: dict[int, int] = {}
    seen: dict[str, int] = {}
    for number in obj.loaded:
        name = obj.section_names[number]
        written = number in obj.writable and name != FORMATS
        # gcc numbers the static variables of functions, and all that it makes itself, in one row.
        known = NUMBERED.sub("", name) if written else name
        seen[known] = seen.get(known, 0) + 1
        # Empty sections as well: an empty lock class has an address.
        data = obj.data(number)
        base = image.registry.section(f"{prefix}{known}#{seen[known]}", len(data))
        bases[number] = base
        image.segments[base] = bytearray(data)
        if written or name.startswith((".data", ".bss")):
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
    for where, flags in code.warnings(obj).items():
        if where.section in bases:
            image.warnings[bases[where.section] + where.offset] = flags
    for section, base in placed(obj, bases, "__ex_table"):
        image.fixups |= _fixups(image.segments[base], base, obj, section)
    for _, base in placed(obj, bases, marks.WINDOWS):
        image.marks |= marks.windows(bytes(image.segments[base]), base, order)
    for _, base in placed(obj, bases, marks.INSTRUCTIONS):
        data = bytes(image.segments[base])
        for address, kind, uses in marks.instructions(data, base, order):
            if kind == marks.VOLATILE_KIND:
                image.volatile.add(address)
            elif kind == marks.BOUND_KIND:
                image.bounds.add(address)
            else:
                image.uses[address] = uses
    for _, base in placed(obj, bases, "__jump_table"):
        image.labels |= _labels(image, base, order, obj)


def placed(
    obj: ObjectFile, bases: Mapping[int, int], name: str
) -> Iterator[tuple[int, int]]:
    """The loaded sections with a name, each with its address."""
    return ((n, bases[n]) for n in obj.named(name) if n in bases)


def _fixups(
    data: bytearray, base: int, obj: ObjectFile, section: int
) -> dict[int, Fixup]:
    """Read an exception table; its addresses are relative to their own fields."""
    order, relocations = obj.order, obj.relocations(section)
    # powerpc entries have no third field (arch/powerpc/include/asm/extable.h).
    size = 8 if obj.machine.startswith("EM_PPC") else 12
    found = {}
    for at in range(0, len(data) - size + 1, size):
        instruction, target = struct.unpack_from(f"{order}ii", data, at)
        kind: int | str = 0
        value = 0
        # Before 5.16, x86 has the address of a handler.
        handler = relocations.get(at + 8) if size == 12 else None
        if handler is not None:
            kind = handler.symbol.name
        elif obj.machine == ARM64:
            kind, value = struct.unpack_from(f"{order}hh", data, at + 8)
        elif size == 12:
            (both,) = struct.unpack_from(f"{order}i", data, at + 8)
            kind, value = both & 0xFF, both >> 8
        found[base + at + instruction] = Fixup(base + at + 4 + target, kind, value)
    return found


def _labels(
    image: Image, base: int, order: str, obj: ObjectFile
) -> dict[int, JumpLabel]:
    """Read a table of static branches."""
    data, bits = image.segments[base], obj.bits
    size, form = (16, "iiq") if bits == 64 else (12, "iii")
    found = {}
    for at in range(0, len(data) - size + 1, size):
        site, target, key = struct.unpack_from(f"{order}{form}", data, at)
        flags = key & (LIKELY | BECOMES_NOP)
        address = (base + at + 8 + (key & ~(LIKELY | BECOMES_NOP))) & ((1 << bits) - 1)
        where = base + at + site
        taken = not flags & BECOMES_NOP and _jumps(image, where, obj)
        found[where] = JumpLabel(
            base + at + 4 + target, image.symbol_at(address), taken
        )
    return found


def _jumps(image: Image, site: int, obj: ObjectFile) -> bool:
    """Whether the object has a jump at a site rather than a NOP (x86: 0f 1f, 66 90, ...)."""
    code = image.read(site, 4)
    (word,) = struct.unpack(f"{obj.order}I", code)
    if obj.machine.startswith("EM_PPC"):
        return bool(word >> 26 == powerpc.B)
    if obj.machine == ARM64:
        return word in arm64.B
    return code[0] in (0xE9, 0xEB)
