# SPDX-License-Identifier: GPL-2.0
"""Model instructions for following windows, and read the tables that add edges to the code."""

import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hotcocci.machine.elf import ABSOLUTE, Address, ObjectFile

PLAIN = "plain"
JUMP = "jump"
BRANCH = "branch"
CALL = "call"
RETURN = "return"
# A jump through a register or memory.
INDIRECT = "indirect"
# Only continues if the trap handler returns: WARN().
TRAP = "trap"
STOP = "stop"

OPEN = "open"
CLOSE = "close"
# Close and return the old state; set a saved state.
SAVE = "save"
RESTORE = "restore"
# Changes user access in an unknown way.
UNKNOWN = "unknown"

BUGFLAG_WARNING = 1

# Gives the names of the functions that contain an instruction, innermost first
Names = Callable[[Address], tuple[str, ...]]


@dataclass(frozen=True)
class Instruction:
    """One instruction.

    ``target`` is the target of a jump, branch or call in this object, ``callee`` the name of one outside. ``nop``
    marks what a running kernel does not execute: padding, patch sites, tracer calls. ``fence`` is a barrier,
    ``load`` reads memory other than the stack, ``copy`` copies or fills a number of bytes that a register has.
    """

    address: Address
    size: int
    kind: str = PLAIN
    target: Address | None = None
    callee: str = ""
    nop: bool = False
    fence: bool = False
    load: bool = False
    copy: bool = False

    @property
    def following(self) -> Address:
        """The address of the next instruction."""
        return Address(self.address.section, self.address.offset + self.size)


@dataclass(frozen=True)
class Marks:
    """The instructions of an object that open and close user access, and its code patching.

    ``at`` gives OPEN, CLOSE, SAVE, RESTORE or UNKNOWN for an instruction. ``edges`` are additional successors:
    jump labels and alternatives. ``choices`` are branches on whether user access is open (SAVE), or was when it
    was saved (RESTORE), with the target in that case. ``replaced`` maps an alternative to the instruction that it
    replaces. ``calls`` are inline functions that open or close, if the compiler puts them out of line. ``saves``
    is false if user_access_save() leaves no code. ``fences`` are addresses where boot code patches in a fence.
    """

    at: Mapping[Address, str]
    edges: Mapping[Address, tuple[Address, ...]] = field(default_factory=dict)
    choices: Mapping[Address, tuple[str, Address]] = field(default_factory=dict)
    replaced: Mapping[Address, Address] = field(default_factory=dict)
    calls: Mapping[str, str] = field(default_factory=dict)
    saves: bool = True
    fences: frozenset[Address] = frozenset()


class Architecture(Protocol):
    """The decoder of one architecture."""

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        """The instructions from an address up to an offset."""

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        """Find the instructions that open and close user access."""


def meaning(names: tuple[str, ...], effects: Mapping[str, str]) -> str:
    """The effect of an instruction, judging by the inline functions that contain it."""
    return next((effects[name] for name in names if name in effects), UNKNOWN)


def words(obj: ObjectFile, start: Address, end: int) -> Iterator[tuple[Address, int]]:
    """The 4-byte instructions from an address up to an offset, with their addresses."""
    section, at = start
    code = obj.data(section)[at : end - (end - at) % 4]
    for number, (word,) in enumerate(struct.iter_unpack(f"{obj.order}I", code)):
        yield Address(section, at + 4 * number), word


def marked(
    obj: ObjectFile,
    names: Names,
    effects: Mapping[str, str],
    switches: Callable[[int], bool],
) -> dict[Address, str]:
    """The 4-byte instructions that may open or close user access, with what they do.

    What one does follows from the inline functions that contain it; those without effect are left out.
    """
    found = {}
    for section in obj.executable:
        for address, word in words(obj, Address(section, 0), len(obj.data(section))):
            effect = meaning(names(address), effects) if switches(word) else ""
            if effect:
                found[address] = effect
    return found


