# SPDX-License-Identifier: GPL-2.0
"""ARM64: its code is linked and run for a processor without PAN, as with CONFIG_ARM64_SW_TTBR0_PAN.

The object contains the code for a processor without any of the capabilities of alternatives, and
stays unpatched. Windows then write TTBR0_EL1.
"""

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo
import capstone
import pyvex
import z3

from hotcocci.machine import arm64 as a64
from hotcocci.machine import elf
from hotcocci.machine.elf import ObjectFile, Relocation
from hotcocci.proof.objects.image import Fixup, Image, Layout, LinkError, Registry
from hotcocci.proof.objects.link import filled
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
from hotcocci.proof.symbolic.flags import WIDTH, Flag, Flags, Thunk, decided
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

# TTBR1_EL1, and TTBR0_EL1 with user access open and closed (__uaccess_ttbr0_disable() of asm/uaccess.h).
KERNEL_TABLE, USER_TABLE = 0x4100_0000, 0x4800_0000
CLOSED_TABLE = KERNEL_TABLE - 0x1000
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


def changed(fixup: Fixup) -> dict[int, int]:
    """The registers that a fault sets, by number, with their values."""
    found = {fixup.data & 31: -EFAULT & WORD, fixup.data >> 5 & 31: 0}
    return {number: value for number, value in found.items() if number != a64.ZERO}


ARCH = archinfo.ArchAArch64()
_CAPSTONE = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)
GENERAL = offsets(ARCH, " ".join(f"x{n}" for n in range(31)))
(STACK,) = offsets(ARCH, "xsp")
FLAGS = offsets(ARCH, "cc_op cc_dep1 cc_dep2 cc_ndep")
# Registers missing in VEX, by their numbers in mrs and msr, are placed above its
ABOVE = 0x1_0000
SP_EL0, TPIDR_EL1, DAIF = 0x4208, 0x4684, 0x5A11
REGISTERS = Registers(
    64,
    sp=STACK,
    results=(GENERAL[0], GENERAL[1]),
    arguments=GENERAL[:8],
    # x18 is an ordinary register without shadow call stack; a call itself changes x30.
    spoiled=(*GENERAL[:19], GENERAL[30]),
    numbered=GENERAL,
    marked=(GENERAL[9], GENERAL[10]),
    link=GENERAL[30],
    ambient=(ABOVE + 8 * DAIF,),
)
# msr daifset and daifclr, and the shift of their operand in DAIF.
DAIFSET, DAIFCLR, MASKS = 0xD50340DF, 0xD50340FF, 6
# The bit that selects the half of the address space.
UPPER = 55
# wfe, wfi, sev and sevl
EVENTS = range(2, 6)
SB = 0xD50330FF
# The operations in ARM64G_CC_OP_*, and the flags' bits; a subtraction sets the carry if it does not borrow.
CONDITION_FLAGS = Flags(
    "add sub adc sbb logic".split(),
    (32, 64),
    {Flag.SIGN: 31, Flag.ZERO: 30, Flag.CARRY: 29, Flag.OVERFLOW: 28},
    inverted=True,
)
# Helpers of VEX for one flag
HELPERS = {
    "arm64g_calculate_flag_n": Flag.SIGN,
    "arm64g_calculate_flag_z": Flag.ZERO,
    "arm64g_calculate_flag_c": Flag.CARRY,
    "arm64g_calculate_flag_v": Flag.OVERFLOW,
}
# By number; each is followed by its opposite, the last ones also preceded.
CONDITIONS = [
    Flag(name) for name in "zero carry sign overflow not_above less not_greater".split()
]
OPPOSITES = (Flag.NOT_ABOVE, Flag.LESS, Flag.NOT_GREATER)


