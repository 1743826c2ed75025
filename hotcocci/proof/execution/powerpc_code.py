# SPDX-License-Identifier: GPL-2.0
"""Decode PowerPC instructions where execution needs more than the emulator."""

from __future__ import annotations

from typing import NamedTuple

from unicorn import ppc_const as uc

from hotcocci.machine import powerpc_insn as ppc
from hotcocci.machine.code import signed
from hotcocci.proof.execution.processor import (
    PLAIN,
    SYSTEM,
    TRAP,
    Operand,
    Place,
    Step,
)

GPR = tuple(int(getattr(uc, f"UC_PPC_REG_{n}")) for n in range(32))
WORD = (1 << 32) - 1

# The time base as mfspr reads it
TIME = (268, 269)
KEPT = (ppc.MD_AP, ppc.EIE, ppc.EID, ppc.NRI, *TIME)


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
    """Decode an instruction; ``line`` is the size of a cache line in bytes."""
    primary = word >> 26
    rs, ra, _ = ppc.registers(word)
    if primary in ppc.ACCESSES:
        size, stores = ppc.ACCESSES[primary]
        place = Place(GPR[ra] if ra else 0, offset=signed(word, 16))
        return Step(4, PLAIN, access=place, size=size, stores=stores)
    if primary == ppc.TWI:
        return _trap(rs, ra, _number(signed(word, 16) & WORD))
    if primary == ppc.THIRTYONE:
        return _extended(word, line)
    return Step(4)


def _register(number: int) -> Operand:
    return Operand(4, GPR[number])


def _number(number: int) -> Operand:
    return Operand(4, number=number)


def _extended(word: int, line: int) -> Step:
    code = ppc.extended(word)
    rs, ra, rb = ppc.registers(word)
    place = Place(GPR[ra] if ra else 0, GPR[rb])
    if code in ppc.INDEXED:
        size, stores = ppc.INDEXED[code]
        return Step(4, PLAIN, access=place, size=size, stores=stores)
    if code == ppc.DCBZ:
        return Step(4, SYSTEM, access=place, size=line, stores=True, code=word)
    if code == ppc.TW:
        return _trap(rs, ra, _register(rb))
    if code in (ppc.MTSR, ppc.MTSRIN, ppc.MFSR, ppc.MFSRIN, ppc.MFTB):
        return Step(4, SYSTEM, code=word)
    if code in (ppc.MFSPR, ppc.MTSPR) and ppc.spr(word) in KEPT:
        return Step(4, SYSTEM, code=word)
    return Step(4)


def _trap(condition: int, ra: int, other: Operand) -> Step:
    """Decode twi and tw, of which the kernel only uses two conditions."""
    if condition == ppc.ALWAYS:
        return Step(4, TRAP)
    if condition == ppc.UNEQUAL:
        return Step(4, TRAP, (_register(ra), other))
    return Step(4)


def fields(word: int) -> System:
    """What a system instruction moves; dcbz counts as a move to a register that is not kept."""
    code = ppc.extended(word)
    register, _, rb = ppc.registers(word)
    if code in (ppc.MTSPR, ppc.MFSPR) and ppc.spr(word) == ppc.MD_AP:
        return System(register, code == ppc.MFSPR, kept=0)
    if code in (ppc.MTSR, ppc.MFSR):
        return System(register, code == ppc.MFSR, kept=word >> 16 & 15)
    if code in (ppc.MTSRIN, ppc.MFSRIN):
        return System(register, code == ppc.MFSRIN, segment=rb)
    return System(register, code in (ppc.MFSPR, ppc.MFTB))
