# SPDX-License-Identifier: GPL-2.0
"""Names and kinds of x86 instructions and registers, as capstone decodes them."""

from __future__ import annotations

import re
from functools import lru_cache

import capstone
from capstone import x86_const as cs

# The general registers, in the order of pt_regs_nr() (struct pt_regs, arch/x86/include/asm/insn-eval.h).
GENERAL = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
# The number of the general register by its names in every width.
NUMBERS = {
    name: number
    for number, names in enumerate(
        "rax eax ax al ah|rcx ecx cx cl ch|rdx edx dx dl dh|rbx ebx bx bl bh|rsp esp sp spl"
        "|rbp ebp bp bpl|rsi esi si sil|rdi edi di dil".split("|")
    )
    for name in names.split()
}
NUMBERS |= {f"r{n}{width}": n for n in range(8, 16) for width in ("", "d", "w", "b")}

# Size in bytes of the longest instruction
LONGEST = 15
RETURN_THUNKS = ("__x86_return_thunk", "srso_return_thunk", "its_return_thunk")
THUNK = re.compile(r"^__x86_indirect_(?:call_|jump_)?thunk_(\w+)$")
# ftrace replaces these by nops at boot.
TRACERS = ("__fentry__", "mcount")
TRAPS = ("ud2", "ud1")
# Instructions with a memory operand that they do not load from
UNREAD = ("lea", "nop", "prefetch", "clflush", "clwb", "invlpg", "stos", "fst")


@lru_cache
def decoder() -> capstone.Cs:
    """The decoder of 64-bit code, with operands."""
    found = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    found.detail = True
    return found


def decode(code: bytes, address: int) -> capstone.CsInsn | None:
    """The instruction at an address; None if it is not known."""
    return next(decoder().disasm(code, address, 1), None)


def mnemonic(name: str) -> str:
    """The name of an instruction without prefixes such as "lock"."""
    return name.rpartition(" ")[2]


def is_string(found: capstone.CsInsn) -> bool:
    """Whether an instruction copies or fills as many elements as a register says."""
    name = str(found.mnemonic)
    return name.startswith("rep") and mnemonic(name)[:4] in ("movs", "stos")


def target(found: capstone.CsInsn) -> int | None:
    """The target of a direct jump or call; None of others."""
    if found.group(capstone.CS_GRP_JUMP) or found.group(capstone.CS_GRP_CALL):
        for operand in found.operands:
            if operand.type == cs.X86_OP_IMM:
                return int(operand.imm) & (1 << 64) - 1
    return None
