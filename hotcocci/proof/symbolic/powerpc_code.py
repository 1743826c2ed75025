# SPDX-License-Identifier: GPL-2.0
"""Classify PowerPC instructions for the symbolic engine.

Names are those of the Power ISA. Instructions that are not listed are not supported.
"""

from __future__ import annotations

from hotcocci.machine import powerpc_insn as ppc
from hotcocci.machine.code import signed
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
# Primary opcodes of arithmetic, and of accesses of general registers.
ARITHMETIC = (7, 8, 10, 11, 12, 13, 14, 15, 20, 21, 23, 24, 25, 26, 27, 28, 29)
ACCESSES = frozenset((*ppc.ACCESSES, ppc.LMW, ppc.STMW))
# Extended opcodes of 19: condition register logic, and isync.
CONDITIONS = (0, 33, 129, 193, 225, 257, 289, 417, 449)
ISYNC = 150
# Extended opcodes of 31 supported by VEX: compare, logic, shift, moves of CR and XER.
CALCULATES = (
    *(0, 32, 28, 60, 124, 284, 316, 412, 444, 476, 26, 922, 954, 24, 536, 792, 824),
    *(19, 144, 512),
)
# Those whose tenth bit enables overflow: add, subtract, multiply, divide.
SUMS = (8, 10, 40, 104, 136, 138, 200, 202, 232, 234, 235, 266, 459, 491, 11, 75)
SYNC, EIEIO, DCBT, DCBTST = 598, 854, 278, 246
# XER, LR and CTR
OWN = (1, 8, 9)


def decoded(word: int, address: int) -> Decoded:
    """Decode an instruction; ``unless`` has a register number. Raises UnsupportedError."""
    primary = word >> 26
    text = f"{word:08x}"
    if primary in ARITHMETIC or primary in ACCESSES:
        return Decoded(4, PLAIN, text)
    if primary == ppc.TWI:
        return _trap(word, signed(word, 16) & WORD, text)
    if primary in (ppc.B, ppc.BC):
        target = ((0 if word & 2 else address) + ppc.distance(word)) & WORD
        return Decoded(4, PLAIN, text, ends=True, calls=target)
    if primary == ppc.NINETEEN:
        return _nineteen(word, text)
    if primary == ppc.THIRTYONE:
        return _thirtyone(word, text)
    raise UnsupportedError(f"the instruction {text}")


def _nineteen(word: int, text: str) -> Decoded:
    code = ppc.extended(word)
    if code in CONDITIONS:
        return Decoded(4, PLAIN, text)
    if code == ppc.BCLR:
        return Decoded(4, PLAIN, text, ends=True, through=bool(word & 1))
    if code == ppc.BCCTR:
        return Decoded(4, PLAIN, text, ends=True, through=True)
    if code == ISYNC:
        return Decoded(4, FENCE, "isync")
    raise UnsupportedError(f"the instruction {text}")


def _thirtyone(word: int, text: str) -> Decoded:
    code = ppc.extended(word)
    if code == ppc.LWARX:
        return Decoded(4, LINKED, text)
    if code == ppc.STWCX:
        return Decoded(4, CONDITIONAL, text)
    if code in CALCULATES or code & 0x1FF in SUMS or code in ppc.INDEXED:
        return Decoded(4, PLAIN, text)
    if code in (SYNC, EIEIO):
        # sync and lwsync differ in one field.
        name = "eieio" if code == EIEIO else f"sync {word >> 21 & 7}"
        return Decoded(4, FENCE, name)
    if code in (DCBT, DCBTST):
        return Decoded(4, NOTHING, text)
    if code == ppc.TW and word >> 21 & 31 == ppc.ALWAYS:
        return Decoded(4, TRAP, text)
    if code in (ppc.MFMSR, ppc.MTMSR, ppc.MTSRIN, ppc.MFSRIN):
        return Decoded(4, SYSTEM, text, code=word)
    if code in (ppc.MFSPR, ppc.MTSPR):
        known = ppc.spr(word) in OWN
        return Decoded(4, PLAIN if known else SYSTEM, text, code=0 if known else word)
    raise UnsupportedError(f"the instruction {text}")


def _trap(word: int, number: int, text: str) -> Decoded:
    """Decode twi: the kernel uses it unconditionally, to compare with a number, or to order loads."""
    condition = word >> 21 & 31
    if condition == ppc.ALWAYS:
        return Decoded(4, TRAP, text)
    if condition == ppc.UNEQUAL:
        return Decoded(4, TRAP, text, unless=(word >> 16 & 31, number))
    if condition == 0:
        return Decoded(4, NOTHING, text)
    raise UnsupportedError(f"the instruction {text}")
