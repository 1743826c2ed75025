# SPDX-License-Identifier: GPL-2.0
"""ARM64 for the symbolic engine, without PAN in hardware as in objects/arm64.py."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo
import capstone
import pyvex
import z3

from hotcocci.machine import arm64 as a64
from hotcocci.proof.objects import arm64 as own
from hotcocci.proof.objects.arm64 import WORD
from hotcocci.proof.objects.image import Fixup
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
from hotcocci.proof.symbolic.flags import WIDTH, Flag, Flags, Thunk, decided
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

ARCH = archinfo.ArchAArch64()
GENERAL = offsets(ARCH, " ".join(f"x{n}" for n in range(31)))
(STACK,) = offsets(ARCH, "xsp")
FLAGS = offsets(ARCH, "cc_op cc_dep1 cc_dep2 cc_ndep")
# Registers missing in VEX, by their numbers in mrs and msr, are placed above its own.
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
    """See Architecture."""

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
    task: int | None = own.PERCPU
    tracers: Sequence[str] = own.TRACERS

    def __init__(self, processor: Processor) -> None:
        self.layout = processor.layout
        self.convention = processor.convention
        self._capstone = capstone.Cs(capstone.CS_ARCH_ARM64, capstone.CS_MODE_ARM)

    def lift(self, code: bytes, address: int, count: int) -> pyvex.IRSB:
        """Lift instructions to VEX, with ldtr and sttr, which it lacks, as ldur and stur.

        They differ only in the permissions checked.
        """
        words = struct.unpack(f"<{count}I", code[: 4 * count])
        known = (w & ~0x800 if w in a64.UNPRIVILEGED else w for w in words)
        return super().lift(struct.pack(f"<{count}I", *known), address, count)

    def decode(self, code: bytes, address: int) -> Decoded:
        word = int.from_bytes(code[:4], "little")
        found = next(self._capstone.disasm(code[:4], address, 1), None)
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
            (SP_EL0, own.PERCPU),
            (TPIDR_EL1, (own.VARIABLES - own.OUTSIDE) & WORD),
            (a64.TTBR0_EL1, own.CLOSED_TABLE),
            (a64.TTBR1_EL1, own.KERNEL_TABLE),
        ):
            found[ABOVE + 8 * number] = value
        # Only four bits are used.
        masks = v.term(v.unknown("argument masks", 4), 4)
        found[ABOVE + 8 * DAIF] = v.concat(0, v.concat(masks, 0, 4, MASKS), 54, 10)
        return found

    def fault(self, state: State, fixup: Fixup) -> State:
        """Continue at the fixup (arch/arm64/mm/extable.c). Raises UnsupportedError."""
        if fixup.kind not in (own.USER, own.KERNEL):
            raise UnsupportedError(f"exception table type {fixup.kind}")
        changes = {GENERAL[n]: value for n, value in own.changed(fixup).items()}
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
        if number == DAIF or number == a64.TTBR1_EL1 and value == own.KERNEL_TABLE:
            return state
        if number == a64.TTBR0_EL1 and value in (own.USER_TABLE, own.CLOSED_TABLE):
            return replace(state, open=value == own.USER_TABLE)
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
