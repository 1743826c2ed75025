# SPDX-License-Identifier: GPL-2.0
"""x86-64 for the symbolic engine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import archinfo
import capstone
import z3
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
from hotcocci.proof.symbolic.flags import (
    WIDTH,
    Operation,
    Thunk,
    bit,
    decided,
    differ,
    either,
    negative,
    operation,
    overflows,
    register,
    result,
    zero,
)
from hotcocci.proof.symbolic.state import State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word

ARCH = archinfo.ArchAMD64()
# lfence is rmb(): mitigations add theirs as alternatives, which are not applied. With pause, cpu_relax(), writes of
# other CPUs become visible.
FENCES = ("mfence", "sfence", "lfence", "pause")
SILENT = ("endbr64", "nop", "prefetcht0", "prefetchnta", "prefetchw")
PORTS = re.compile(r"(?:in|out)(?:s[bwd])?$")
# VEX has no privileged instructions.
PRIVILEGED = ("cli", "sti", "hlt", "wbinvd", "invd")

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

# Condition flags (guest_amd64_defs.h)
# The operations in AMD64G_CC_OP_*.
OPERATIONS = "add sub adc sbb logic inc dec shl shr rol ror umul smul".split()
WIDTHS = (8, 16, 32, 64)
# The bits of the flags.
CARRY, PARITY, ZERO, SIGN, OVERFLOW = 0, 2, 6, 7, 11
# Conditions that test one flag; the next code is the negated condition.
CODES = {CARRY: 2, PARITY: 10, ZERO: 4, SIGN: 8, OVERFLOW: 0}
# These take all flags but carry and overflow from another word.
ROTATES = ("rol", "ror")


class X86(Architecture):
    """See Architecture."""

    name = "x86-64"
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
    whole: frozenset[str] = frozenset()
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
        jumps = bool(
            found.group(capstone.CS_GRP_JUMP) or found.group(capstone.CS_GRP_CALL)
        )
        ends = jumps or bool(found.group(capstone.CS_GRP_RET))
        if name in ("stac", "clac"):
            return Decoded(
                found.size, Kind.OPENS if name == "stac" else Kind.CLOSES, text
            )
        if x86.is_string(found):
            size = memory[0].size
            return Decoded(found.size, Kind.STRING, text, size, name.startswith("stos"))
        if name in x86.TRAPS:
            return Decoded(found.size, Kind.TRAP, text)
        if name in SILENT:
            return Decoded(found.size, Kind.NOTHING, text)
        if name in FENCES or name in PRIVILEGED:
            return Decoded(found.size, Kind.FENCE, name)
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
        target = x86.target(found)
        return Decoded(
            found.size,
            Kind.PLAIN,
            text,
            ends=ends,
            calls=target,
            through=jumps and target is None,
        )

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
        return _helper(name, arguments)


def _opaque(found: capstone.CsInsn) -> Decoded:
    """An instruction that VEX does not model, or not with all its effects.

    Its text names no general register, as the compiler chooses them.
    """
    places = []
    for operand in found.operands:
        if operand.type == cs.X86_OP_MEM:
            base, index = (
                found.reg_name(each) if each else ""
                for each in (operand.mem.base, operand.mem.index)
            )
            offset = operand.mem.disp
            offset += found.address + found.size if base == "rip" else 0
            ends = (
                NUMBERED[x86.NUMBERS[n]] if n in x86.NUMBERS else -1
                for n in (base, index)
            )
            places.append((*ends, operand.mem.scale, offset))
    text = re.sub(r"\[.*?\]", "[]", found.op_str)
    text = f"{found.mnemonic} {GENERAL_NAME.sub('r', text)}".strip()
    named = [o.reg for o in found.operands if o.type == cs.X86_OP_REG]
    in_places = {o.mem.base for o in found.operands if o.type == cs.X86_OP_MEM}
    in_places |= {o.mem.index for o in found.operands if o.type == cs.X86_OP_MEM}
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
    names = (found.reg_name(each) for each in registers)
    return tuple(
        dict.fromkeys(NUMBERED[x86.NUMBERS[n]] for n in names if n in x86.NUMBERS)
    )


def _helper(name: str, arguments: Sequence[Word]) -> Word:
    """Evaluate a helper of VEX. Raises UnsupportedError."""
    if name == "amd64g_calculate_condition":
        code, *rest = arguments
        if not isinstance(code, int):
            raise UnsupportedError("flags of an unknown operation")
        return v.as_word(_condition(code, Thunk(*rest)), WIDTH)
    thunk = Thunk(*arguments)
    if name == "amd64g_calculate_rflags_c":
        return v.as_word(_condition(CODES[CARRY], thunk), WIDTH)
    if name == "amd64g_calculate_rflags_all":
        if isinstance(thunk.operation, int) and thunk.operation == 0:
            return thunk.one
        # All but the adjust flag.
        return register((at, _condition(code, thunk)) for at, code in CODES.items())
    raise UnsupportedError(f"helper {name}")


def _condition(code: int, thunk: Thunk) -> Truth:
    """Whether a condition holds; code 0 is O, 1 is NO, 2 is B and so on."""
    holds = decided(thunk, lambda each: _holds(code & ~1, _known(each)))
    return v.negation(holds) if code & 1 else holds


def _known(thunk: Thunk) -> Operation:
    op = operation(thunk, OPERATIONS, WIDTHS)
    if op.name not in ("adc", "sbb"):
        return op
    # VEX stores the second operand xored with the carry.
    if isinstance(op.other, int) and isinstance(op.carried, int):
        return replace(op, other=op.other ^ op.carried)
    other, carried = v.term(op.other, op.width), v.term(op.carried, op.width)
    return replace(op, other=v.plain(other ^ carried))


def _holds(code: int, op: Operation) -> Truth:
    if code == 6:
        if op.compared:
            return v.negation(v.below(op.other, op.one, op.width))
        return either(_carry(op), _zero(op))
    if code in (12, 14):
        if op.compared:
            if code == 12:
                return v.signed_below(*op.compared)
            return v.negation(v.signed_below(op.other, op.one, op.width))
        less = differ(_sign(op), _overflow(op))
        return less if code == 12 else either(less, _zero(op))
    return {0: _overflow, 2: _carry, 4: _zero, 8: _sign, 10: _parity}[code](op)


def _kept(op: Operation) -> Word | None:
    """The flags register that holds all flags but carry and overflow, or None."""
    if op.name == "copy":
        return op.one
    return op.before if op.name in ROTATES else None


def _zero(op: Operation) -> Truth:
    kept = _kept(op)
    return zero(op) if kept is None else bit(kept, ZERO)


def _sign(op: Operation) -> Truth:
    kept = _kept(op)
    return negative(op) if kept is None else bit(kept, SIGN)


def _parity(op: Operation) -> Truth:
    kept = _kept(op)
    if kept is not None:
        return bit(kept, PARITY)
    word = result(op)
    if isinstance(word, int):
        return int(bin(word & 0xFF).count("1") % 2 == 0)
    bits = [z3.Extract(n, n, word) for n in range(8)]
    odd = bits[0]
    for each in bits[1:]:
        odd = odd ^ each
    return odd == 0


def _carry(op: Operation) -> Truth:
    one, other, width = op.one, op.other, op.width
    if op.name == "copy":
        return bit(one, CARRY)
    if op.name == "sub":
        return v.below(one, other, width)
    if op.name == "add":
        return v.below(result(op), one, width)
    if op.name in ("adc", "sbb"):
        return _carried(op)
    if op.name == "logic":
        return 0
    if op.name in ("inc", "dec"):
        return bit(op.before, CARRY)
    if op.name == "shl":
        return bit(other, width - 1)
    if op.name == "shr":
        return bit(other, 0)
    if op.name in ROTATES:
        return bit(one, 0 if op.name == "rol" else width - 1)
    return _lost(op)


def _carried(op: Operation) -> Truth:
    """The carry of an operation with carry or borrow."""
    one, other, width = op.one, op.other, op.width
    if op.name == "adc":
        without = v.below(result(op), one, width)
        with_one = v.negation(v.below(one, result(op), width))
    else:
        without = v.below(one, other, width)
        with_one = v.negation(v.below(other, one, width))
    carried = v.extract(op.before, 0, 0)
    if isinstance(carried, int):
        return with_one if carried else without
    return z3.If(carried == 1, v.truth(with_one), v.truth(without))


def _lost(op: Operation) -> Truth:
    """Whether a product overflows: the carry and overflow flags of a multiplication."""
    width = op.width
    wider = v.zero_extended if op.name == "umul" else v.sign_extended
    x = v.term(wider(op.one, width, 2 * width), 2 * width)
    y = v.term(wider(op.other, width, 2 * width), 2 * width)
    product = x * y
    kept = wider(z3.Extract(width - 1, 0, product), width, 2 * width)
    return v.settled(product != kept)


def _overflow(op: Operation) -> Truth:
    one, other, width = op.one, op.other, op.width
    if op.name == "copy":
        return bit(one, OVERFLOW)
    if op.name == "logic":
        return 0
    if op.name == "inc":
        return v.equal(one, 1 << (width - 1), width)
    if op.name == "dec":
        return v.equal(one, (1 << (width - 1)) - 1, width)
    if op.name in ("shl", "shr"):
        return differ(bit(one, width - 1), bit(other, width - 1))
    if op.name in ROTATES:
        last = 0 if op.name == "rol" else width - 2
        return differ(bit(one, last), bit(one, width - 1))
    if op.name in ("umul", "smul"):
        return _lost(op)
    return overflows(op)
