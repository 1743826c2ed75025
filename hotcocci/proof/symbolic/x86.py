# SPDX-License-Identifier: GPL-2.0
"""x86-64 for the symbolic engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo
import capstone
from capstone import x86_const as cs

from hotcocci.machine import x86
from hotcocci.proof.objects.image import Fixup
from hotcocci.proof.objects.processor import Convention
from hotcocci.proof.objects.x86 import (
    ARGUMENTS,
    CLEAR_AX,
    LAYOUT,
    X86Processor,
    changed,
)
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import (
    Architecture,
    Decoded,
    Kind,
    Registers,
    Special,
    offsets,
    with_registers,
)
from hotcocci.proof.symbolic.flags import WIDTH, Flag, Flags, Thunk
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Word

ARCH = archinfo.ArchAMD64()
# lfence is rmb(): mitigations add theirs as alternatives, which are not applied. With pause, cpu_relax(), writes of
# other CPUs become visible.
FENCES = ("mfence", "sfence", "lfence", "pause")
SILENT = ("endbr64", "nop", "prefetcht0", "prefetchnta", "prefetchw")
PORTS = re.compile(r"(?:in|out)(?:s[bwd])?$")
# VEX has no privileged instructions.
PRIVILEGED = ("cli", "sti", "hlt", "wbinvd", "invd")
KINDS = {
    **{"stac": Kind.OPENS, "clac": Kind.CLOSES},
    **dict.fromkeys(x86.TRAPS, Kind.TRAP),
    **dict.fromkeys(SILENT, Kind.NOTHING),
    **dict.fromkeys((*FENCES, *PRIVILEGED), Kind.FENCE),
}

# Instructions on general registers and memory, which VEX models. pushf and popf leave the interrupt
# flag to cli and sti.
ORDINARY = re.compile(
    r"(?:movabs|mov[sz]x?|movsxd|mov|movbe|lea|push|pop|pushfq?|add|sub|adc|sbb|inc|dec|neg|not"
    r"|and|or|xor|test|cmp|s[ah]l|s[ah]r|ro[lr]|rc[lr]|sh[lr]d|mul|imul|div|idiv"
    r"|cdqe?|cqo|cwde?|cbw|set[a-z]+|cmov[a-z]+|j[a-z]+|call|ret|leave|bt[src]?|bs[fr]|bswap"
    r"|[tl]zcnt|popcnt|xchg|xadd|cmpxchg(?:8b|16b)?|cld|[cs]tc|cmc|[sl]ahf"
    r"|(?:movs|stos|lods|scas|cmps)[bwdq])$"
)
# Others of which capstone knows all registers that they read and write; "mov" is one of a segment,
# control or debug register.
COMPARED = frozenset(
    "mov verw invlpg invpcid lgdt lidt lldt ltr swapgs clts std clflush clflushopt clwb movnti "
    "rdmsr wrmsr rdtsc rdtscp rdpmc cpuid xgetbv rdrand rdseed "
    "rdfsbase rdgsbase wrfsbase wrgsbase".split()
)
NUMBERED = offsets(ARCH, " ".join(x86.GENERAL))
AX, CX, DX, _, SP, BP, SI, DI = NUMBERED[:8]
REGISTERS = Registers(
    64,
    sp=SP,
    results=(AX, DX),
    arguments=offsets(ARCH, ARGUMENTS),
    spoiled=(AX, CX, DX, SI, DI, *NUMBERED[8:12]),
    numbered=NUMBERED,
    marked=(DI, SI),
)
FLAGS = offsets(ARCH, "cc_op cc_dep1 cc_dep2 cc_ndep")
NAMES = frozenset((*x86.NUMBERS, "rip"))
GENERAL_NAME = re.compile(r"\b(?:" + "|".join(x86.NUMBERS) + r")\b")
# Segments; EFLAGS_D, the alignment check and the identification flag.
GS, FS, DIRECTION, ALIGNED, IDENTIFIED = offsets(ARCH, "gs fs d ac id")

# The operations in AMD64G_CC_OP_* (guest_amd64_defs.h), and the flags' bits
CONDITION_FLAGS = Flags(
    "add sub adc sbb logic inc dec shl shr rol ror umul smul".split(),
    (8, 16, 32, 64),
    {Flag.CARRY: 0, Flag.PARITY: 2, Flag.ZERO: 6, Flag.SIGN: 7, Flag.OVERFLOW: 11},
)
# By number; each is followed by its opposite.
CONDITIONS = [
    Flag(name)
    for name in "overflow carry zero not_above sign parity less not_greater".split()
]


class X86(Architecture):
    """See Architecture."""

    arch = ARCH
    layout = LAYOUT
    convention: Convention = X86Processor.convention
    registers = REGISTERS
    flags: Sequence[int] = FLAGS
    counter = CX
    framed: Mapping[int, int] = MappingProxyType({6: BP, 7: SP})
    moved = (DI, SI)
    # lib/usercopy.c: destination, source, bytes
    loads: Sequence[str] = ("_copy_from_user",)
    stores: Sequence[str] = ("_copy_to_user",)
    fills: Sequence[str] = ()
    # Before 6.4, arch/x86/lib/copy_user_64.S: which one runs depends on the processor. After a fault they try again
    # byte by byte; what that copies counts as copied before the fault.
    both: Sequence[str] = (
        "copy_user_generic_unrolled",
        "copy_user_generic_string",
        "copy_user_enhanced_fast_string",
    )
    whole = frozenset(both)
    opening = whole
    tells_zeros = True
    ignored: frozenset[str] = frozenset()
    task: int | None = None
    tracers: Sequence[str] = x86.TRACERS

    def decode(self, code: bytes, address: int) -> Decoded:
        found = x86.decode(code, address)
        if found is None:
            raise UnsupportedError(f"the instruction at {address:#x} is not known")
        name = x86.mnemonic(found.mnemonic)
        text = f"{found.mnemonic} {found.op_str}".strip()
        memory = [o for o in found.operands if o.type == cs.X86_OP_MEM]
        jumps = any(map(found.group, (capstone.CS_GRP_JUMP, capstone.CS_GRP_CALL)))
        ends = jumps or bool(found.group(capstone.CS_GRP_RET))
        if name in KINDS:
            kind = KINDS[name]
            return Decoded(found.size, kind, name if kind == Kind.FENCE else text)
        if x86.is_string(found):
            size = memory[0].size
            return Decoded(found.size, Kind.STRING, text, size, name.startswith("stos"))
        if PORTS.match(name):
            return Decoded(found.size, Kind.PORT, name)
        if found.prefix[0] == cs.X86_PREFIX_LOCK or (name == "xchg" and memory):
            return Decoded(found.size, Kind.LOCKED, name)
        if not ORDINARY.match(name) or any(
            o.type == cs.X86_OP_REG and found.reg_name(o.reg) not in NAMES
            for o in found.operands
        ):
            if name not in COMPARED:
                raise UnsupportedError(f"'{text}'")
            return _opaque(found)
        to = x86.target(found)
        made = Decoded(found.size, Kind.PLAIN, text, ends=ends, calls=to)
        return replace(made, through=jumps and to is None)

    def start(self, side: str) -> dict[int, Word]:
        found = self.poisoned(side)
        base = (LAYOUT.percpu - LAYOUT.outside) & v.mask(64)
        found |= dict.fromkeys(FLAGS, 0)
        found |= {GS: base, FS: 0, DIRECTION: 1, ALIGNED: 0, IDENTIFIED: 0}
        return found

    def fault(self, state: State, fixup: Fixup) -> State:
        """Continue at the fixup. Raises UnsupportedError."""
        found = changed(fixup, lambda n: v.term(state.registers[NUMBERED[n]], 64))
        if found is None:
            raise UnsupportedError(f"exception table type {fixup.kind}")
        changes = {NUMBERED[n]: v.plain(v.term(w, 64)) for n, w in found.items()}
        return replace(with_registers(state, changes), pc=fixup.target)

    def zeroed(self, fixup: Fixup | None, routine: str) -> int | None:
        if fixup is not None:
            # __get_user_asm() (asm/uaccess.h), where the compiler has no asm goto with outputs
            return AX if fixup.data & CLEAR_AX else None
        # arch/x86/lib/getuser.S
        return DX if routine.startswith("__get_user_") else None

    def special(self, name: str) -> Special | None:
        if name in x86.RETURN_THUNKS:
            return Special(leaves=True)
        thunk = x86.THUNK.match(name)
        return Special(offsets(ARCH, thunk[1])[0]) if thunk else super().special(name)

    def condition(self, name: str, arguments: Sequence[Word]) -> Word:
        if name == "amd64g_calculate_condition":
            code, *arguments = arguments
            if not isinstance(code, int):
                raise UnsupportedError("flags of an unknown operation")
            holds = CONDITION_FLAGS.holds(CONDITIONS[code >> 1], Thunk(*arguments))
            return v.as_word(v.negation(holds) if code & 1 else holds, WIDTH)
        thunk = Thunk(*arguments)
        if name == "amd64g_calculate_rflags_c":
            return v.as_word(CONDITION_FLAGS.holds(Flag.CARRY, thunk), WIDTH)
        if name == "amd64g_calculate_rflags_all":
            if isinstance(thunk.operation, int) and thunk.operation == 0:
                return thunk.one
            # All but the adjust flag
            return CONDITION_FLAGS.register(thunk)
        return super().condition(name, arguments)


def _opaque(found: capstone.CsInsn) -> Decoded:
    """An instruction that VEX does not model, or not with all its effects.

    Its text names no general register, as the compiler chooses them.
    """
    memory = [o.mem for o in found.operands if o.type == cs.X86_OP_MEM]
    places = []
    for each in memory:
        base, index = (_place(found, register) for register in (each.base, each.index))
        ahead = found.address + found.size if each.base == cs.X86_REG_RIP else 0
        places.append((base, index, each.scale, each.disp + ahead))
    text = re.sub(r"\[.*?\]", "[]", found.op_str)
    text = f"{found.mnemonic} {GENERAL_NAME.sub('r', text)}".strip()
    named = [o.reg for o in found.operands if o.type == cs.X86_OP_REG]
    in_places = {register for each in memory for register in (each.base, each.index)}
    reads, writes = found.regs_access()
    # Registers that the text names come first, in order: an operand may be both.
    order = [r for r in named if r in reads or r not in writes]
    order += sorted(r for r in reads if r not in named and r not in in_places)
    others = sorted(w for w in writes if w not in named)
    return Decoded(
        found.size,
        Kind.OPAQUE,
        text,
        reads=_places(found, order),
        writes=_places(found, (*(r for r in named if r in writes), *others)),
        places=tuple(places),
    )


def _places(found: capstone.CsInsn, registers: Iterable[int]) -> tuple[int, ...]:
    """The general registers among some of capstone's, as offsets."""
    places = dict.fromkeys(_place(found, register) for register in registers)
    return tuple(place for place in places if place >= 0)


def _place(found: capstone.CsInsn, register: int) -> int:
    """The offset of one of capstone's registers; -1 for none, and if it is no general one."""
    name = found.reg_name(register) if register else ""
    return NUMBERED[x86.NUMBERS[name]] if name in x86.NUMBERS else -1
