# SPDX-License-Identifier: GPL-2.0
"""Execute 32-bit big endian PowerPC code: 8xx, or hash MMU (book3s/32), both with KUAP.

The object contains the code for a processor with all features (asm/feature-fixups.h), so
user access is locked and unlocked without patching. What is written for that,
a special register of the 8xx or a segment register, is kept in floating-point registers: the
emulator has none of the first, does not show the second, and kernel code uses none of the third.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import unicorn
from unicorn import ppc_const as uc

from hotcocci.machine import powerpc_insn as ppc
from hotcocci.machine.code import signed
from hotcocci.machine.elf import ABSOLUTE, POWERPC, ObjectFile, Relocation
from hotcocci.proof.execution import poison
from hotcocci.proof.execution.image import Image, LinkError
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.processor import (
    PLAIN,
    SYSTEM,
    TRAP,
    Operand,
    Place,
    Processor,
    Step,
)
from hotcocci.proof.execution.space import Layout, Registry
from hotcocci.proof.execution.tables import Fixup

GPR = tuple(int(getattr(uc, f"UC_PPC_REG_{n}")) for n in range(32))
STACK, CURRENT = GPR[1], GPR[2]
WORD = (1 << 32) - 1
# Hold MD_AP, or the sixteen segment registers.
KEPT = tuple(getattr(uc, f"UC_PPC_REG_FPR{n}") for n in range(16))

# arch/powerpc/include/asm/nohash/32/mmu-8xx.h: MD_APG_KUAP, and the bits to compare.
LOCKED, GROUP = 0xDE00_0000, 0xFF00_0000
# arch/powerpc/include/asm/book3s/32/mmu-hash.h: SR_KS
KEY = 0x4000_0000
# KUAP_NONE of asm/book3s/32/kup.h
NONE = WORD

# Relative relocations, and those of 2 bytes.
REL32, REL24, REL14 = 26, (10, 18), 11
ADDR16_LO, ADDR16_HI, ADDR16_HA, REL16 = 4, 5, 6, (249, 250, 251, 252)
TRACERS = ("_mcount",)

# The time base as mfspr reads it
TIME = (268, 269)
MOVED = (ppc.MD_AP, ppc.EIE, ppc.EID, ppc.NRI, *TIME)


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
    if code in (ppc.MFSPR, ppc.MTSPR) and ppc.spr(word) in MOVED:
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


@dataclass(frozen=True)
class Numbers:
    """Values from the configuration: addresses, and sizes in bytes.

    ``kuap`` is the offset of thread.kuap in a task, None for the 8xx, which has none.
    """

    task_size: int
    kernel: int
    line: int
    kuap: int | None = None


class PowerPC32(Processor):
    """See Processor."""

    support: Sequence[str] = (
        "arch/powerpc/lib/copy_32.S",
        "arch/powerpc/lib/string_32.S",
        "arch/powerpc/lib/crtsavres.S",
        "lib/usercopy.c",
    )
    copies: Mapping[str, int] = MappingProxyType(
        {"__copy_tofrom_user": 2, "__arch_clear_user": 1}
    )
    general: Sequence[int] = GPR
    spoiled: Sequence[int] = (GPR[0], *GPR[3:13], int(uc.UC_PPC_REG_CTR))
    arguments: Sequence[int] = GPR[3:11]
    stack_pointer = STACK
    program_counter = int(uc.UC_PPC_REG_PC)
    tracers: Sequence[str] = TRACERS
    convention = Convention(4, 8, by_reference=True, paired=True, stack=8)
    # The registers used by marks.py.
    marked = (GPR[9], GPR[10])

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        # A branch reaches 32 MB, so image and outside are adjacent.
        self.layout = Layout(
            image=numbers.kernel + 0x0100_0000,
            spacing=0x2000,
            outside=numbers.kernel + 0x0200_0000,
            room=0x2000,
            stack=0xF000_0000,
            stack_size=0x1_0000,
            percpu=0xFF00_0000,
            user_low=0x1000,
            user_high=numbers.task_size,
            kernel=numbers.kernel,
            end=0xFFF0_0000,
            pointer=4,
            order="big",
            high_bits=numbers.kernel,
            aligned=4,
        )
        if numbers.kuap is not None:
            at = self.layout.percpu + numbers.kuap
            self.private = range(at, at + 4)

    def engine(self) -> unicorn.Uc:
        """Create an emulator without memory."""
        mode = unicorn.UC_MODE_PPC32 | unicorn.UC_MODE_BIG_ENDIAN
        engine = unicorn.Uc(unicorn.UC_ARCH_PPC, mode)
        engine.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)
        return engine

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        """Apply a relocation. Raises LinkError for unknown kinds."""
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

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Do nothing: the object is run unpatched."""

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """thread.kuap: no segment is unlocked."""
        if self._numbers.kuap is None:
            return {}
        return {self.private.start: NONE.to_bytes(4, "big")}

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        return decode(int.from_bytes(code[:4], "big"), self._numbers.line)

    def enter(
        self, engine: unicorn.Uc, space: AddressSpace, start: int, back: int
    ) -> None:
        """Set the registers on entry to a function, except its arguments."""
        self.poisoned(engine, poison.FOUND, self.general)
        # Room for the back chain and LR in the caller's frame.
        stack = space.layout.stack + space.layout.stack_size * 3 // 4
        space.write(stack, bytes(8))
        engine.reg_write(STACK, stack)
        engine.reg_write(CURRENT, self.layout.percpu)
        engine.reg_write(uc.UC_PPC_REG_LR, back)
        engine.reg_write(uc.UC_PPC_REG_CR, 0)
        engine.reg_write(uc.UC_PPC_REG_XER, 0)
        for number, register in enumerate(KEPT):
            locked = KEY | number if self._numbers.kuap is not None else LOCKED
            engine.reg_write(register, locked)

    def leave(self, engine: unicorn.Uc, space: AddressSpace) -> int:
        """Return from a function just entered; returns the address to continue at."""
        back = int(engine.reg_read(uc.UC_PPC_REG_LR)) & ~3
        self.go(engine, back)
        return back

    def clobber(self, engine: unicorn.Uc, number: int, size: int) -> None:
        """Clobber the caller-saved registers, and return a number of ``size`` bytes."""
        self.poisoned(engine, poison.SPOILED, self.spoiled)
        if size > 4:
            engine.reg_write(GPR[4], number & WORD)
            number >>= 32
        engine.reg_write(GPR[3], number & WORD)

    def result(self, engine: unicorn.Uc, size: int) -> int:
        """The return value of a function, of ``size`` bytes."""
        first = int(engine.reg_read(GPR[3]))
        if size > 4:
            return first << 32 | int(engine.reg_read(GPR[4]))
        return first & ((1 << 8 * size) - 1)

    def is_open(self, engine: unicorn.Uc, stores: bool = True) -> bool:
        """Whether user access is open; segments are only locked for stores.

        An access to another segment than the unlocked one faults, but is then allowed
        (__bad_kuap_fault() of asm/book3s/32/kup.h).
        """
        if self._numbers.kuap is None:
            return bool((engine.reg_read(KEPT[0]) ^ LOCKED) & GROUP)
        return not stores or not all(engine.reg_read(each) & KEY for each in KEPT)

    def fault(self, engine: unicorn.Uc, fixup: Fixup) -> str:
        """Continue at the fixup, whose code does the rest."""
        self.go(engine, fixup.target)
        return ""

    def perform(self, engine: unicorn.Uc, address: int, step: Step) -> int:
        """Emulate a system instruction; returns the address to continue at."""
        found = fields(step.code)
        if found.kept is not None:
            kept = KEPT[found.kept]
        elif found.segment is not None:
            kept = KEPT[int(engine.reg_read(GPR[found.segment])) >> 28]
        else:
            # A timer, which is stopped; there are no interrupts; dcbz is only used in loops that
            # copy to all that it clears.
            if found.reads:
                engine.reg_write(GPR[found.register], 0)
            return address + 4
        if found.reads:
            engine.reg_write(GPR[found.register], int(engine.reg_read(kept)) & WORD)
        else:
            engine.reg_write(kept, int(engine.reg_read(GPR[found.register])) & WORD)
        return address + 4