class Arm64(Architecture):
    """See Architecture; ``table`` is the offset of thread_info.ttbr0."""

    registers = REGISTERS
    arch = ARCH
    flags: Sequence[int] = FLAGS
    framed: Mapping[int, int] = MappingProxyType({29: GENERAL[29], 31: STACK})
    # arch/arm64/lib/copy_template.S: destination, source, bytes
    loads: Sequence[str] = ("__arch_copy_from_user",)
    stores: Sequence[str] = ("__arch_copy_to_user",)
    fills: Sequence[str] = ("__arch_clear_user",)
    whole = frozenset((*loads, *stores, *fills))
    # __get_user_error() of asm/uaccess.h, without asm goto with outputs
    tells_zeros = False
    # A division by 0 gives 0; unaligned exclusive accesses trap on both sides.
    ignored = frozenset({"Ijk_SigFPE_IntDiv", "Ijk_SigBUS"})
    task: int | None = PERCPU
    tracers: Sequence[str] = TRACERS

    support: Sequence[str] = (
        "arch/arm64/lib/copy_from_user.S",
        "arch/arm64/lib/copy_to_user.S",
        "arch/arm64/lib/clear_user.S",
        "lib/usercopy.c",
    )
    convention = Convention(
        8, 8, largest=16, by_reference=True, returned=16, elsewhere=True
    )

    def __init__(self, task_size: int, table: int) -> None:
        self._table = table
        self.layout = Layout(
            image=IMAGE,
            spacing=0x4000,
            outside=OUTSIDE,
            room=0x4000,
            stack=range(0xFFFF_8000_C000_0000, 0xFFFF_8000_C001_0000),
            percpu=PERCPU,
            user_low=0x1000,
            user_high=task_size,
            # Bit 55 selects the half of the address space; a tag may be above it.
            kernel=0xFF80_0000_0000_0000,
            end=0xFFFF_FFFF_F000_0000,
            pointer=8,
        )

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        if filled(image, place, found.kind, value, ABSOLUTE, RELATIVE):
            return
        word = int.from_bytes(image.read(place, 4), "little")
        fresh = relocated(word, found.kind, place, value & WORD)
        if fresh is None:
            raise LinkError(f"relocation {found.kind} is not known, or out of reach")
        image.write(place, fresh.to_bytes(4, "little"))

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        word = int.from_bytes(code[:4], "little")
        distance = a64.distance(word)
        if distance is None:
            return Step(4)
        mask = 0x3FF_FFFF if word in a64.B else 0xFF_FFE0
        if word in a64.TBZ:
            mask = 0x7_FFE0
        target = address + distance & WORD
        return Step(4, target, (word & ~mask).to_bytes(4, "little"))

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """The page tables that opening user access installs."""
        return {PERCPU + self._table: USER_TABLE.to_bytes(8, "little")}

    def lift(self, code: bytes, address: int, count: int) -> pyvex.IRSB:
        """Lift instructions to VEX, with ldtr and sttr, which it lacks, as ldur and stur.

        They differ only in the permissions checked.
        """
        words = struct.unpack(f"<{count}I", code[: 4 * count])
        known = (w & ~0x800 if w in a64.UNPRIVILEGED else w for w in words)
        return super().lift(struct.pack(f"<{count}I", *known), address, count)

    def decode(self, code: bytes, address: int) -> Decoded:
        word = int.from_bytes(code[:4], "little")
        found = next(_CAPSTONE.disasm(code[:4], address, 1), None)
        # capstone does not know all instructions of VEX.
        text = f"{found.mnemonic} {found.op_str}".strip() if found else f"{word:08x}"
        if word in a64.SYSTEM:
            return Decoded(4, _system(word, text), text, code=word)
        if word in a64.BRK:
            return Decoded(4, Kind.TRAP, text)
        if word >> 26 & 3 == 3:
            raise UnsupportedError(f"a vector instruction: '{text}'")
        if word in a64.EXCLUSIVE:
            return _exclusive(word, text)
        if word >> 24 == 0xD4 or word in a64.ATOMIC:
            # System calls; the atomic operations of ARMv8.1, which this processor lacks
            raise UnsupportedError(f"'{text}'")
        if word in a64.UNSIGNED_OFFSET and word in a64.PREFETCH:
            return Decoded(4, Kind.NOTHING, text)
        return _branch(word, address, text)

    def start(self, side: str) -> dict[int, Word]:
        found = self.poisoned(side)
        found |= dict.fromkeys(FLAGS, 0)
        for number, value in (
            (SP_EL0, PERCPU),
            (TPIDR_EL1, (VARIABLES - OUTSIDE) & WORD),
            (a64.TTBR0_EL1, CLOSED_TABLE),
            (a64.TTBR1_EL1, KERNEL_TABLE),
        ):
            found[ABOVE + 8 * number] = value
        # Only four bits are used.
        masks = v.term(v.unknown("argument masks", 4), 4)
        found[ABOVE + 8 * DAIF] = v.concat(0, v.concat(masks, 0, 4, MASKS), 54, 10)
        return found

    def fault(self, state: State, fixup: Fixup) -> State:
        """Continue at the fixup (arch/arm64/mm/extable.c). Raises UnsupportedError."""
        if fixup.kind not in (USER, KERNEL):
            raise UnsupportedError(f"exception table type {fixup.kind}")
        changes = {GENERAL[n]: value for n, value in changed(fixup).items()}
        return replace(with_registers(state, changes), pc=fixup.target)

    def zeroed(self, fixup: Fixup | None, routine: str) -> int | None:
        number = a64.ZERO if fixup is None else fixup.data >> 5 & 31
        return None if number == a64.ZERO else GENERAL[number]

    def perform(self, state: State, found: Decoded) -> State:
        word = found.code
        if word & 0xFFFFF0FF in (DAIFSET, DAIFCLR):
            bits = (word >> 8 & 15) << MASKS
            held = v.term(state.registers[ABOVE + 8 * DAIF], 64)
            masks = held | bits if word & 0xFF == DAIFSET & 0xFF else held & ~bits
            return with_registers(state, {ABOVE + 8 * DAIF: v.plain(masks)})
        number, general = word >> 5 & 0x7FFF, word & 31
        place = ABOVE + 8 * number
        if place not in state.registers:
            raise UnsupportedError(f"'{found.text}'")
        if word >> 21 & 1:
            if general == a64.ZERO:
                return state
            return with_registers(state, {GENERAL[general]: state.registers[place]})
        value = 0 if general == a64.ZERO else state.registers[GENERAL[general]]
        state = with_registers(state, {place: value})
        if number == DAIF or number == a64.TTBR1_EL1 and value == KERNEL_TABLE:
            return state
        if number == a64.TTBR0_EL1 and value in (USER_TABLE, CLOSED_TABLE):
            return replace(state, open=value == USER_TABLE)
        raise UnsupportedError(f"'{found.text}' of another value")

    def untagged(self, address: Word) -> Word:
        """A user address as the processor uses it: without the top byte (TBI)."""
        if isinstance(address, int):
            return address & v.mask(56)
        return v.zero_extended(v.extract(address, 55, 0), 56, 64)

    def unmasked(self, address: Word) -> tuple[Word, Truth]:
        """The argument of uaccess_mask_ptr(), which clears bit 55, and when the address is unchanged."""
        if not isinstance(address, int) and z3.is_app_of(address, z3.Z3_OP_BAND):
            for one, other in (address.children(), address.children()[::-1]):
                if z3.is_bv_value(other) and other.as_long() == WORD & ~(1 << UPPER):
                    return one, z3.Extract(UPPER, UPPER, one) == 0
        return address, 1

    def condition(self, name: str, arguments: Sequence[Word]) -> Word:
        thunk = Thunk(*arguments)
        if name == "arm64g_calculate_condition":
            return v.as_word(decided(thunk, _condition), WIDTH)
        if name == "arm64g_calculate_flags_nzcv":
            return CONDITION_FLAGS.register(thunk)
        if name in HELPERS:
            return v.as_word(CONDITION_FLAGS.holds(HELPERS[name], thunk), WIDTH)
        return super().condition(name, arguments)


