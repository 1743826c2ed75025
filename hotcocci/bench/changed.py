# SPDX-License-Identifier: GPL-2.0
"""Find the functions whose machine code differs between two builds of an object, and the data that differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
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
    Symbol,
)
from hotcocci.machine.reading import architecture

# Where a function refers to something, and to what: the name, an offset, and the bytes of a constant
Reference = tuple[int, str, int, bytes]
# Constants are compared by this many bytes from where a function refers to them.
_COMPARED = 64
# What gcc appends to the names of variables in functions, and __UNIQUE_ID() to others: __COUNTER__
_NUMBER = re.compile(r"^(__UNIQUE_ID_\w*?|.*(?=\.))\.?\d+$")


def rebuilt(kernel: Kernel) -> tuple[list[str], list[str]]:
    """The functions, and the data, that differ since objects were kept, by the names that the source gives them."""
    functions: set[str] = set()
    data: set[str] = set()
    for old, new in rebuilt_objects(kernel):
        try:
            functions |= changed_functions(old, new, kernel.build.out)
            data |= changed_data(old, new)
        except ElfError:
            continue  # An assembled or linked file without functions.
    return sorted({plain(name) for name in functions}), sorted(data)


def changed_functions(old: Path | None, new: Path, out: Path) -> set[str]:
    """The functions of the new object of a build in ``out`` that the old one lacks, or has with other code.

    References count by what they refer to, not by its address. Raises ElfError for what is no object.
    """
    before = _functions(ObjectFile(old), out) if old is not None else {}
    after = _functions(ObjectFile(new), out)
    return {name for name, code in after.items() if before.get(name) != code}


def changed_data(old: Path | None, new: Path) -> set[str]:
    """The variables and constants of the new object that the old one lacks, or has with other contents.

    Raises ElfError for what is no object.
    """
    before = _data(ObjectFile(old)) if old is not None else Counter()
    return {name for name, *_ in _data(ObjectFile(new)) - before}


def _functions(obj: ObjectFile, out: Path) -> dict[str, tuple[bytes, list[Reference]]]:
    decoder = architecture(obj, out)
    found = {}
    # The entries of the kernel are code, and no functions.
    for symbol, start in _defined(obj, code=True):
        section, end = start.section, start.offset + symbol.size
        code, references = _contents(obj, start, symbol.size)
        filled = obj.relocations(section)
        # The assembler itself fills in calls and jumps to other functions of a section.
        for each in decoder.decode(obj, start, end):
            target, after = each.target, each.following.offset
            # The displacement of x86, a word of others, which is b or bl
            field = 1 if each.size == 2 else 4
            if target and after - field not in filled:
                if not start.offset <= target.offset < end:
                    place = after - field - start.offset
                    code[place : place + field] = bytes(field)
                    references.append((place, *_at(obj, target), each.kind.encode()))
        found[symbol.name] = bytes(code), references
    return found


def _data(obj: ObjectFile) -> Counter[tuple[str, bytes, tuple[Reference, ...]]]:
    """Each with its name and contents; several may have the same name."""
    found: Counter[tuple[str, bytes, tuple[Reference, ...]]] = Counter()
    for symbol, start in _defined(obj, code=False):
        contents, references = _contents(obj, start, symbol.size)
        found[_NUMBER.sub(r"\1", symbol.name), bytes(contents), tuple(references)] += 1
    return found


def _defined(obj: ObjectFile, code: bool) -> Iterator[tuple[Symbol, Address]]:
    """The definitions in an object's sections with code, or in its other sections."""
    for symbol in obj.symbols:
        at = symbol.address
        if at and symbol.size and (at.section in obj.executable) is code:
            yield symbol, at


def _contents(
    obj: ObjectFile, start: Address, size: int
) -> tuple[bytearray, list[Reference]]:
    """The bytes at an address, and what relocations fill in there."""
    end = start.offset + size
    filled = obj.relocations(start.section)
    references = [
        (offset - start.offset, *_referred(obj, filled[offset]))
        for offset in sorted(filled)
        if start.offset <= offset < end
    ]
    return bytearray(obj.data(start.section)[start.offset : end]), references


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
