# SPDX-License-Identifier: GPL-2.0
"""Encodings of ARM64 instructions, named as in the Arm Architecture Reference Manual (C4.1)."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.machine.code import signed


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
CSDB = 0xD503229F
# clrex, dsb, dmb, isb and sb
BARRIER = Encoding(0xFFFFF01F, 0xD503301F)
ISB = Encoding(0xFFFFF0FF, 0xD50330DF)
DSB = Encoding(0xFFFFF0FF, 0xD503309F)
# The 15 bits that name a system register in mrs and msr, above Rt
TTBR0_EL1, TTBR1_EL1 = 0x4100, 0x4101
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

# Register numbers. 31 is the stack pointer as a base, and the zero register elsewhere.
FP, SP, ZERO = 29, 31, 31


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
