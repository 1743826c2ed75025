# SPDX-License-Identifier: GPL-2.0
"""Instructions of PowerPC by what they are to the symbolic engine.

Names are those of the Power ISA. What is not listed is not supported.
"""

from __future__ import annotations

from hotcocci.proof.execution.powerpc_code import MD_AP as MD_AP
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import (
    CONDITIONAL,
    FENCE,
    LINKED,
    NOTHING,
    PLAIN,
    SYSTEM,
    TRAP,
    Decoded,
)
from hotcocci.proof.symbolic.state import UnsupportedError

WORD = (1 << 32) - 1
# Primary opcodes of arithmetic, and of loads and stores of general registers.
ARITHMETIC = (7, 8, 10, 11, 12, 13, 14, 15, 20, 21, 23, 24, 25, 26, 27, 28, 29)
ACCESSES = tuple(range(32, 48))
TWI, BC, B, NINETEEN, THIRTYONE = 3, 16, 18, 19, 31
# Extended opcodes of 19: conditions, and branches.
CONDITIONS = (0, 33, 129, 193, 225, 257, 289, 417, 449)
BCLR, BCCTR, ISYNCS = 16, 528, 150
ISYNC = 0x4C00012C
# Extended opcodes of 31 that VEX has: comparisons, logic, shifts, moves of CR and XER.
CALCULATES = (
    *(0, 32, 28, 60, 124, 284, 316, 412, 444, 476, 26, 922, 954, 24, 536, 792, 824),
    *(19, 144, 512),
)
# Those whose tenth bit tells of overflow: sums, differences, products, quotients.
SUMS = (8, 10, 40, 104, 136, 138, 200, 202, 232, 234, 235, 266, 459, 491, 11, 75)
# Loads and stores by two registers, and those of the other order of bytes.
INDEXED = (
    *(23, 55, 87, 119, 151, 183, 215, 247, 279, 311, 343, 375, 407, 439),
    *(534, 662, 790, 918),
)
LWARX, STWCX = 20, 150
SYNC, EIEIO, DCBT, DCBTST, TW = 598, 854, 278, 246, 4
MFMSR, MTMSR, MTSRIN, MFSRIN, MFSPR, MTSPR = 83, 146, 242, 659, 339, 467
# XER, LR and CTR; what an 8xx has to mask interrupts (asm/reg_8xx.h)
OWN = (1, 8, 9)
EIE, EID, NRI = 80, 81, 82
ALWAYS, UNEQUAL = 31, 24


def extended(word: int) -> int:
    """The extended opcode of an instruction of 19 or 31."""
    return word >> 1 & 0x3FF


def spr(word: int) -> int:
    """The number of a special register, the halves of which are swapped."""
    return word >> 16 & 31 | (word >> 11 & 31) << 5


def decoded(word: int, address: int) -> Decoded:
    """What an instruction is; ``unless`` has the number of a register. Raises UnsupportedError."""
    primary = word >> 26
    text = f"{word:08x}"
    if primary in ARITHMETIC or primary in ACCESSES:
        return Decoded(4, PLAIN, text)
    if primary == TWI:
        return _trap(word, v.signed(word, 16) & WORD, text)
    if primary in (B, BC):
        bits = 26 if primary == B else 16
        distance = v.signed(word & ~3, bits)
        target = (distance if word & 2 else address + distance) & WORD
        return Decoded(4, PLAIN, text, ends=True, calls=target)
    if primary == NINETEEN:
        return _nineteen(word, text)
    if primary == THIRTYONE:
        return _thirtyone(word, text)
    raise UnsupportedError(f"the instruction {text}")


def _nineteen(word: int, text: str) -> Decoded:
    code = extended(word)
    if code in CONDITIONS:
        return Decoded(4, PLAIN, text)
    if code == BCLR:
        return Decoded(4, PLAIN, text, ends=True, through=bool(word & 1))
    if code == BCCTR:
        return Decoded(4, PLAIN, text, ends=True, through=True)
    if code == ISYNCS:
        return Decoded(4, FENCE, "isync")
    raise UnsupportedError(f"the instruction {text}")


def _thirtyone(word: int, text: str) -> Decoded:
    code = extended(word)
    if code in CALCULATES or code & 0x1FF in SUMS or code in INDEXED:
        return Decoded(4, PLAIN, text)
    if code == LWARX:
        return Decoded(4, LINKED, text)
    if code == STWCX:
        return Decoded(4, CONDITIONAL, text)
    if code in (SYNC, EIEIO):
        # sync and lwsync differ by a field.
        name = "eieio" if code == EIEIO else f"sync {word >> 21 & 7}"
        return Decoded(4, FENCE, name)
    if code in (DCBT, DCBTST):
        return Decoded(4, NOTHING, text)
    if code == TW and word >> 21 & 31 == ALWAYS:
        return Decoded(4, TRAP, text)
    if code in (MFMSR, MTMSR, MTSRIN, MFSRIN):
        return Decoded(4, SYSTEM, text, code=word)
    if code in (MFSPR, MTSPR):
        known = spr(word) in OWN
        return Decoded(4, PLAIN if known else SYSTEM, text, code=0 if known else word)
    raise UnsupportedError(f"the instruction {text}")


def _trap(word: int, number: int, text: str) -> Decoded:
    """twi: the kernel has it always, and for what is not a number; with no condition it waits."""
    condition = word >> 21 & 31
    if condition == ALWAYS:
        return Decoded(4, TRAP, text)
    if condition == UNEQUAL:
        return Decoded(4, TRAP, text, unless=(word >> 16 & 31, number))
    if condition == 0:
        return Decoded(4, NOTHING, text)
    raise UnsupportedError(f"the instruction {text}")
