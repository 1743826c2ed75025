# SPDX-License-Identifier: GPL-2.0
"""Decode ARM64 instructions where linking and execution need more than the emulator.

Fields and instructions are named as in the Arm Architecture Reference Manual, C4 and C6.
"""

from __future__ import annotations

from unicorn import arm64_const as uc

from hotcocci.machine import arm64_insn as a64
from hotcocci.machine.code import signed
from hotcocci.proof.execution.processor import (
    PLAIN,
    SYSTEM,
    TRAP,
    Place,
    Step,
)

REGISTERS = tuple(int(getattr(uc, f"UC_ARM64_REG_X{n}")) for n in range(31))
LINK = REGISTERS[a64.LINK]
WORD = (1 << 64) - 1

# Relocations of branches: bits of the distance, and its shift in the word.
BRANCHES = {279: (14, 5), 280: (19, 5), 282: (26, 0), 283: (26, 0), 273: (19, 5)}
PAGES = (275, 276)
ADD = 277
# Scale of a load's or store's offset, as a power of 2.
LOADS = {278: 0, 284: 1, 285: 2, 286: 3, 299: 4}


def relocated(word: int, kind: int, place: int, value: int) -> int | None:
    """An instruction with a relocation applied; None if unknown or out of range."""
    if kind in BRANCHES:
        bits, shift = BRANCHES[kind]
        distance = value - place >> 2
        if not -(1 << bits - 1) <= distance < 1 << bits - 1:
            return None
        mask = (1 << bits) - 1
        return word & ~(mask << shift) | (distance & mask) << shift
    if kind in PAGES:
        pages = (value >> 12) - (place >> 12)
        if not -(1 << 20) <= pages < 1 << 20:
            return None
        return word & ~0x60FFFFE0 | (pages & 3) << 29 | (pages >> 2 & 0x7FFFF) << 5
    if kind == ADD:
        return word & ~0x3FFC00 | (value & 0xFFF) << 10
    if kind in LOADS:
        return word & ~0x3FFC00 | (value & 0xFFF) >> LOADS[kind] << 10
    return None


def decode(word: int) -> Step:
    """Decode an instruction."""
    return _access(word) or _system(word) or Step(4)


def _access(word: int) -> Step | None:
    """Loads and stores of one general register, with their sizes in bits 30 and 31."""
    size = 1 << (word >> 30)
    base = _base(word >> 5 & 31)
    if word in a64.PREFETCH or a64.is_vector(word):
        return None
    if word in a64.UNSIGNED_OFFSET:
        place = Place(base, offset=(word >> 10 & 0xFFF) * size)
    elif word in a64.SIGNED_OFFSET:
        # One of the four kinds is post-indexed.
        after = word >> 10 & 3 == 1
        place = Place(base, offset=0 if after else signed(word >> 12, 9))
    elif word in a64.REGISTER_OFFSET and word >> 13 & 3 == 3:
        scale = size if word >> 12 & 1 else 1
        index = word >> 16 & 31
        place = Place(base, 0 if index == a64.ZERO else REGISTERS[index], scale)
    elif word in a64.EXCLUSIVE and not word >> 21 & 1:
        place = Place(base)
    else:
        return None
    return Step(4, PLAIN, access=place, size=size, stores=not a64.loads(word))


def _system(word: int) -> Step | None:
    if word in a64.BRK:
        return Step(4, TRAP)
    if word in a64.BR:
        return Step(4, SYSTEM, code=word)
    if word & 0xFFFFF000 == 0xD53BE000:
        # mrs of the timers, CNTVCT_EL0 among them
        return Step(4, SYSTEM, code=word)
    return None


def _base(number: int) -> int:
    return int(uc.UC_ARM64_REG_SP) if number == a64.SP else REGISTERS[number]
