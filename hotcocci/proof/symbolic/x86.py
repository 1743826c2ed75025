# SPDX-License-Identifier: GPL-2.0
"""x86-64: its code is linked and run as for Ice Lake."""

import re
import struct
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import archinfo
import capstone
from capstone import x86_const as cs

from hotcocci.machine import x86
from hotcocci.machine.elf import ABSOLUTE, X86_64, ObjectFile, Relocation
from hotcocci.proof.objects.image import (
    Alternative,
    Fixup,
    Image,
    JumpLabel,
    Layout,
    LinkError,
    Registry,
)
from hotcocci.proof.objects.link import filled, placed
from hotcocci.proof.objects.processor import Convention, Step
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
from hotcocci.tree.source import read_text

ARGUMENTS = "rdi rsi rdx rcx r8 r9"
# USER_PTR_MAX without LA57: TASK_SIZE_MAX - 1 and a guard page (arch/x86/kernel/cpu/common.c).
USER_MAX = 0x7FFF_FFFF_F000

LAYOUT = Layout(
    image=0xFFFF_FFFF_8100_0000,
    spacing=0x1_0000,
    outside=0xFFFF_FFFF_C000_0000,
    room=0x8000,
    stack=range(0xFFFF_C900_0001_0000, 0xFFFF_C900_0002_0000),
    # Base of gs. Per-CPU symbols start at 0 in vmlinux, but not here.
    percpu=0xFFFF_8881_0000_0000,
    user_low=0x1000,
    user_high=USER_MAX,
    # Kernel pointers are random; non-canonical ones fault too.
    kernel=1 << 63,
    end=0xFFFF_FFFF_F000_0000,
    pointer=8,
)

# Features of this processor (arch/x86/include/asm/cpufeatures.h). What stands for POPCNT is a call that
# keeps all registers but its result (arch/x86/lib/hweight.S).
FEATURES = ("ALWAYS", "SMAP", "FSRM", "FSRS", "ERMS", "REP_GOOD", "POPCNT")
# Those of alternatives in access_ok(), where they only set the end of user space, and in mitigations.
COMMON = ("LAM", "LA57", "LFENCE_RDTSC", "RETPOLINE", "RETPOLINE_LFENCE")
# Without these, processors copy and clear by calling a routine that does the same.
STRINGS = ("FSRM", "FSRS", "ERMS", "REP_GOOD")
# What static_cpu_has() becomes without the feature.
JUMP = 0xE9

# arch/x86/include/asm/extable_fixup_types.h
DEFAULT, FAULT, UACCESS, COPY, IMM_REG, UCOPY_LEN = 1, 2, 3, 4, 17, 19
# What only continues elsewhere, and what first sets rax to the number of the trap (arch/x86/mm/extable.c)
PLAIN_FIXUPS = (DEFAULT, UACCESS, "ex_handler_default", "ex_handler_uaccess")
TRAP_FIXUPS = (FAULT, COPY, "ex_handler_fault", "ex_handler_copy")
PAGE_FAULT = 14
CLEAR_AX, CLEAR_DX = 1 << 4, 1 << 5
RAX, RCX, RDX = range(3)


def changed(fixup: Fixup, value: Callable[[int], Any]) -> dict[int, Any] | None:
    """The general registers that a fault sets, by number, with their values; None for unknown types.

    ``value`` is that of a register before.
    """
    register, flags, number = fixup.data & 0xF, fixup.data & 0xF0, fixup.data >> 8
    found: dict[int, Any] = {}
    if fixup.kind == IMM_REG:
        found[register] = number
    elif fixup.kind == UCOPY_LEN:
        found[RCX] = value(RCX) * number + value(register)
    elif fixup.kind in TRAP_FIXUPS:
        found[RAX] = PAGE_FAULT
    elif fixup.kind not in PLAIN_FIXUPS:
        return None
    if flags & CLEAR_AX:
        found[RAX] = 0
    if flags & CLEAR_DX:
        found[RDX] = 0
    return found


# Structs up to two registers are passed and returned in them.
CONVENTION = Convention(8, 6, largest=16, returned=16, stack=8, filling=True, frame=8)


