# SPDX-License-Identifier: GPL-2.0
"""Instructions as far as paths and windows are concerned, and the tables that add edges to them."""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hotcocci.engines.machine.elf import ABSOLUTE, Address, ObjectFile

PLAIN = "plain"
JUMP = "jump"
BRANCH = "branch"
CALL = "call"
RETURN = "return"
# A jump through a register or memory.
INDIRECT = "indirect"
# Goes on only if the trap's handler says so: WARN().
TRAP = "trap"
STOP = "stop"

OPEN = "open"
CLOSE = "close"
# Close, and remember what was; the other way round.
SAVE = "save"
RESTORE = "restore"
# Changes user access, and no one can say how.
UNKNOWN = "unknown"

BUGFLAG_WARNING = 1


@dataclass(frozen=True)
class Instruction:
    """One instruction.

    ``target`` is where a jump, branch or call leads in this object, ``callee`` the name of
    what is called or jumped to elsewhere. ``nop`` is what a running kernel has nothing in place
    of: padding, places to patch, the call of a tracer. ``fence`` waits for what is before it,
    ``load`` reads memory other than the stack.
    """

    address: Address
    size: int
    kind: str = PLAIN
    target: Address | None = None
    callee: str = ""
    nop: bool = False
    fence: bool = False
    load: bool = False

    @property
    def following(self) -> Address:
        """The address behind it."""
        return Address(self.address.section, self.address.offset + self.size)


@dataclass(frozen=True)
class Marks:
    """Where an object opens and closes user access, and what is patched into its code.

    ``at`` gives OPEN, CLOSE, SAVE, RESTORE or UNKNOWN for an instruction. ``edges`` are
    further ways to go on after one: jump labels and alternatives. ``choices`` are branches on
    whether user access is open (SAVE), or was when it was saved (RESTORE), and the way that
    is taken then. ``replaced`` says for what an alternative stands in. ``calls`` are functions
    meant to be inlined that open or close where a compiler puts them out of line. ``saves`` is
    false where user_access_save() leaves no code. ``fences`` are places that a fence is patched
    into at boot.
    """

    at: Mapping[Address, str]
    edges: Mapping[Address, tuple[Address, ...]] = field(default_factory=dict)
    choices: Mapping[Address, tuple[str, Address]] = field(default_factory=dict)
    replaced: Mapping[Address, Address] = field(default_factory=dict)
    calls: Mapping[str, str] = field(default_factory=dict)
    saves: bool = True
    fences: frozenset[Address] = frozenset()


class Architecture(Protocol):
    """What a file of this package says of one architecture."""

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        """The instructions from an address up to an offset."""

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        """Where user access is opened and closed."""


class Names(Protocol):
    """The functions that an instruction stands in, inlined ones first."""

    def __call__(self, address: Address) -> tuple[str, ...]:
        """Their names."""


def signed(value: int, bits: int) -> int:
    """The number that the lowest bits stand for in two's complement."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def faults(obj: ObjectFile) -> dict[Address, tuple[Address, ...]]:
    """Where each instruction goes on if it faults: __ex_table.

    An entry begins with the instruction and the way on, 4 bytes each, whatever follows.
    """
    found: dict[Address, list[Address]] = defaultdict(list)
    for section in obj.named("__ex_table"):
        offsets = sorted(obj.relocations(section))
        entry = [o for o in offsets if o % 4 == 0]
        while entry:
            at = entry.pop(0)
            if not entry or entry[0] != at + 4:
                # An entry of its own begins with a pair; what stands alone is data of one.
                continue
            entry.pop(0)
            source, target = obj.pointed(section, at), obj.pointed(section, at + 4)
            if source is not None and target is not None:
                found[source].append(target)
    return {source: tuple(targets) for source, targets in found.items()}


def jump_labels(
    obj: ObjectFile, always: frozenset[tuple[str, int]] = frozenset()
) -> dict[Address, tuple[Address, ...]]:
    """The other way of every static branch: __jump_table (include/linux/jump_label.h).

    ``always`` are keys, as symbol and offset, that are known to stand as the object has them.
    """
    found: dict[Address, list[Address]] = defaultdict(list)
    size = 16 if obj.bits == 64 else 12
    for section in obj.named("__jump_table"):
        for at in range(0, len(obj.data(section)) - size + 1, size):
            source, target = obj.pointed(section, at), obj.pointed(section, at + 4)
            key = obj.relocations(section).get(at + 8)
            if source is None or target is None:
                continue
            # The lowest bit of the key says which branch is the likely one.
            if key and (key.symbol.name, key.addend & ~3) in always:
                continue
            found[source].append(target)
    return {source: tuple(targets) for source, targets in found.items()}


def warnings(obj: ObjectFile) -> dict[Address, int]:
    """The traps that go on, with their flags: entries of __bug_table with BUGFLAG_WARNING.

    The flags are the last 2 bytes of an entry (struct bug_entry, include/asm-generic/bug.h),
    whose size differs between versions and configurations.
    """
    found = {}
    for section in obj.named("__bug_table"):
        data = obj.data(section)
        starts = []
        for offset in sorted(obj.relocations(section)):
            where = obj.pointed(section, offset)
            if where is not None and where.section in obj.executable:
                starts.append((offset, where))
        ends = [offset for offset, _ in starts[1:]] + [len(data)]
        for (offset, where), end in zip(starts, ends, strict=True):
            at = end - 2 if end - offset >= 12 else offset + 4
            (flags,) = struct.unpack_from(f"{obj.order}H", data, at)
            if flags & BUGFLAG_WARNING:
                found[where] = flags
    return found


def tables(obj: ObjectFile) -> frozenset[Address]:
    """Whatever code data points at: where a jump through a table may lead.

    A table of distances points nowhere by itself: each counts from the table's start.
    """
    whole = ABSOLUTE[obj.machine]
    found = set()
    for section in range(len(obj.section_names)):
        if obj.section_names[section].startswith((".rodata", ".data.rel.ro", ".toc")):
            for offset, entry in obj.relocations(section).items():
                where = obj.pointed(section, offset)
                if entry.kind not in whole or where is None:
                    continue
                if where.section in obj.executable:
                    found.add(where)
    return frozenset(found)
