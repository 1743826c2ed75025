# SPDX-License-Identifier: GPL-2.0
"""Decode ARM64, where software PAN opens windows by writing TTBR0_EL1 (CONFIG_ARM64_SW_TTBR0_PAN).

The object contains the code for machines without PAN; alternatives skip it on others. Encodings are
named as in the Arm Architecture Reference Manual (C4.1).
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from hotcocci.machine import code
from hotcocci.machine.code import (
    Instruction,
    Marks,
    Names,
    direct,
    jump_labels,
    marked,
    signed,
    words,
)
from hotcocci.machine.elf import Address, ObjectFile

CSDB = 0xD503229F
# The 15 bits that name a system register in mrs and msr, above Rt
TTBR0_EL1, TTBR1_EL1 = 0x4100, 0x4101
# Register numbers. 31 is the stack pointer as a base, and the zero register elsewhere.
FP, SP, ZERO = 29, 31, 31
# arch/arm64/include/asm/uaccess.h
WINDOWS = {"__uaccess_ttbr0_enable": code.OPEN, "__uaccess_ttbr0_disable": code.CLOSE}
# The same as calls: they are inline, but not __always_inline.
CALLS = {
    **WINDOWS,
    "uaccess_ttbr0_enable": code.OPEN,
    "uaccess_ttbr0_disable": code.CLOSE,
}
# Functions that install an address space: task switch, idle, EFI, kexec.
SPACES = (
    "cpu_switch_mm cpu_do_switch_mm cpu_set_reserved_ttbr0 cpu_set_reserved_ttbr0_nosync "
    "cpu_uninstall_idmap __cpu_set_tcr_t0sz cpu_install_idmap cpu_install_ttbr0 check_and_switch_context"
).split()
EFFECTS = {**WINDOWS, **dict.fromkeys(SPACES, "")}
# struct alt_instr (arch/arm64/include/asm/alternative.h): instruction, replacement, capability, both lengths.
ENTRY = 12


@dataclass(frozen=True)
class Encoding:
    """The instructions with ``value`` in the bits of ``mask``."""

    mask: int
    value: int

    def __contains__(self, word: int) -> bool:
        return word & self.mask == self.value


# b and bl; b.cond; cbz and cbnz; tbz and tbnz
B = Encoding(0x7C000000, 0x14000000)
B_COND = Encoding(0xFF000000, 0x54000000)
CBZ = Encoding(0x7E000000, 0x34000000)
TBZ = Encoding(0x7E000000, 0x36000000)
# All branches to a register; ret; br and blr without pointer authentication
BRANCH_REGISTER = Encoding(0xFE000000, 0xD6000000)
RET = Encoding(0xFFFFFC1F, 0xD65F0000)
BR = Encoding(0xFFDFFC1F, 0xD61F0000)
BRK = Encoding(0xFFE0001F, 0xD4200000)

SYSTEM = Encoding(0xFFC00000, 0xD5000000)
HINT = Encoding(0xFFFFF01F, 0xD503201F)
# clrex, dsb, dmb, isb and sb
BARRIER = Encoding(0xFFFFF01F, 0xD503301F)
ISB = Encoding(0xFFFFF0FF, 0xD50330DF)
DSB = Encoding(0xFFFFF0FF, 0xD503309F)
MSR_TTBR0 = Encoding(0xFFFFFFE0, 0xD5100000 | TTBR0_EL1 << 5)

LOAD_STORE = Encoding(0x0A000000, 0x08000000)
# Exclusive and acquire/release accesses; cas
EXCLUSIVE = Encoding(0x3F000000, 0x08000000)
CAS = Encoding(0x3FA07C00, 0x08A07C00)
LITERAL = Encoding(0x3B000000, 0x18000000)
# Accesses of one register: all; ldadd, swp and other atomics; with an unsigned offset
ONE_REGISTER = Encoding(0x3A000000, 0x38000000)
ATOMIC = Encoding(0x3B200C00, 0x38200000)
UNSIGNED_OFFSET = Encoding(0x3B000000, 0x39000000)
UNPRIVILEGED = Encoding(0x3F200C00, 0x38000800)
# prfm, among the accesses of one register
PREFETCH = Encoding(0xC4C00000, 0xC0800000)


def distance(word: int) -> int | None:
    """The distance of a branch to a label, in bytes; None for other instructions."""
    if word in B:
        return 4 * signed(word, 26)
    if word in B_COND or word in CBZ:
        return 4 * signed(word >> 5, 19)
    if word in TBZ:
        return 4 * signed(word >> 5, 14)
    return None


def is_vector(word: int) -> bool:
    """Whether a load or store uses SIMD or floating-point registers."""
    return bool(word >> 26 & 1)


def loads(word: int) -> bool:
    """Whether a load or store reads memory; atomic operations do both."""
    if word in LITERAL:
        return word >> 30 != 3 or is_vector(word)
    if word not in ONE_REGISTER:
        # Pairs, exclusives, vectors
        return bool(word >> 22 & 1) or word in CAS
    if word in ATOMIC:
        return True
    operation = word >> 22 & 3
    if is_vector(word):
        return bool(operation & 1)
    return operation != 0 and word not in PREFETCH


class Arm64:
    """ARM64; ``pan`` is the number of the capability ARM64_HAS_PAN."""

    def __init__(self, pan: int | None) -> None:
        self._pan = pan

    def decode(
        self, obj: ObjectFile, start: Address, end: int
    ) -> Iterator[Instruction]:
        for address, word in words(obj, start, end):
            yield _instruction(obj, address, word)

    def marks(self, obj: ObjectFile, names: Names) -> Marks:
        at = marked(obj, names, EFFECTS, MSR_TTBR0.__contains__)
        labels, others = jump_labels(obj), self._alternatives(obj)
        edges = {a: (*labels.get(a, ()), *others.get(a, ())) for a in labels | others}
        return Marks(at, edges, calls=CALLS, saves=False)

    def _alternatives(self, obj: ObjectFile) -> dict[Address, tuple[Address, ...]]:
        """The targets of alternatives that branch or are patched to a nop."""
        found: dict[Address, tuple[Address, ...]] = {}
        for section in obj.named(".altinstructions"):
            data = obj.data(section)
            for entry in range(0, len(data) - ENTRY + 1, ENTRY):
                fields = struct.unpack_from("<HBB", data, entry + 8)
                capability, length, other_length = fields
                # The highest bit means that a callback does the patching (ARM64_CB_BIT).
                if capability & 0x7FFF == self._pan:
                    continue
                source = obj.pointed(section, entry)
                if source is None or length != 4:
                    continue
                other = obj.pointed(section, entry + 4)
                if other_length == 0:
                    # Patched to a nop: alternative_has_cap_likely()
                    found[source] = (Address(source.section, source.offset + 4),)
                elif other is not None:
                    (replaced,) = self.decode(obj, other, other.offset + 4)
                    if replaced.kind == code.JUMP and replaced.target is not None:
                        found[source] = (replaced.target,)
        return found


def _instruction(obj: ObjectFile, address: Address, word: int) -> Instruction:
    away = distance(word)
    if away is not None:
        kind = (code.CALL if word >> 31 else code.JUMP) if word in B else code.BRANCH
        return direct(obj, address, kind, away)
    if word in BRANCH_REGISTER:
        # br, blr, ret; with pointer authentication or not
        kinds = {0: code.INDIRECT, 1: code.CALL}
        return Instruction(address, 4, kinds.get(word >> 21 & 7, code.RETURN))
    if word in BRK:
        return Instruction(address, 4, code.TRAP)
    # csdb is the only hint that always has an effect.
    fence = word in ISB or word in DSB or word == CSDB
    nop = word in HINT and not fence
    return Instruction(address, 4, nop=nop, fence=fence, load=_loads(word))


def _loads(word: int) -> bool:
    """Whether an instruction reads memory other than the stack (based on sp or the frame pointer)."""
    if word not in LOAD_STORE or not loads(word):
        return False
    return word in LITERAL or word >> 5 & 31 not in (FP, SP)
