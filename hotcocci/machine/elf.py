# SPDX-License-Identifier: GPL-2.0
"""Read a relocatable object: sections, symbols and relocations."""

import bisect
import struct
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

X86_64 = "EM_X86_64"
I386 = "EM_386"
POWERPC = "EM_PPC"
POWERPC64 = "EM_PPC64"
ARM64 = "EM_AARCH64"

WRITABLE = 0x1
LOADED = 0x2
EXECUTABLE = 0x4
# Suffix of a function's unlikely part, which gcc places separately.
COLD = ".cold"

# Relocations of whole addresses, with their size in bytes; debug sections have no others.
ABSOLUTE = {
    X86_64: {1: 8, 10: 4},
    I386: {1: 4},
    POWERPC: {1: 4, 24: 4},
    POWERPC64: {1: 4, 38: 8, 43: 8},
    ARM64: {257: 8, 258: 4},
}


class ElfError(Exception):
    """The object cannot be read; the message says why."""


class Address(NamedTuple):
    """An address in an object: the section's number, and the offset in bytes."""

    section: int
    offset: int


@dataclass(frozen=True)
class Symbol:
    """A symbol; ``address`` is None if it is not defined in the object."""

    name: str
    address: Address | None
    size: int
    function: bool
    weak: bool = False
    local: bool = True


@dataclass(frozen=True)
class Relocation:
    """A relocation of the field at ``offset``: a symbol and an addend."""

    offset: int
    kind: int
    symbol: Symbol
    addend: int


class ObjectFile:
    """An object file, or its contents. Raises ElfError if it is not one."""

    def __init__(self, file: Path | bytes) -> None:
        data = file if isinstance(file, bytes) else file.read_bytes()
        try:
            self._elf = ELFFile(BytesIO(data))
            self._sections = list(self._elf.iter_sections())
        except ELFError as error:
            name = "it" if isinstance(file, bytes) else file.name
            raise ElfError(f"{name} is no object: {error}") from error
        self.machine: str = self._elf["e_machine"]
        self.bits: int = self._elf.elfclass
        self.order = "<" if self._elf.little_endian else ">"
        self._data: dict[int, bytes] = {}
        self._relocations: dict[int, dict[int, Relocation]] = {}

    def named(self, name: str) -> list[int]:
        """The numbers of the sections with this name; section groups may repeat a name."""
        return [n for n, s in enumerate(self._sections) if s.name == name]

    @cached_property
    def section_names(self) -> list[str]:
        """The names of the sections, by number."""
        return [str(section.name) for section in self._sections]

    @cached_property
    def executable(self) -> list[int]:
        """The numbers of the sections with code."""
        found = self._flagged(EXECUTABLE)
        return [n for n in found if self._sections[n]["sh_type"] == "SHT_PROGBITS"]

    @cached_property
    def loaded(self) -> list[int]:
        """The numbers of the sections that take up memory."""
        return self._flagged(LOADED)

    @cached_property
    def writable(self) -> frozenset[int]:
        """The numbers of the sections that code may write."""
        return frozenset(self._flagged(WRITABLE))

    def _flagged(self, flag: int) -> list[int]:
        return [n for n, s in enumerate(self._sections) if s["sh_flags"] & flag]

    def data(self, section: int) -> bytes:
        """The bytes of a section."""
        if section not in self._data:
            self._data[section] = self._sections[section].data()
        return self._data[section]

    @cached_property
    def symbols(self) -> list[Symbol]:
        """All symbols, in the order of the symbol table."""
        table = self._elf.get_section_by_name(".symtab")
        if table is None:
            raise ElfError("the object has no symbols")
        found = []
        for entry in table.iter_symbols():
            name, where, at = entry.name, entry["st_shndx"], entry["st_value"]
            address = Address(where, at) if isinstance(where, int) else None
            kind, bind = entry["st_info"]["type"], entry["st_info"]["bind"]
            if kind == "STT_SECTION" and address is not None:
                name = self.section_names[address.section]
            of = kind == "STT_FUNC", bind == "STB_WEAK", bind == "STB_LOCAL"
            found.append(Symbol(name, address, entry["st_size"], *of))
        return found

    @cached_property
    def functions(self) -> list[Symbol]:
        """The functions defined in the object, by address."""
        defined = [s for s in self.symbols if s.function and s.address and s.size]
        return sorted(defined, key=lambda s: s.address or Address(0, 0))

    @cached_property
    def _starts(self) -> list[Address]:
        return [s.address for s in self.functions if s.address]

    def function_at(self, address: Address) -> Symbol | None:
        """The function that contains an address."""
        index = bisect.bisect_right(self._starts, address) - 1
        if index < 0:
            return None
        found, start = self.functions[index], self._starts[index]
        end = start.offset + found.size
        inside = start.section == address.section and address.offset < end
        return found if inside else None

    def relocations(self, section: int) -> dict[int, Relocation]:
        """The relocations of a section, by the offset of their field."""
        if section not in self._relocations:
            self._relocations[section] = self._read(section)
        return self._relocations[section]

    def _read(self, section: int) -> dict[int, Relocation]:
        found: dict[int, Relocation] = {}
        for table in self._sections:
            relocates = table["sh_type"] in ("SHT_RELA", "SHT_REL")
            if not relocates or table["sh_info"] != section:
                continue
            added = table["sh_type"] == "SHT_RELA"
            word = "Qq" if self.bits == 64 else "Ii"
            form = f"{self.order}{word[0]}{word[0]}{word[1] if added else ''}"
            for offset, info, *rest in struct.iter_unpack(form, table.data()):
                kind = info & 0xFFFFFFFF if self.bits == 64 else info & 0xFF
                number = info >> 32 if self.bits == 64 else info >> 8
                # i386 stores it in the field itself.
                addend = rest[0] if added else self._number(section, offset)
                found[offset] = Relocation(offset, kind, self.symbols[number], addend)
        return found

    def _number(self, section: int, offset: int) -> int:
        (value,) = struct.unpack_from("<i", self.data(section), offset)
        return int(value)

    def pointed(self, section: int, offset: int) -> Address | None:
        """The target of an address in a data field, absolute or relative to the field.

        None if no relocation fills it, or the symbol is undefined.
        """
        found = self.relocations(section).get(offset)
        if found is None or found.symbol.address is None:
            return None
        start = found.symbol.address
        return Address(start.section, start.offset + found.addend)

    @cached_property
    def bases(self) -> dict[int, int]:
        """A distinct base address for each section with code, as all start at 0."""
        bases = {}
        # Not 0: a pair of zeros ends a list of ranges.
        free = 0x1000
        for section in self.executable:
            bases[section] = free
            free += (len(self.data(section)) + 0x1F) & ~0xF
        return bases

    def linked(self) -> ELFFile:
        """The object with its debug sections relocated to the addresses in `bases`."""
        image = bytearray(self._elf.stream.getvalue())
        sizes = ABSOLUTE[self.machine]
        for number, section in enumerate(self._sections):
            if not section.name.startswith(".debug_"):
                continue
            for offset, found in self.relocations(number).items():
                size = sizes.get(found.kind)
                if size is None:
                    raise ElfError(f"relocation {found.kind} in {section.name}")
                value = found.addend
                if found.symbol.address is not None:
                    value += found.symbol.address.offset
                    value += self.bases.get(found.symbol.address.section, 0)
                value &= (1 << 8 * size) - 1
                field = value.to_bytes(size, "little" if self.order == "<" else "big")
                at = section["sh_offset"] + offset
                image[at : at + size] = field
        return ELFFile(BytesIO(bytes(image)))
