# SPDX-License-Identifier: GPL-2.0
"""Encodings of PowerPC instructions, named as in the Power ISA."""

from __future__ import annotations

from hotcocci.machine.code import signed

# Primary opcodes
TWI, BC, B, NINETEEN, THIRTYONE = 3, 16, 18, 19, 31
# Extended opcodes of 19
BCLR, BCCTR = 16, 528
# Extended opcodes of 31
TW = 4
LWARX, STWCX = 20, 150
MFMSR, MTMSR, MFSPR, MTSPR = 83, 146, 339, 467
# Segment registers, by number or by the top bits of an address
MTSR, MTSRIN, MFSRIN = 210, 242, 659
ISYNC, SYNC, LWSYNC = 0x4C00012C, 0x7C0004AC, 0x7C2004AC
# Conditions of traps
ALWAYS, UNEQUAL = 31, 24

# Special registers in asm/reg_8xx.h that lock user access and mask interrupts
MD_AP = 794
EIE, EID, NRI = 80, 81, 82
# The register in asm/reg.h that locks user access on book3s64
AMR = 29

# 32-bit loads and stores of one general register, by primary opcode, and by extended opcode of 31;
# lwbrx, lhbrx, stwbrx and sthbrx are the last ones.
_STORED = frozenset((36, 37, 38, 39, 44, 45))
ACCESSES = _STORED.union((32, 33, 34, 35, 40, 41, 42, 43))
_STORED_INDEXED = frozenset((STWCX, 151, 183, 215, 247, 407, 439, 662, 918))
INDEXED = _STORED_INDEXED.union((LWARX, 23, 55, 87, 119, 279, 311, 343, 375, 534, 790))
LMW, STMW = 46, 47
# Other loads: lmw, floating point, lq, ld; indexed: the 64-bit loads and lswi
LOADS = (ACCESSES - _STORED).union((LMW, 48, 49, 50, 51, 56, 58))
INDEXED_LOADS = (INDEXED - _STORED_INDEXED).union((21, 53, 84, 341, 373, 532, 597))


def extended(word: int) -> int:
    """The extended opcode of an instruction with primary opcode 19 or 31."""
    return word >> 1 & 0x3FF


def spr(word: int) -> int:
    """The number of a special register, whose halves are swapped in the instruction."""
    return word >> 16 & 31 | (word >> 11 & 31) << 5


def registers(word: int) -> tuple[int, int, int]:
    """The general register numbers of an instruction: RT or RS, RA and RB."""
    return word >> 21 & 31, word >> 16 & 31, word >> 11 & 31


def distance(word: int) -> int:
    """The distance of a branch to a label, in bytes."""
    return signed(word & ~3, 26 if word >> 26 == B else 16)


def is_conditional(word: int) -> bool:
    """Whether an instruction is a bc or bclr with a condition."""
    to_link = word >> 26 == NINETEEN and extended(word) == BCLR
    return (word >> 26 == BC or to_link) and word >> 21 & 0x14 != 0x14


def loads(word: int) -> bool:
    """Whether an instruction reads memory."""
    primary = word >> 26
    return primary in LOADS or (
        primary == THIRTYONE and extended(word) in INDEXED_LOADS
    )
