# SPDX-License-Identifier: GPL-2.0
"""Read the tables of an object that say where it continues: after faults, and at static branches."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from hotcocci.machine import arm64_insn, powerpc_insn
from hotcocci.machine.elf import ARM64, ObjectFile

# include/linux/jump_label.h: the likely branch, and what objtool makes a NOP (arch/x86).
LIKELY = 1
BECOMES_NOP = 2


@dataclass(frozen=True)
class Fixup:
    """Where a faulting instruction continues; ``kind`` and ``data`` as in asm/extable.h."""

    target: int
    kind: int = 0
    data: int = 0


@dataclass(frozen=True)
class JumpLabel:
    """A static branch: its target, and whether it is taken at boot."""

    target: int
    key: str
    taken: bool


class Labelled(Protocol):
    """The parts of Image that this module uses."""

    @property
    def segments(self) -> Mapping[int, bytearray]:
        """The contents of memory by address."""

    def read(self, address: int, size: int) -> bytes:
        """Read bytes of a segment."""

    def symbol_at(self, address: int) -> str:
        """The name of what is at an address."""


def fixups(data: bytearray, base: int, order: str, obj: ObjectFile) -> dict[int, Fixup]:
    """Read an exception table; its addresses are relative to their own fields."""
    # powerpc entries have no third field (arch/powerpc/include/asm/extable.h).
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


def labels(
    image: Labelled, base: int, order: str, obj: ObjectFile
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


def _jumps(image: Labelled, site: int, obj: ObjectFile) -> bool:
    """Whether the object has a jump at a site rather than a NOP (x86: 0f 1f, 66 90, ...)."""
    code = image.read(site, 4)
    (word,) = struct.unpack(f"{obj.order}I", code)
    if obj.machine.startswith("EM_PPC"):
        return bool(word >> 26 == powerpc_insn.B)
    if obj.machine == ARM64:
        return word in arm64_insn.B
    return code[0] in (0xE9, 0xEB)