ARCH = archinfo.ArchAMD64()
# lfence is rmb(): mitigations add theirs as alternatives, which are not applied. With pause, cpu_relax(), writes of
# other CPUs become visible.
FENCES = ("mfence", "sfence", "lfence", "pause")
SILENT = ("endbr64", "nop", "prefetcht0", "prefetchnta", "prefetchw")
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
    """See Architecture. It is an Ice Lake: with SMAP, and rep movsb for copies (FSRM)."""

    arch = ARCH
    layout = LAYOUT
    convention = CONVENTION
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
    orders_stores = True
    absolute: Mapping[int, int] = MappingProxyType({**ABSOLUTE[X86_64], 11: 4})
    relative: Mapping[int, int] = MappingProxyType({2: 4, 4: 4, 24: 8})
    support: Sequence[str] = (
        "arch/x86/lib/getuser.S",
        "arch/x86/lib/putuser.S",
        "arch/x86/lib/copy_user_64.S",
        "arch/x86/lib/clear_page_64.S",
        "lib/usercopy.c",
    )

    def __init__(self, tree: Path) -> None:
        self._features = _features(tree, FEATURES)
        self._common = _features(tree, COMMON)
        self._strings = _features(tree, STRINGS)

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        if not filled(image, place, found.kind, value, self.absolute, self.relative):
            raise LinkError(f"relocation {found.kind} is not known")

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Apply alternatives (arch/x86/kernel/alternative.c), and set the end of user addresses."""
        for section, base in placed(obj, bases, ".altinstructions"):
            data = image.segments[base]
            for each in x86.alternatives(obj, section):
                at, what, feature, absent, length, size = each
                source, other = struct.unpack_from("<ii", data, at)
                where, fresh = base + at + source, base + at + 4 + other
                if (feature in self._features) == absent:
                    if not size and not absent and image.read(where, 1)[0] == JUMP:
                        _branch(image, where, what)
                    elif feature not in self._common and not (
                        absent and feature in self._strings
                    ):
                        other_code = Alternative(what, fresh, fresh + size)
                        image.alternatives.setdefault(where, []).append(other_code)
                    continue
                text = bytearray(image.read(fresh, size))
                if size == 5 and text[0] in (0xE8, 0xE9):
                    (distance,) = struct.unpack_from("<i", text, 1)
                    struct.pack_into("<i", text, 1, distance + fresh - where)
                image.write(where, bytes(text) + b"\x90" * (length - size))
        for _, base in placed(obj, bases, "runtime_ptr_USER_PTR_MAX"):
            data = image.segments[base]
            for at in range(0, len(data), 4):
                (distance,) = struct.unpack_from("<i", data, at)
                image.write(base + at + distance, USER_MAX.to_bytes(8, "little"))

    def constants(self, registry: Registry) -> Mapping[int, bytes]:
        """USER_PTR_MAX, as modules read it."""
        return {registry.symbol("USER_PTR_MAX"): USER_MAX.to_bytes(8, "little")}

    def step(self, address: int, code: bytes) -> Step:
        """Decode the instruction at an address."""
        found = x86.decode(code, address)
        if found is None:
            return Step(1)
        return Step(found.size, x86.target(found) or 0, code[: max(found.size - 4, 1)])

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
        if name in ("in", "out"):
            return _port(found)
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


def _port(found: capstone.CsInsn) -> Decoded:
    """An access to a port, which a number or dx names; the data are in a part of ax."""
    data, port = found.operands[:: 1 if found.mnemonic == "in" else -1]
    named = port.type == cs.X86_OP_IMM
    made = Decoded(found.size, Kind.PORT, found.mnemonic, data.size)
    return replace(
        made, code=port.imm if named else 0, reads=(AX, *(() if named else (DX,)))
    )


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


def _branch(image: Image, where: int, feature: int) -> None:
    """Let static_cpu_has(), a jump without the feature and nothing with it, be a static branch."""
    (distance,) = struct.unpack("<i", image.read(where + 1, 4))
    key = f"processor feature {feature}"
    image.labels[where] = JumpLabel(where + 5 + distance, key, True)


@lru_cache(maxsize=8)
def _features(tree: Path, names: tuple[str, ...]) -> frozenset[int]:
    """The numbers of these features, which differ between kernels."""
    text = read_text(tree / "arch/x86/include/asm/cpufeatures.h")
    found = re.findall(
        r"^#define X86_FEATURE_(\w+)\s+\(\s*(\d+)\s*\*\s*32\s*\+\s*(\d+)\)", text, re.M
    )
    return frozenset(
        int(number) * 32 + int(bit) for name, number, bit in found if name in names
    )