def direct(obj: ObjectFile, address: Address, kind: str, distance: int) -> Instruction:
    """A 4-byte jump, branch or call over a distance in bytes, or to what a relocation names."""
    found = obj.relocations(address.section).get(address.offset)
    if found is None:
        target = Address(address.section, address.offset + distance)
        return Instruction(address, 4, kind, target)
    named = obj.pointed(address.section, address.offset)
    return Instruction(address, 4, kind, named, found.symbol.name)


def signed(value: int, bits: int) -> int:
    """The lowest bits of a value as a two's complement number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def faults(obj: ObjectFile) -> dict[Address, tuple[Address, ...]]:
    """The fixup addresses of each instruction that may fault, from __ex_table."""
    entries = []
    for section in obj.named("__ex_table"):
        # An entry begins with a pair of relocations; a single one is data of an entry.
        first = None
        for at in sorted(o for o in obj.relocations(section) if o % 4 == 0):
            if first is not None and at == first + 4:
                entries.append((section, first))
                first = None
            else:
                first = at
    return _targets(obj, entries)


def jump_labels(
    obj: ObjectFile, always: frozenset[tuple[str, int]] = frozenset()
) -> dict[Address, tuple[Address, ...]]:
    """The other target of each static branch, from __jump_table (include/linux/jump_label.h).

    ``always`` are keys, as symbol and offset, whose branches are known to stay unpatched.
    """
    entries = []
    size = 16 if obj.bits == 64 else 12
    for section in obj.named("__jump_table"):
        for at in range(0, len(obj.data(section)) - size + 1, size):
            key = obj.relocations(section).get(at + 8)
            # The lowest bit of the key tells which branch is likely.
            if not key or (key.symbol.name, key.addend & ~3) not in always:
                entries.append((section, at))
    return _targets(obj, entries)


def _targets(
    obj: ObjectFile, entries: Iterable[tuple[int, int]]
) -> dict[Address, tuple[Address, ...]]:
    """The first fields of table entries, by section and offset: an instruction and its target, 4 bytes each."""
    found: dict[Address, tuple[Address, ...]] = {}
    for section, at in entries:
        source, target = obj.pointed(section, at), obj.pointed(section, at + 4)
        if source is not None and target is not None:
            found[source] = (*found.get(source, ()), target)
    return found


def warnings(obj: ObjectFile) -> dict[Address, int]:
    """The traps that continue, with their flags: __bug_table entries with BUGFLAG_WARNING.

    The flags are the last 2 bytes of an entry (struct bug_entry, include/asm-generic/bug.h),
    whose size differs between versions and configurations.
    """
    found = {}
    for section in obj.named("__bug_table"):
        data = obj.data(section)
        offsets = sorted(obj.relocations(section))
        pointed = [(offset, obj.pointed(section, offset)) for offset in offsets]
        starts = [(at, to) for at, to in pointed if to and to.section in obj.executable]
        ends = [offset for offset, _ in starts[1:]] + [len(data)]
        for (offset, where), end in zip(starts, ends, strict=True):
            at = end - 2 if end - offset >= 12 else offset + 4
            (flags,) = struct.unpack_from(f"{obj.order}H", data, at)
            if flags & BUGFLAG_WARNING:
                found[where] = flags
    return found


def tables(obj: ObjectFile) -> frozenset[Address]:
    """All code addresses stored in read-only data: possible targets of jump tables.

    Tables of offsets relative to their own start are not found.
    """
    whole = ABSOLUTE[obj.machine]
    found = set()
    for section, name in enumerate(obj.section_names):
        if name.startswith((".rodata", ".data.rel.ro", ".toc")):
            for offset, entry in obj.relocations(section).items():
                where = obj.pointed(section, offset)
                if entry.kind in whole and where and where.section in obj.executable:
                    found.add(where)
    return frozenset(found)
