# SPDX-License-Identifier: GPL-2.0
"""Instructions of PowerPC as far as running them needs more than the emulator."""

from __future__ import annotations

from typing import NamedTuple

from unicorn import ppc_const as uc

from hotcocci.proof.execution.processor import (
    BRANCH,
    COMPARE,
    PLAIN,
    SYSTEM,
    TRAP,
    Operand,
    Place,
    Step,
)

GPR = tuple(int(getattr(uc, f"UC_PPC_REG_{n}")) for n in range(32))
WORD = (1 << 32) - 1

# Loads and stores by primary opcode, and by extended opcode of 31: bytes, and whether it stores.
# lmw and stmw are missing: no exception table covers them.
PRIMARY = {
    32: (4, False),
    33: (4, False),
    34: (1, False),
    35: (1, False),
    36: (4, True),
    37: (4, True),
    38: (1, True),
    39: (1, True),
    40: (2, False),
    41: (2, False),
    42: (2, False),
    43: (2, False),
    44: (2, True),
    45: (2, True),
}
EXTENDED = {
    20: (4, False),  # lwarx
    23: (4, False),
    55: (4, False),
    87: (1, False),
    119: (1, False),
    150: (4, True),  # stwcx.
    151: (4, True),
    183: (4, True),
    215: (1, True),
    247: (1, True),
    279: (2, False),
    311: (2, False),
    343: (2, False),
    375: (2, False),
    407: (2, True),
    439: (2, True),
    534: (4, False),  # lwbrx
    662: (4, True),  # stwbrx
    790: (2, False),  # lhbrx
    918: (2, True),  # sthbrx
}
DCBZ = 1014
# cmp and cmpl; and., or., subf., add., and the extensions of signs
CMP, CMPL, AND, OR, SUBF, EXTSB, EXTSH = 0, 32, 28, 444, 40, 954, 922
MFSPR, MTSPR, MD_AP = 339, 467, 794
# What an 8xx has to mask interrupts: EIE, EID, NRI (asm/reg_8xx.h)
INTERRUPTS = (80, 81, 82)
# mftb, and the time base as mfspr reads it
MFTB, TIME = 371, (268, 269)
# By a number, and by the top of an address.
MTSR, MTSRIN, MFSR, MFSRIN = 210, 242, 595, 659
ALWAYS, UNEQUAL = 31, 24


class System(NamedTuple):
    """A move between a general register and one that locks user access, or that is 0.

    ``kept`` is the number of the register it is kept in, or ``segment`` the general register
    whose top 4 bits are that number; neither for others. ``reads`` is true for a move to the
    general register.
    """

    register: int
    reads: bool
    kept: int | None = None
    segment: int | None = None


def decode(word: int, line: int) -> Step:
    """What an instruction is; ``line`` is the bytes of a cache line."""
    primary = word >> 26
    ra, rb = word >> 16 & 31, word >> 11 & 31
    if primary in PRIMARY:
        size, stores = PRIMARY[primary]
        place = Place(GPR[ra] if ra else 0, offset=_signed(word))
        return Step(4, PLAIN, access=place, size=size, stores=stores)
    if primary in (16, 19):
        return Step(4, BRANCH if _is_branch(word) else PLAIN)
    if primary in (10, 11):
        number = word & 0xFFFF if primary == 10 else _signed(word)
        return _compare(Operand(4, GPR[ra]), Operand(4, number=number & WORD))
    if primary == 3:
        return _trap(word >> 21 & 31, ra, Operand(4, number=_signed(word) & WORD))
    if primary in (28, 29):
        # andi. and andis.
        bits = (word & 0xFFFF) << (16 if primary == 29 else 0)
        rs = Operand(4, GPR[word >> 21 & 31])
        return _compare(rs, Operand(4, number=bits), mask=True)
    if primary == 13:
        # addic.
        return _compare(Operand(4, GPR[ra]), Operand(4, number=-_signed(word) & WORD))
    if primary == 21 and word & 1:
        return _rotated(word)
    if primary == 31:
        return _extended(word, ra, rb, line)
    return Step(4)


