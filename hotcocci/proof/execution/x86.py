# SPDX-License-Identifier: GPL-2.0
"""Execute x86-64 code as on Ice Lake: with SMAP, and rep movsb for copies (FSRM)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

import capstone
import unicorn
from capstone import x86_const as cs
from unicorn import x86_const as uc

from hotcocci.machine.elf import ABSOLUTE, X86_64, ObjectFile, Relocation
from hotcocci.machine import x86_insn as x86
from hotcocci.machine.x86 import ENTRY
from hotcocci.proof.execution import poison
from hotcocci.proof.execution.image import Alternative, Image, LinkError, filled
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.passing import Convention
from hotcocci.proof.execution.processor import (
    COPY,
    PLAIN,
    TRAP,
    Copy,
    Operand,
    Place,
    Processor,
    Special,
    Step,
)
from hotcocci.proof.execution.space import Layout, Registry
from hotcocci.proof.execution.tables import Fixup, JumpLabel

ARGUMENTS = "rdi rsi rdx rcx r8 r9"
# What a call may change, apart from its arguments and its result
SCRATCH = "r10 r11"
# All bits of a register
MASK = (1 << 64) - 1

# X86_EFLAGS_AC, and the interrupt flag with the bit that is always set.
AC = 1 << 18
FLAGS = 0x202
# USER_PTR_MAX without LA57: TASK_SIZE_MAX - 1 and a guard page (arch/x86/kernel/cpu/common.c).
USER_MAX = 0x7FFF_FFFF_F000

LAYOUT = Layout(
    image=0xFFFF_FFFF_8100_0000,
    spacing=0x1_0000,
    outside=0xFFFF_FFFF_C000_0000,
    room=0x8000,
    stack=0xFFFF_C900_0001_0000,
    stack_size=0x1_0000,
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
FEATURES = ("ALWAYS", "SMAP", "FSRM", "FSRS", "ERMS", "POPCNT")
NOT = 1
# Those of alternatives in access_ok() and in mitigations.
COMMON = ("LAM", "LFENCE_RDTSC", "RETPOLINE", "RETPOLINE_LFENCE")
# Without these, processors copy and clear by calling a routine that does the same.
STRINGS = ("FSRM", "FSRS", "ERMS")
# What static_cpu_has() becomes without the feature.
JUMP = 0xE9

# arch/x86/include/asm/extable_fixup_types.h
DEFAULT, FAULT, UACCESS, IMM_REG, UCOPY_LEN = 1, 2, 3, 17, 19
CLEAR_AX, CLEAR_DX = 1 << 4, 1 << 5


# Instructions with visible effects. An lfence only belongs to opening user access (barrier_nospec()),
# or orders loads, which this processor does anyway (asm/barrier.h).
PORTS = ("in", "out", "insb", "insw", "insd", "outsb", "outsw", "outsd")
EFFECTS = (*PORTS, "mfence", "sfence", "clflush", "clflushopt", "clwb", "wbinvd")


def _acts(found: capstone.CsInsn, name: str) -> bool:
    """Whether an instruction has visible effects: ports, fences, locked accesses."""
    if name in EFFECTS or found.mnemonic.startswith("lock"):
        return True
    # xchg with memory is locked without a prefix.
    return name == "xchg" and any(o.type == cs.X86_OP_MEM for o in found.operands)


def _place(found: capstone.CsInsn, memory: cs.X86OpMem) -> Place:
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


def _arguments(found: capstone.CsInsn) -> Iterator[Operand]:
    """The registers and numbers that an instruction for ports has."""
    for each in found.operands:
        if each.type == cs.X86_OP_REG:
            yield Operand(each.size, register=_register(found.reg_name(each.reg)))
        elif each.type == cs.X86_OP_IMM:
            yield Operand(each.size, number=each.imm)


def _register(name: str) -> int:
    return int(getattr(uc, f"UC_X86_REG_{name.upper()}")) if name else 0


class X86Processor(Processor):
    """See Processor."""

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
    copies: Mapping[str, int] = MappingProxyType({})
    tracers: Sequence[str] = x86.TRACERS
    convention = Convention(
        8, 6, largest=16, returned=16, stack=8, filling=True, frame=8
    )
    marked = (uc.UC_X86_REG_RDI, uc.UC_X86_REG_RSI)

    def __init__(self, tree: Path) -> None:
        self.layout = LAYOUT
        self.general = registers(" ".join(x86.GENERAL))
        self.arguments = registers(ARGUMENTS)
        self.spoiled = (*self.arguments, *registers(SCRATCH))
        self.stack_pointer = uc.UC_X86_REG_RSP
        self.program_counter = uc.UC_X86_REG_RIP
        self._features = _features(tree, FEATURES)
        self._common = _features(tree, COMMON)
        self._strings = _features(tree, STRINGS)

    def engine(self) -> unicorn.Uc:
        """Create an emulator without memory."""
        engine = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
        engine.ctl_set_cpu_model(uc.UC_CPU_X86_SKYLAKE_SERVER)
        # We fill its TLB, as its page tables do not map kernel addresses.
        engine.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)
        return engine

    def relocate(
        self, image: Image, obj: ObjectFile, place: int, found: Relocation, value: int
    ) -> None:
        """Apply a relocation. Raises LinkError for unknown kinds."""
        if not filled(image, place, found.kind, value, self.absolute, self.relative):
            raise LinkError(f"relocation {found.kind} is not known")

    def patch(self, image: Image, obj: ObjectFile, bases: Mapping[int, int]) -> None:
        """Apply alternatives (arch/x86/kernel/alternative.c), and set the end of user addresses."""
        for section in obj.named(".altinstructions"):
            if section not in bases:
                continue
            data, base = image.segments[bases[section]], bases[section]
            for at in range(0, len(data) - ENTRY + 1, ENTRY):
                source, other, what, length, size = struct.unpack_from(
                    "<iiIBB", data, at
                )
                absent = bool(what >> 16 & NOT)
                where, fresh = base + at + source, base + at + 4 + other
                if (what & 0xFFFF in self._features) == absent:
                    if not size and not absent and image.read(where, 1)[0] == JUMP:
                        _branch(image, where, what)
                    elif what & 0xFFFF not in self._common and not (
                        absent and what & 0xFFFF in self._strings
                    ):
                        other_code = Alternative(what, fresh, fresh + size)
                        image.alternatives.setdefault(where, []).append(other_code)
                    continue
                text = bytearray(image.read(fresh, size))
                if size == 5 and text[0] in (0xE8, 0xE9):
                    (distance,) = struct.unpack_from("<i", text, 1)
                    struct.pack_into("<i", text, 1, distance + fresh - where)
                image.write(where, bytes(text) + b"\x90" * (length - size))
        for section in obj.named("runtime_ptr_USER_PTR_MAX"):
            if section not in bases:
                continue
            data, base = image.segments[bases[section]], bases[section]
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
        name = x86.mnemonic(found.mnemonic)
        place, size, stores = None, 0, False
        for operand in found.operands:
            if operand.type == cs.X86_OP_MEM and name not in ("lea", "nop"):
                place, size = _place(found, operand.mem), operand.size
                stores = bool(operand.access & capstone.CS_AC_WRITE)
                if name.startswith("movs") and stores:
                    break
        if _acts(found, name):
            operands = tuple(_arguments(found)) if name in PORTS else ()
            what = found.mnemonic
            return Step(found.size, PLAIN, operands, place, size, stores, effect=what)
        if x86.is_string(found):
            return Step(
                found.size, COPY, size=size, stores=True, fills=name.startswith("stos")
            )
        target = x86.target(found)
        if target is not None:
            return Step(found.size, target=target)
        if name in x86.TRAPS:
            return Step(found.size, TRAP)
        return Step(
            found.size,
            PLAIN,
            access=place,
            size=size,
            stores=stores,
        )

    def enter(
        self, engine: unicorn.Uc, space: AddressSpace, start: int, back: int
    ) -> None:
        """Set the registers on entry to a function, except its arguments."""
        self.poisoned(engine, poison.FOUND, self.general)
        # As after a call: aligned to 16 bytes before the return address.
        stack = space.layout.stack + space.layout.stack_size * 3 // 4 - 8
        space.write(stack, back.to_bytes(8, "little"))
        engine.reg_write(uc.UC_X86_REG_RSP, stack)
        engine.reg_write(uc.UC_X86_REG_EFLAGS, FLAGS)
        base = (self.layout.percpu - self.layout.outside) & MASK
        engine.reg_write(uc.UC_X86_REG_GS_BASE, base)

    def leave(self, engine: unicorn.Uc, space: AddressSpace) -> int:
        """Return from a function just entered; returns the address to continue at."""
        stack = engine.reg_read(uc.UC_X86_REG_RSP)
        back = int.from_bytes(space.read(stack, 8), "little")
        engine.reg_write(uc.UC_X86_REG_RSP, stack + 8)
        engine.reg_write(uc.UC_X86_REG_RIP, back)
        return back

    def clobber(self, engine: unicorn.Uc, number: int, size: int) -> None:
        """Clobber the caller-saved registers, and return a number of ``size`` bytes."""
        self.poisoned(engine, poison.SPOILED, self.spoiled)
        if size > 8:
            engine.reg_write(uc.UC_X86_REG_RDX, number >> 64 & MASK)
        engine.reg_write(uc.UC_X86_REG_RAX, number & MASK)

    def result(self, engine: unicorn.Uc, size: int) -> int:
        """The return value of a function, of ``size`` bytes."""
        value = int(engine.reg_read(uc.UC_X86_REG_RAX))
        if size > 8:
            value |= int(engine.reg_read(uc.UC_X86_REG_RDX)) << 64
        return value & ((1 << 8 * size) - 1)

    def is_open(self, engine: unicorn.Uc, stores: bool = True) -> bool:
        """Whether user access is open, always for both directions."""
        return bool(engine.reg_read(uc.UC_X86_REG_EFLAGS) & AC)

    def fault(self, engine: unicorn.Uc, fixup: Fixup) -> str:
        """Continue at the fixup (arch/x86/mm/extable.c); returns an error, or "" if it is known."""
        register, flags, number = fixup.data & 0xF, fixup.data & 0xF0, fixup.data >> 8
        if fixup.kind == IMM_REG:
            engine.reg_write(self.general[register], number & MASK)
        elif fixup.kind == UCOPY_LEN:
            left = engine.reg_read(uc.UC_X86_REG_RCX) * number
            left += engine.reg_read(self.general[register])
            engine.reg_write(uc.UC_X86_REG_RCX, left & MASK)
        elif fixup.kind not in (DEFAULT, FAULT, UACCESS):
            return f"exception table type {fixup.kind}"
        if flags & CLEAR_AX:
            engine.reg_write(uc.UC_X86_REG_RAX, 0)
        if flags & CLEAR_DX:
            engine.reg_write(uc.UC_X86_REG_RDX, 0)
        engine.reg_write(uc.UC_X86_REG_RIP, fixup.target)
        return ""

    def special(self, engine: unicorn.Uc, name: str) -> Special | None:
        """A thunk that is a plain instruction on processors without mitigations, or None."""
        if name in x86.RETURN_THUNKS:
            return Special(returns=True)
        thunk = x86.THUNK.match(name)
        if thunk:
            register = getattr(uc, f"UC_X86_REG_{thunk[1].upper()}")
            return Special(jumps=int(engine.reg_read(register)))
        return super().special(engine, name)

    def checked(self, engine: unicorn.Uc, name: str) -> int | None:
        """The user pointer passed to a routine; None if it takes none."""
        # arch/x86/lib/{get,put}user.S, and lib/usercopy.c, which masks the pointer
        for prefix, register in (
            ("__get_user_", uc.UC_X86_REG_RAX),
            ("__put_user_", uc.UC_X86_REG_RCX),
            ("_copy_from_user", self.arguments[1]),
            ("_copy_to_user", self.arguments[0]),
        ):
            if name.startswith(prefix):
                return int(engine.reg_read(register))
        return None

    def copy(self, engine: unicorn.Uc, step: Step) -> Copy:
        """The copy that a rep movs or rep stos is about to make."""
        count = int(engine.reg_read(uc.UC_X86_REG_RCX)) * step.size
        target = int(engine.reg_read(uc.UC_X86_REG_RDI))
        if step.fills:
            fill = int(engine.reg_read(uc.UC_X86_REG_RAX))
            return Copy(target, None, count, fill.to_bytes(8, "little")[: step.size])
        return Copy(target, int(engine.reg_read(uc.UC_X86_REG_RSI)), count)

    def copied(self, engine: unicorn.Uc, step: Step, done: int) -> None:
        """Set the registers as after ``done`` bytes of a rep movs or rep stos."""
        for register, change in (
            (uc.UC_X86_REG_RCX, -(done // step.size)),
            (uc.UC_X86_REG_RDI, done),
            (uc.UC_X86_REG_RSI, 0 if step.fills else done),
        ):
            engine.reg_write(register, (engine.reg_read(register) + change) & MASK)

    def perform(self, engine: unicorn.Uc, address: int, step: Step) -> int:
        """Never called: the emulator has all instructions."""
        raise AssertionError("the emulator has all instructions")


def registers(names: str) -> tuple[int, ...]:
    """The emulator's registers with these names."""
    return tuple(int(getattr(uc, f"UC_X86_REG_{n.upper()}")) for n in names.split())


def _branch(image: Image, where: int, feature: int) -> None:
    """Let static_cpu_has(), a jump without the feature and nothing with it, be a static branch."""
    (distance,) = struct.unpack("<i", image.read(where + 1, 4))
    key = f"processor feature {feature}"
    image.labels[where] = JumpLabel(where + 5 + distance, key, True)


@lru_cache(maxsize=8)
def _features(tree: Path, names: tuple[str, ...]) -> frozenset[int]:
    """The numbers of these features, which differ between kernels."""
    text = (tree / "arch/x86/include/asm/cpufeatures.h").read_text()
    found = re.findall(
        r"^#define X86_FEATURE_(\w+)\s+\(\s*(\d+)\s*\*\s*32\s*\+\s*(\d+)\)", text, re.M
    )
    return frozenset(
        int(number) * 32 + int(bit) for name, number, bit in found if name in names
    )
