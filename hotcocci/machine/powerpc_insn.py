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
LWARX, STWCX, DCBZ = 20, 150, 1014
MFMSR, MTMSR, MFSPR, MTSPR, MFTB = 83, 146, 339, 467, 371
# Segment registers, by number or by the top bits of an address
MTSR, MTSRIN, MFSR, MFSRIN = 210, 242, 595, 659
ISYNC, SYNC, LWSYNC = 0x4C00012C, 0x7C0004AC, 0x7C2004AC
# Conditions of traps
ALWAYS, UNEQUAL = 31, 24

# Special registers in asm/reg_8xx.h that lock user access and mask interrupts
MD_AP = 794
EIE, EID, NRI = 80, 81, 82
# The register in asm/reg.h that locks user access on book3s64
AMR = 29

# 32-bit loads and stores of one general register, by primary opcode and by extended opcode of
# 31: size in bytes, and whether it is a store.
ACCESSES = {
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
INDEXED = {
    LWARX: (4, False),
    23: (4, False),
    55: (4, False),
    87: (1, False),
    119: (1, False),
    STWCX: (4, True),
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
LMW, STMW = 46, 47
# Other loads: lmw, floating point, lq, ld; indexed: the 64-bit loads and lswi
LOADS = frozenset((LMW, 48, 49, 50, 51, 56, 58)).union(
    code for code, (_, stores) in ACCESSES.items() if not stores
)
INDEXED_LOADS = frozenset((21, 53, 84, 341, 373, 532, 597)).union(
    code for code, (_, stores) in INDEXED.items() if not stores
)


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