def _extended(word: int, ra: int, rb: int, line: int) -> Step:
    code = word >> 1 & 0x3FF
    rs = word >> 21 & 31
    if code in EXTENDED:
        size, stores = EXTENDED[code]
        place = Place(GPR[ra] if ra else 0, GPR[rb])
        return Step(4, PLAIN, access=place, size=size, stores=stores)
    if code == DCBZ:
        place = Place(GPR[ra] if ra else 0, GPR[rb])
        return Step(4, SYSTEM, access=place, size=line, stores=True, code=word)
    if code in (CMP, CMPL):
        return _compare(Operand(4, GPR[ra]), Operand(4, GPR[rb]))
    if code == 4:
        return _trap(rs, ra, Operand(4, GPR[rb]))
    if code in (MTSR, MTSRIN, MFSR, MFSRIN):
        return Step(4, SYSTEM, code=word)
    if code == MFTB or (
        code in (MFSPR, MTSPR) and _spr(word) in (MD_AP, *INTERRUPTS, *TIME)
    ):
        return Step(4, SYSTEM, code=word)
    if word & 1:
        return _recorded(code, ra, rb, rs)
    return Step(4)


def _recorded(code: int, ra: int, rb: int, rs: int) -> Step:
    """An instruction that compares its result with 0."""
    if code == AND:
        return _compare(Operand(4, GPR[rs]), Operand(4, GPR[rb]), mask=True)
    if code & 0x1FF == SUBF:
        return _compare(Operand(4, GPR[ra]), Operand(4, GPR[rb]))
    if (code == OR and rs == rb) or code in (EXTSB, EXTSH):
        return _compare(Operand(4, GPR[rs]), Operand(4, number=0))
    return Step(4)


def _rotated(word: int) -> Step:
    """rlwinm.: tests bits of what it rotates."""
    begin, end, shift = word >> 6 & 31, word >> 1 & 31, word >> 11 & 31
    bits = (WORD >> begin) ^ (WORD >> end >> 1)
    if begin > end:
        bits = WORD & ~((WORD >> end >> 1) ^ (WORD >> begin))
    bits = (bits >> shift | bits << (32 - shift)) & WORD
    rs = Operand(4, GPR[word >> 21 & 31])
    return _compare(rs, Operand(4, number=bits), mask=True)


def _compare(left: Operand, right: Operand, mask: bool = False) -> Step:
    return Step(4, COMPARE, (left, right), mask)


def _trap(condition: int, ra: int, other: Operand) -> Step:
    """twi and tw; the kernel has no other conditions than these two."""
    if condition == ALWAYS:
        return Step(4, TRAP)
    if condition == UNEQUAL:
        return Step(4, TRAP, (Operand(4, GPR[ra]), other))
    return Step(4)


def _is_branch(word: int) -> bool:
    """Whether a bc or bclr depends on anything."""
    to_link = word >> 26 == 19 and word >> 1 & 0x3FF == 16
    return (word >> 26 == 16 or to_link) and word >> 21 & 0x14 != 0x14


def fields(word: int) -> System:
    """What a system instruction moves; dcbz is like a move to what nobody keeps."""
    code, register = word >> 1 & 0x3FF, word >> 21 & 31
    if code in (MTSPR, MFSPR) and _spr(word) == MD_AP:
        return System(register, code == MFSPR, kept=0)
    if code in (MTSR, MFSR):
        return System(register, code == MFSR, kept=word >> 16 & 15)
    if code in (MTSRIN, MFSRIN):
        return System(register, code == MFSRIN, segment=word >> 11 & 31)
    return System(register, code in (MFSPR, MFTB))


def _spr(word: int) -> int:
    """The number of a special register, the halves of which are swapped."""
    return word >> 16 & 31 | (word >> 11 & 31) << 5


def _signed(word: int) -> int:
    return (word & 0xFFFF ^ 0x8000) - 0x8000
