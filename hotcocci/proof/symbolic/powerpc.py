# SPDX-License-Identifier: GPL-2.0
"""32-bit big endian PowerPC for the symbolic engine, as in objects/powerpc.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo

from hotcocci.machine import powerpc as ppc
from hotcocci.machine.code import signed
from hotcocci.proof.objects.image import Fixup
from hotcocci.proof.objects.powerpc import CLEAR, COPY, GROUP, KEY, LOCKED, TRACERS
from hotcocci.proof.objects.processor import Processor
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import (
    Architecture,
    Decoded,
    Kind,
    Registers,
    offsets,
    with_registers,
)
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Word

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
# What instructions are by their primary opcode, or by the extended one
KINDS = dict.fromkeys((*ARITHMETIC, *ACCESSES), Kind.PLAIN)
EXTENDED = {
    ppc.NINETEEN: {**dict.fromkeys(CONDITIONS, Kind.PLAIN), ISYNC: Kind.FENCE},
    ppc.THIRTYONE: {
        **dict.fromkeys((*CALCULATES, *ppc.INDEXED), Kind.PLAIN),
        **{sum | bit: Kind.PLAIN for sum in SUMS for bit in (0, 0x200)},
        **{ppc.LWARX: Kind.LINKED, ppc.STWCX: Kind.CONDITIONAL, ppc.TW: Kind.TRAP},
        **dict.fromkeys((SYNC, EIEIO), Kind.FENCE),
        **dict.fromkeys((DCBT, DCBTST), Kind.NOTHING),
        **dict.fromkeys((ppc.MFMSR, ppc.MTMSR, ppc.MTSRIN, ppc.MFSRIN), Kind.SYSTEM),
        **dict.fromkeys((ppc.MFSPR, ppc.MTSPR), Kind.SYSTEM),
    },
}
FENCES = {ISYNC: "isync", EIEIO: "eieio"}

ARCH = archinfo.ArchPPC32(archinfo.Endness.BE)
GENERAL = offsets(ARCH, " ".join(f"r{n}" for n in range(32)))
LINK, COUNT = offsets(ARCH, "lr ctr")
# A condition field has three bits in one byte, and the overflow bit in another.
FIELDS = tuple(offsets(ARCH, f"cr{n}_321 cr{n}_0") for n in range(8))
EXCEPTIONS = offsets(ARCH, "xer_so xer_ov xer_ca xer_bc")
# Registers missing in VEX are placed above its own: MD_AP of an 8xx; for
# a hash MMU, the key of the segment unlocked last and an address in it; MSR.
ABOVE = 0x1_0000
ACCESS, HELD, SEGMENT, STATE = (ABOVE + 4 * n for n in range(4))
# MSR_EE and MSR_RI (asm/reg.h)
INTERRUPTS, RECOVERABLE = 0x8000, 0x2
REGISTERS = Registers(
    32,
    sp=GENERAL[1],
    results=(GENERAL[3], GENERAL[4]),
    arguments=GENERAL[3:11],
    spoiled=(
        GENERAL[0],
        *GENERAL[3:13],
        LINK,
        COUNT,
        *EXCEPTIONS,
        *(part for n in (0, 1, 5, 6, 7) for part in FIELDS[n]),
    ),
    numbered=GENERAL,
    marked=(GENERAL[9], GENERAL[10]),
    link=LINK,
    downwards=True,
    single=frozenset((*EXCEPTIONS, *(part for field in FIELDS for part in field))),
    ambient=(STATE,),
)


class PowerPC32(Architecture):
    """See Architecture."""

    registers = REGISTERS
    arch = ARCH
    framed: Mapping[int, int] = MappingProxyType({1: GENERAL[1], 31: GENERAL[31]})
    # lib/usercopy.c, and objects/powerpc.py: destination, source, bytes
    loads: Sequence[str] = ("_copy_from_user",)
    stores: Sequence[str] = ("_copy_to_user",)
    both: Sequence[str] = (COPY,)
    fills: Sequence[str] = (CLEAR,)
    whole = frozenset((*both, *fills))
    # __get_user_size_allowed() of asm/uaccess.h, and code in .fixup
    tells_zeros = False
    # A division by 0 does not trap; unaligned lwarx and stwcx. do, on both sides.
    ignored = frozenset({"Ijk_SigFPE_IntDiv", "Ijk_SigBUS"})
    tracers: Sequence[str] = TRACERS

    def __init__(self, processor: Processor, segments: bool) -> None:
        self.layout = processor.layout
        self.convention = processor.convention
        self.task: int | None = processor.layout.percpu
        # Segments are only locked for stores (asm/book3s/32/kup.h).
        self.readable = segments

    def decode(self, code: bytes, address: int) -> Decoded:
        word, following = (int.from_bytes(code[n : n + 4], "big") for n in (0, 4))
        found = decoded(word, address)
        if found.code and ppc.extended(word) == ppc.MTSRIN and following == ppc.ISYNC:
            # The isync after mtsrin has no effect that others can see.
            found = replace(found, length=8)
        return found

    def start(self, side: str) -> dict[int, Word]:
        found = self.poisoned(side)
        found |= dict.fromkeys(REGISTERS.single, 0)
        found[COUNT] = v.unknown(f"poison {side} register 32", 32)
        found[GENERAL[2]] = self.layout.percpu
        found |= {ACCESS: LOCKED, HELD: KEY, SEGMENT: 0}
        found[STATE] = v.unknown("argument state", 32)
        return found

    def fault(self, state: State, fixup: Fixup) -> State:
        """Continue at the fixup, whose code does the rest."""
        return replace(state, pc=fixup.target)

    def perform(self, state: State, found: Decoded) -> State:
        word, code = found.code, ppc.extended(found.code)
        register, _, rb = ppc.registers(word)
        general = GENERAL[register]
        if code in (ppc.MFMSR, ppc.MTMSR):
            ends = (general, STATE) if code == ppc.MFMSR else (STATE, general)
            return with_registers(state, {ends[0]: state.registers[ends[1]]})
        if code in (ppc.MFSRIN, ppc.MTSRIN):
            at = state.registers[GENERAL[rb]]
            if code == ppc.MFSRIN:
                # Only the key of a segment register matters.
                key = 0 if _is_unlocked(state, at) else KEY
                return with_registers(state, {general: key})
            return _locked(state, at, state.registers[general])
        number = ppc.spr(word)
        if number in (ppc.EIE, ppc.EID, ppc.NRI) and code == ppc.MTSPR:
            masked = v.term(state.registers[STATE], 32)
            bits = INTERRUPTS | RECOVERABLE
            kept = {ppc.EIE: bits, ppc.EID: RECOVERABLE, ppc.NRI: 0}[number]
            return with_registers(state, {STATE: v.plain(masked & ~bits | kept)})
        if number == ppc.MD_AP and code == ppc.MFSPR:
            return with_registers(state, {general: state.registers[ACCESS]})
        if number == ppc.MD_AP and code == ppc.MTSPR:
            value = state.registers[general]
            if not isinstance(value, int):
                raise UnsupportedError("user access is unlocked by what is not known")
            state = with_registers(state, {ACCESS: value})
            return replace(state, open=bool((value ^ LOCKED) & GROUP))
        raise UnsupportedError(f"'{found.text}'")


def _is_unlocked(state: State, address: Word) -> bool:
    """Whether an address is in the unlocked segment. Raises UnsupportedError."""
    if state.registers[HELD] == KEY:
        return False
    before = v.extract(state.registers[SEGMENT], 31, 28)
    same = v.settled(v.equal(before, v.extract(address, 31, 28), 4))
    if not isinstance(same, int):
        raise UnsupportedError("it is not known which segment is unlocked")
    return same == 1


def _locked(state: State, address: Word, value: Word) -> State:
    """The state with the segment of an address locked or unlocked. Raises UnsupportedError."""
    if value not in (0, KEY):
        raise UnsupportedError("a segment register is set to an unknown value")
    if state.registers[HELD] != KEY and not _is_unlocked(state, address):
        raise UnsupportedError("another segment is unlocked")
    state = with_registers(state, {HELD: value, SEGMENT: address})
    return replace(state, open=value != KEY)


def decoded(word: int, address: int) -> Decoded:
    """Decode an instruction. Raises UnsupportedError."""
    primary, code, text = word >> 26, ppc.extended(word), f"{word:08x}"
    if primary == ppc.TWI:
        return _trap(word, signed(word, 16) & WORD, text)
    if primary in (ppc.B, ppc.BC):
        target = ((0 if word & 2 else address) + ppc.distance(word)) & WORD
        return Decoded(4, Kind.PLAIN, text, ends=True, calls=target)
    if primary == ppc.NINETEEN and code in (ppc.BCLR, ppc.BCCTR):
        through = code == ppc.BCCTR or bool(word & 1)
        return Decoded(4, Kind.PLAIN, text, ends=True, through=through)
    kind = EXTENDED[primary].get(code) if primary in EXTENDED else KINDS.get(primary)
    if kind is None or kind == Kind.TRAP and word >> 21 & 31 != ppc.ALWAYS:
        raise UnsupportedError(f"the instruction {text}")
    if kind == Kind.FENCE:
        # sync and lwsync differ in one field.
        text = FENCES.get(code, f"sync {word >> 21 & 7}")
    if kind != Kind.SYSTEM:
        return Decoded(4, kind, text)
    if code in (ppc.MFSPR, ppc.MTSPR) and ppc.spr(word) in OWN:
        return Decoded(4, Kind.PLAIN, text)
    return Decoded(4, kind, text, code=word)


def _trap(word: int, number: int, text: str) -> Decoded:
    """Decode twi: the kernel uses it unconditionally, to compare with a number, or to order loads."""
    condition = word >> 21 & 31
    if condition == ppc.ALWAYS:
        return Decoded(4, Kind.TRAP, text)
    if condition == ppc.UNEQUAL:
        return Decoded(4, Kind.TRAP, text, unless=(GENERAL[word >> 16 & 31], number))
    if condition == 0:
        return Decoded(4, Kind.NOTHING, text)
    raise UnsupportedError(f"the instruction {text}")
