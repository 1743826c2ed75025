# SPDX-License-Identifier: GPL-2.0
"""32-bit big endian PowerPC: 8xx, or hash MMU (book3s/32), both with KUAP.

The object contains the code for a processor with all features (asm/feature-fixups.h), so
user access is locked and unlocked without patching.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo

from hotcocci.machine import powerpc as ppc
from hotcocci.machine.code import signed
from hotcocci.machine.elf import ABSOLUTE, POWERPC, ObjectFile, Relocation
from hotcocci.proof.objects.image import Fixup, Image, Layout, LinkError, Registry
from hotcocci.proof.objects.processor import Convention, Step
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
# arch/powerpc/include/asm/nohash/32/mmu-8xx.h: MD_APG_KUAP, and the bits to compare.
LOCKED, GROUP = 0xDE00_0000, 0xFF00_0000
# arch/powerpc/include/asm/book3s/32/mmu-hash.h: SR_KS
KEY = 0x4000_0000
# KUAP_NONE of asm/book3s/32/kup.h
NONE = WORD

# Relative relocations, and those of 2 bytes.
REL32, REL24, REL14 = 26, (10, 18), 11
ADDR16_LO, ADDR16_HI, ADDR16_HA, REL16 = 4, 5, 6, (249, 250, 251, 252)
# arch/powerpc/lib/copy_32.S and string_32.S
COPY, CLEAR = "__copy_tofrom_user", "__arch_clear_user"
# Of a branch that counts from 0
ABSOLUTE_BRANCH = 2
TRACERS = ("_mcount",)
# Targets whose segment registers lock user memory (book3s/32)
SEGMENTS = ("powerpc-book3s32", "powerpc-32")

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
    """See Architecture. The kernel begins at ``kernel``, and ``kuap`` is the offset of thread.kuap in a task.

    The 8xx has no such member.
    """

    registers = REGISTERS
    arch = ARCH
    framed: Mapping[int, int] = MappingProxyType({1: GENERAL[1], 31: GENERAL[31]})
    # lib/usercopy.c, and the assembly above: destination, source, bytes
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

    support: Sequence[str] = (
        "arch/powerpc/lib/copy_32.S",
        "arch/powerpc/lib/string_32.S",
        "arch/powerpc/lib/crtsavres.S",
        "lib/usercopy.c",
    )
    untyped: Sequence[str] = (COPY, CLEAR)
    convention = Convention(
        4, 8, by_reference=True, paired=True, stack=8, extended=True
    )

    def __init__(self, task_size: int, kernel: int, kuap: int | None = None) -> None:
        # A branch reaches 32 MB, so image and outside are adjacent.
        self.layout = Layout(
            image=kernel + 0x0100_0000,
            spacing=0x2000,
            outside=kernel + 0x0200_0000,
            room=0x2000,
            stack=range(0xF000_0000, 0xF001_0000),
            percpu=0xFF00_0000,
            user_low=0x1000,
            user_high=task_size,
            kernel=kernel,
            end=0xFFF0_0000,
            pointer=4,
            order="big",
        )
        self.task: int | None = self.layout.percpu
        # Segments are only locked for stores (asm/book3s/32/kup.h).
        self.readable = kuap is not None
        if kuap is not None:
            at = self.layout.percpu + kuap
            self.private = range(at, at + 4)

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        kind = found.kind
        if kind in ABSOLUTE[POWERPC]:
            image.write(place, struct.pack(">I", value & WORD))
        elif kind == REL32:
            image.write(place, struct.pack(">I", value - place & WORD))
        elif kind in REL24:
            self._branch(image, place, value - place, 0x03FF_FFFC)
        elif kind == REL14:
            self._branch(image, place, value - place, 0xFFFC)
        elif kind in (ADDR16_LO, ADDR16_HI, ADDR16_HA) or kind in REL16:
            if kind in REL16:
                value -= place
                kind = {249: ADDR16_LO, 250: ADDR16_LO, 251: ADDR16_HI}.get(
                    kind, ADDR16_HA
                )
            if kind != ADDR16_LO:
                value = (value + (0x8000 if kind == ADDR16_HA else 0)) >> 16
            image.write(place, struct.pack(">H", value & 0xFFFF))
        elif kind:
            raise LinkError(f"relocation {kind} is not known")

    def _branch(self, image: Image, place: int, distance: int, mask: int) -> None:
        if not -(mask + 4) // 2 <= distance <= mask // 2:
            raise LinkError("a branch does not reach what it calls")
        (word,) = struct.unpack(">I", image.read(place, 4))
        image.write(place, struct.pack(">I", word & ~mask | distance & mask))

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        word = int.from_bytes(code[:4], "big")
        mask = {ppc.B: 0x03FF_FFFC, ppc.BC: 0xFFFC}.get(word >> 26)
        if mask is None or word & ABSOLUTE_BRANCH:
            return Step(4)
        target = address + ppc.distance(word) & WORD
        return Step(4, target, (word & ~mask).to_bytes(4, "big"))

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """KUAP is on, and by thread.kuap no segment is unlocked."""
        found = {registry.symbol(ppc.OFF_KEY): bytes(4)}
        if self.private:
            found[self.private.start] = NONE.to_bytes(4, "big")
        return found

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
