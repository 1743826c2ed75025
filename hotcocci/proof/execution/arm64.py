# SPDX-License-Identifier: GPL-2.0
"""Execute ARM64 code on a processor without PAN, as with CONFIG_ARM64_SW_TTBR0_PAN.

The object contains the code for a processor without any of the capabilities of alternatives, and
is run unpatched. Windows then write TTBR0_EL1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import unicorn
from unicorn import arm64_const as uc

from hotcocci.machine import arm64_insn as a64
from hotcocci.machine import elf
from hotcocci.machine.code import signed
from hotcocci.machine.elf import ObjectFile, Relocation
from hotcocci.proof.execution import poison
from hotcocci.proof.execution.image import Image, LinkError, filled
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.processor import (
    PLAIN,
    SYSTEM,
    TRAP,
    Place,
    Processor,
    Step,
)
from hotcocci.proof.execution.space import Layout, Registry
from hotcocci.proof.execution.tables import Fixup

# TTBR1_EL1, and TTBR0_EL1 with user access open and closed (__uaccess_ttbr0_disable() of
# asm/uaccess.h); no address space has a number (ASID), or the emulator would forget its TLB.
KERNEL_TABLE, USER_TABLE = 0x4100_0000, 0x4800_0000
CLOSED_TABLE = KERNEL_TABLE - 0x1000
# EL1 with its own stack pointer and interrupts on.
STATE = 0x5

# arch/arm64/include/asm/asm-extable.h
USER, KERNEL = 2, 3
EFAULT = 14

# Absolute and relative relocations, with their size in bytes.
ABSOLUTE = {**elf.ABSOLUTE[elf.ARM64], 259: 2}
RELATIVE = {260: 8, 261: 4, 262: 2}
TRACERS = ("_mcount",)

# A branch reaches 128 MB, so image and outside are adjacent.
IMAGE = 0xFFFF_8000_8000_0000
OUTSIDE = IMAGE + 0x0300_0000
PERCPU = 0xFFFF_0000_C000_0000
# Per-CPU variables are after the current task.
VARIABLES = PERCPU + 0x4000_0000

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
    """Decode an instruction, as far as linking and execution need more than the emulator.

    Fields are named as in the Arm Architecture Reference Manual, C4 and C6.
    """
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


@dataclass(frozen=True)
class Numbers:
    """Values from the configuration: the end of user space, and the offset of thread_info.ttbr0."""

    task_size: int
    table: int


def changed(fixup: Fixup) -> dict[int, int]:
    """The registers that a fault sets, by number, with their values."""
    found = {fixup.data & 31: -EFAULT & WORD, fixup.data >> 5 & 31: 0}
    return {number: value for number, value in found.items() if number != a64.ZERO}


class Arm64(Processor):
    """See Processor."""

    support: Sequence[str] = (
        "arch/arm64/lib/copy_from_user.S",
        "arch/arm64/lib/copy_to_user.S",
        "arch/arm64/lib/clear_user.S",
        "lib/usercopy.c",
    )
    copies: Mapping[str, int] = MappingProxyType(
        {
            "__arch_copy_from_user": 2,
            "__arch_copy_to_user": 2,
            "__arch_clear_user": 1,
        }
    )
    general: Sequence[int] = REGISTERS
    # x18 is the platform register, and an ordinary one without shadow call stack.
    spoiled: Sequence[int] = REGISTERS[:19]
    arguments: Sequence[int] = REGISTERS[:8]
    stack_pointer = int(uc.UC_ARM64_REG_SP)
    program_counter = int(uc.UC_ARM64_REG_PC)
    tracers: Sequence[str] = TRACERS
    convention = Convention(
        8, 8, largest=16, by_reference=True, returned=16, elsewhere=True
    )
    # The registers used by marks.py.
    marked = (REGISTERS[9], REGISTERS[10])

    def __init__(self, numbers: Numbers) -> None:
        self._numbers = numbers
        self.layout = Layout(
            image=IMAGE,
            spacing=0x4000,
            outside=OUTSIDE,
            room=0x4000,
            stack=0xFFFF_8000_C000_0000,
            stack_size=0x1_0000,
            percpu=PERCPU,
            user_low=0x1000,
            user_high=numbers.task_size,
            # Bit 55 selects the half of the address space; a tag may be above it.
            kernel=0xFF80_0000_0000_0000,
            end=0xFFFF_FFFF_F000_0000,
            pointer=8,
            aligned=8,
        )

    def engine(self) -> unicorn.Uc:
        """Create an emulator without memory."""
        engine = unicorn.Uc(unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM)
        engine.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)
        return engine

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        """Apply a relocation. Raises LinkError for unknown kinds."""
        if filled(image, place, found.kind, value, ABSOLUTE, RELATIVE):
            return
        word = int.from_bytes(image.read(place, 4), "little")
        fresh = relocated(word, found.kind, place, value & WORD)
        if fresh is None:
            raise LinkError(f"relocation {found.kind} is not known, or out of reach")
        image.write(place, fresh.to_bytes(4, "little"))

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Do nothing: the object is run unpatched."""

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """The page tables that opening user access installs."""
        return {PERCPU + self._numbers.table: USER_TABLE.to_bytes(8, "little")}

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        return decode(int.from_bytes(code[:4], "little"))

    def enter(
        self, engine: unicorn.Uc, space: AddressSpace, start: int, back: int
    ) -> None:
        """Set the registers on entry to a function, except its arguments."""
        self.poisoned(engine, poison.FOUND, self.general)
        for register, value in (
            (uc.UC_ARM64_REG_PSTATE, STATE),
            (self.stack_pointer, self.layout.stack + self.layout.stack_size * 3 // 4),
            (uc.UC_ARM64_REG_SP_EL0, PERCPU),
            (uc.UC_ARM64_REG_TPIDR_EL1, VARIABLES - OUTSIDE & WORD),
            (uc.UC_ARM64_REG_TTBR0_EL1, CLOSED_TABLE),
            (uc.UC_ARM64_REG_TTBR1_EL1, KERNEL_TABLE),
            (LINK, back),
        ):
            engine.reg_write(register, value)

    def leave(self, engine: unicorn.Uc, space: AddressSpace) -> int:
        """Return from a function just entered; returns the address to continue at."""
        back = int(engine.reg_read(LINK))
        self.go(engine, back)
        return back

    def clobber(self, engine: unicorn.Uc, number: int, size: int) -> None:
        """Clobber the caller-saved registers, and return a number of ``size`` bytes."""
        self.poisoned(engine, poison.SPOILED, self.spoiled)
        engine.reg_write(REGISTERS[0], number & WORD)

    def result(self, engine: unicorn.Uc, size: int) -> int:
        """The return value of a function, of ``size`` bytes."""
        return int(engine.reg_read(REGISTERS[0])) & ((1 << 8 * size) - 1)

    def is_open(self, engine: unicorn.Uc, stores: bool = True) -> bool:
        """Whether user access is open, always for both directions."""
        return bool(engine.reg_read(uc.UC_ARM64_REG_TTBR0_EL1) == USER_TABLE)

    def fault(self, engine: unicorn.Uc, fixup: Fixup) -> str:
        """Continue at the fixup (arch/arm64/mm/extable.c); returns an error, or "" if it is known."""
        if fixup.kind not in (USER, KERNEL):
            return f"exception table type {fixup.kind}"
        for number, value in changed(fixup).items():
            engine.reg_write(REGISTERS[number], value)
        self.go(engine, fixup.target)
        return ""

    def perform(self, engine: unicorn.Uc, address: int, step: Step) -> int:
        """Emulate a system instruction; returns the address to continue at."""
        register = REGISTERS[step.code & 31]
        if step.code >> 24 == 0xD6:
            # Function pointers are random numbers, which need not be aligned.
            register = REGISTERS[step.code >> 5 & 31]
            target = int(engine.reg_read(register)) & ~3
            if step.code >> 21 & 1:
                engine.reg_write(LINK, address + 4)
            return target
        # A timer, which is stopped.
        engine.reg_write(register, 0)
        return address + 4
