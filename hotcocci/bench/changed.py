# SPDX-License-Identifier: GPL-2.0
"""Find the functions whose machine code differs between two builds of an object."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hotcocci.bench.kernel import Kernel, rebuilt_objects
from hotcocci.bench.profile import plain
from hotcocci.machine.elf import (
    I386,
    X86_64,
    Address,
    ElfError,
    ObjectFile,
    Relocation,
)
from hotcocci.machine.reading import architecture

# Where a function refers to something, and to what: the name, an offset, and the bytes of a constant
Reference = tuple[int, str, int, bytes]
# Constants are compared by this many bytes from where a function refers to them.
_COMPARED = 64


def rebuilt_functions(kernel: Kernel, kept: Mapping[str, Path]) -> list[str]:
    """The functions whose code differs since objects were ``kept``, by the names that the source gives them."""
    names: set[str] = set()
    for old, new in rebuilt_objects(kernel, kept):
        try:
            names |= changed_functions(old, new, kernel.build.out)
        except ElfError:
            continue  # An assembled or linked file without functions.
    return sorted({plain(name) for name in names})


def changed_functions(old: Path | None, new: Path, out: Path) -> set[str]:
    """The functions of the new object of a build in ``out`` that the old one lacks, or has with other code.

    References count by what they refer to, not by its address. Raises ElfError for what is no object.
    """
    before = _functions(ObjectFile(old), out) if old is not None else {}
    after = _functions(ObjectFile(new), out)
    return {name for name, code in after.items() if before.get(name) != code}


def _functions(obj: ObjectFile, out: Path) -> dict[str, tuple[bytes, list[Reference]]]:
    decoder = architecture(obj, out)
    found = {}
    for symbol in obj.functions:
        if symbol.address is None:
            continue
        (section, start), end = symbol.address, symbol.address.offset + symbol.size
        code = bytearray(obj.data(section)[start:end])
        filled = obj.relocations(section)
        references = [
            (offset - start, *_referred(obj, filled[offset]))
            for offset in sorted(filled)
            if start <= offset < end
        ]
        # The assembler itself fills in calls and jumps to other functions of a section.
        for each in decoder.decode(obj, symbol.address, end):
            target, after = each.target, each.following.offset
            # The displacement of x86, a word of others, which is b or bl
            field = 1 if each.size == 2 else 4
            if (
                target is None
                or after - field in filled
                or start <= target.offset < end
            ):
                continue
            code[after - field - start : after - start] = bytes(field)
            kind = each.kind.encode()
            references.append((after - field - start, *_at(obj, target), kind))
        found[symbol.name] = bytes(code), references
    return found


def _referred(obj: ObjectFile, relocation: Relocation) -> tuple[str, int, bytes]:
    symbol, addend = relocation.symbol, relocation.addend
    if symbol.address is None or not symbol.local:
        return symbol.name, addend, b""
    section, offset = symbol.address
    if section in obj.executable:
        # The field of a call of x86 is relative to its end.
        end = 4 if obj.machine in (X86_64, I386) else 0
        return *_at(obj, Address(section, offset + addend + end)), b""
    name = obj.section_names[section]
    if section in obj.writable:
        return name, 0, b""
    start = max(offset + addend, 0)
    data = obj.data(section)[start : start + _COMPARED]
    return name, 0, data.partition(b"\0")[0] if ".str" in name else data


def _at(obj: ObjectFile, address: Address) -> tuple[str, int]:
    """The function at an address, and the offset in it."""
    function = obj.function_at(address)
    if function is None or function.address is None:
        return obj.section_names[address.section], 0
    return function.name, address.offset - function.address.offset
