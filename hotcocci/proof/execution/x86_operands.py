# SPDX-License-Identifier: GPL-2.0
"""Convert operands of x86 instructions to the emulator's registers."""

from __future__ import annotations

import capstone
from capstone import x86_const as cs
from unicorn import x86_const as uc

from hotcocci.proof.execution.processor import Operand, Place

# Instructions with visible effects. An lfence only belongs to opening user access (barrier_nospec()),
# or orders loads, which this processor does anyway (asm/barrier.h).
PORTS = ("in", "out", "insb", "insw", "insd", "outsb", "outsw", "outsd")
EFFECTS = (*PORTS, "mfence", "sfence", "clflush", "clflushopt", "clwb", "wbinvd")


def acts(found: capstone.CsInsn, name: str) -> bool:
    """Whether an instruction has visible effects: ports, fences, locked accesses."""
    if name in EFFECTS or found.mnemonic.startswith("lock"):
        return True
    # xchg with memory is locked without a prefix.
    return name == "xchg" and any(o.type == cs.X86_OP_MEM for o in found.operands)


def operands_of(found: capstone.CsInsn) -> tuple[Operand, ...]:
    """The operands of an instruction."""
    return tuple(operand_of(found, each) for each in found.operands)


def place_of(found: capstone.CsInsn, memory: cs.X86OpMem) -> Place:
    """Convert a memory operand."""
    base = found.reg_name(memory.base) if memory.base else ""
    offset = memory.disp
    if base == "rip":
        base, offset = "", offset + found.address + found.size
    segment = found.reg_name(memory.segment) if memory.segment else ""
    return Place(
        _register(base),
        _register(found.reg_name(memory.index) if memory.index else ""),
        memory.scale,
        offset,
        # The other segments have base 0 in 64-bit mode.
        uc.UC_X86_REG_GS_BASE if segment == "gs" else 0,
    )


def operand_of(found: capstone.CsInsn, operand: cs.X86Op) -> Operand:
    """Convert an operand of any kind."""
    if operand.type == cs.X86_OP_REG:
        return Operand(operand.size, register=_register(found.reg_name(operand.reg)))
    if operand.type == cs.X86_OP_IMM:
        return Operand(operand.size, number=operand.imm)
    return Operand(operand.size, place=place_of(found, operand.mem))


def _register(name: str) -> int:
    return int(getattr(uc, f"UC_X86_REG_{name.upper()}")) if name else 0