def _system(word: int, text: str) -> Kind:
    """Classify hints, barriers, mrs and msr. Raises UnsupportedError."""
    if word in (a64.CSDB, SB):
        return Kind.BOUND
    if word in a64.HINT:
        # nop, yield, bti and pointer authentication, which this processor lacks
        return Kind.FENCE if word >> 5 & 0x7F in EVENTS else Kind.NOTHING
    if word in a64.BARRIER:
        # Beside isb: dmb, dsb and clrex
        return Kind.NOTHING if word in a64.ISB else Kind.FENCE
    if word & 0xFFFFF0FF in (DAIFSET, DAIFCLR):
        return Kind.SYSTEM
    if word >> 20 & 1 and word in a64.SYSTEM:
        # mrs and msr of a register
        if word >> 5 & 0x7FFF in (0x5A10, 0x5A20, 0x5A21):
            # NZCV, FPCR and FPSR
            raise UnsupportedError(f"'{text}'")
        return Kind.SYSTEM
    raise UnsupportedError(f"'{text}'")


def _exclusive(word: int, text: str) -> Decoded:
    """Decode exclusive, acquire and release accesses. Raises UnsupportedError."""
    pair, ordered, single = word >> 21 & 1, bool(word >> 15 & 1), word >> 23 & 1
    if pair or single and not ordered:
        # Pairs; compare and swap, and limited ordering
        raise UnsupportedError(f"'{text}'")
    kind = Kind.LINKED if word >> 22 & 1 else Kind.CONDITIONAL
    return Decoded(4, Kind.VOLATILE if single else kind, text, ordered=ordered)


def _branch(word: int, address: int, text: str) -> Decoded:
    """Decode a branch, or any other instruction of VEX."""
    distance, through = a64.distance(word), word in a64.BR
    if distance is not None:
        return Decoded(4, Kind.PLAIN, text, ends=True, calls=address + distance & WORD)
    ends = word in a64.BRANCH_REGISTER
    if ends and not through and word not in a64.RET:
        raise UnsupportedError(f"'{text}'")
    return Decoded(4, Kind.PLAIN, text, ends=ends, through=through)


def _condition(thunk: Thunk) -> Truth:
    """Whether a condition holds, whose code is above the operation."""
    number = thunk.operation
    assert isinstance(number, int)
    code = number >> 4
    if code >= 2 * len(CONDITIONS):
        return 1
    name = CONDITIONS[code >> 1]
    holds = CONDITION_FLAGS.holds(name, replace(thunk, operation=number & 15))
    opposite = bool(code & 1) != (name in OPPOSITES)
    return v.negation(holds) if opposite else holds
