# SPDX-License-Identifier: GPL-2.0
"""The emulated processor, x86-64 as Ice Lake with SMAP and rep movsb for copies (FSRM), and its memory.

Pages are filled on first use, the same on both sides.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import capstone
import unicorn
from capstone import x86_const as cs
from unicorn import x86_const as uc

from hotcocci.machine import x86
from hotcocci.proof.objects.image import PAGE, Fixup, Image, Layout
from hotcocci.proof.symbolic.x86 import ARGUMENTS, CONVENTION, LAYOUT, changed
from hotcocci.proof.symbolic.prover import Memory, Origin

# Physical addresses tell kernel memory, stack and user memory apart.
KERNEL_BASE, STACK_BASE, USER_BASE = 0x0000_0000, 0x1000_0000, 0x2000_0000
PAGES = 1024
# Contents of the stack that the run has not written
POISON = b"\xa5"
# What a call may change, apart from its arguments and its result
SCRATCH = "r10 r11"
# All bits of a register
MASK = (1 << 64) - 1
# X86_EFLAGS_AC, and the interrupt flag with the bit that is always set.
AC = 1 << 18
FLAGS = 0x202
# Contents of registers at function entry, and of call-clobbered registers after a call.
FOUND, SPOILED = 0x5A5A << 48, 0x6B6B << 48
# Bytes for the translated code of one emulator, which are a gigabyte else; a file with many functions that differ
# runs two for each.
TRANSLATED = 32 << 20
# Kinds of instructions that need more than the emulator
PLAIN = "plain"
TRAP = "trap"
# Copies or fills as many elements as a register says (rep movs).
COPY = "copy"
# Visible effects. An lfence only belongs to opening user access (barrier_nospec()), or orders loads, which
# this processor does anyway (asm/barrier.h).
EFFECT = "effect"
PORTS = ("in", "out", "insb", "insw", "insd", "outsb", "outsw", "outsd")
EFFECTS = (*PORTS, "mfence", "sfence", "clflush", "clflushopt", "clwb", "wbinvd")


class OutOfMemory(Exception):
    """The run touched more pages than the emulator has."""


@dataclass(frozen=True)
class Page:
    """A mapped page; ``clean`` is its content before the run."""

    address: int
    physical: int
    clean: bytes


class Space:
    """The pages of one emulator.

    A page is filled from the ``segments`` of the image, or else with random numbers that follow from
    its address; single bytes that the input sets and ``constants`` take their place.
    """

    def __init__(
        self,
        engine: unicorn.Uc,
        layout: Layout,
        segments: Mapping[int, bytearray],
        constants: Mapping[int, bytes],
        values: Mapping[Origin, int],
    ) -> None:
        self.engine = engine
        self.layout = layout
        self._segments = segments
        self._constants = constants
        self._values = dict(_bytes(values))
        self._pages: dict[int, Page] = {}
        self._by_physical: dict[int, Page] = {}
        engine.mem_map(KERNEL_BASE, PAGES * PAGE)
        engine.mem_map(STACK_BASE, len(layout.stack))
        engine.mem_map(USER_BASE, PAGES * PAGE)
        self._free = {
            user: iter(range(base, base + PAGES * PAGE, PAGE))
            for user, base in ((False, KERNEL_BASE), (True, USER_BASE))
        }

    def physical(self, address: int) -> int:
        """The physical address of a virtual one; maps the page if needed."""
        return self._page(address).physical + address % PAGE

    def virtual(self, physical: int) -> int:
        """The virtual address that a physical one is mapped at."""
        return self._by_physical[physical & -PAGE].address + physical % PAGE

    def clean(self, address: int) -> int:
        """The byte that was at an address before the run."""
        return self._page(address).clean[address % PAGE]

    def read(self, address: int, size: int) -> bytes:
        """Read bytes at a virtual address."""
        data = b""
        while size:
            part = min(size, PAGE - address % PAGE)
            data += bytes(self.engine.mem_read(self.physical(address), part))
            address, size = address + part, size - part
        return data

    def write(self, address: int, data: bytes) -> None:
        """Write bytes at a virtual address."""
        while data:
            part = min(len(data), PAGE - address % PAGE)
            self.engine.mem_write(self.physical(address), data[:part])
            address, data = address + part, data[part:]

    def is_stack(self, address: int) -> bool:
        """Whether an address is on the stack of the run."""
        return address in self.layout.stack

    def is_user(self, address: int) -> bool:
        """Whether an address is in user space."""
        return self.layout.user_low <= address < self.layout.user_high

    def _page(self, address: int) -> Page:
        start = address & -PAGE
        page = self._pages.get(start)
        if page is None:
            page = Page(start, self._place(start), self._content(start))
            self._pages[start] = self._by_physical[page.physical] = page
            self.engine.mem_write(page.physical, page.clean)
        return page

    def _place(self, start: int) -> int:
        if self.is_stack(start):
            return STACK_BASE + (start - self.layout.stack.start)
        found = next(self._free[self.is_user(start)], None)
        if found is None:
            raise OutOfMemory
        return found

    def _content(self, start: int) -> bytes:
        if self.is_stack(start):
            return POISON * PAGE
        held = ((b, d) for b, d in self._segments.items() if b < start + PAGE)
        parts = [(base, data) for base, data in held if start < base + len(data)]
        content = bytearray(PAGE if parts else filling(f"page {start:#x}", PAGE))
        for base, data in parts:
            low, high = max(base, start), min(base + len(data), start + PAGE)
            content[low - start : high - start] = data[low - base : high - base]
        for address, known in self._constants.items():
            if address & -PAGE == start:
                content[address - start : address - start + len(known)] = known
        for at, byte in self._values.items():
            if at & -PAGE == start:
                content[at - start] = byte
        return bytes(content)


def _bytes(values: Mapping[Origin, int]) -> Iterator[tuple[int, int]]:
    """The bytes of memory that an input sets, by address."""
    for origin, value in values.items():
        if isinstance(origin, Memory):
            for number in range(origin.size):
                yield origin.address + number, value >> 8 * number & 0xFF


def filling(what: str, size: int) -> bytes:
    """Pseudo-random bytes derived from a name."""
    return hashlib.shake_128(what.encode()).digest(size)


def word(what: str) -> int:
    """A pseudo-random 64-bit number derived from a name."""
    return int.from_bytes(filling(what, 8), "little")


def _registers(names: str) -> tuple[int, ...]:
    return tuple(int(getattr(uc, f"UC_X86_REG_{n.upper()}")) for n in names.split())


GENERAL = _registers(" ".join(x86.GENERAL))
PASSED = _registers(ARGUMENTS)
SPOILT = (*PASSED, *_registers(SCRATCH))
RAX, RCX, RDX, RSI, RDI, RSP, RIP = _registers("rax rcx rdx rsi rdi rsp rip")


@dataclass(frozen=True)
class Step:
    """An instruction and its kind; ``memory`` is the operand that it loads from or stores to."""

    found: capstone.CsInsn
    kind: str
    memory: cs.X86OpMem | None = None
    size: int = 0
    stores: bool = False

    @property
    def length(self) -> int:
        """The length in bytes."""
        return int(self.found.size)

    @property
    def fills(self) -> bool:
        """Whether a copy reads no memory."""
        return x86.mnemonic(self.found.mnemonic).startswith("stos")


@dataclass(frozen=True)
class Copy:
    """A copy that is about to run; without a source it repeats ``fill``."""

    target: int
    source: int | None
    count: int
    fill: bytes = b""


def decoded(image: Image, address: int) -> Step | None:
    """The instruction at an address; None outside of what was linked, and for unknown ones."""
    segment = image.segment(address)
    if segment is None:
        return None
    start, data = segment
    found = x86.decode(
        bytes(data[address - start : address - start + x86.LONGEST]), address
    )
    return _step(found) if found is not None else None


def _step(found: capstone.CsInsn) -> Step:
    name = x86.mnemonic(found.mnemonic)
    memory, size, stores = None, 0, False
    for operand in found.operands:
        if operand.type == cs.X86_OP_MEM and name not in ("lea", "nop"):
            memory, size = operand.mem, operand.size
            stores = bool(operand.access & capstone.CS_AC_WRITE)
            if name.startswith("movs") and stores:
                break
    # xchg with memory is locked without a prefix.
    locked = found.mnemonic.startswith("lock") or (name == "xchg" and memory)
    kind = PLAIN
    if name in EFFECTS or locked:
        kind = EFFECT
    elif x86.is_string(found):
        kind = COPY
    elif name in x86.TRAPS:
        kind = TRAP
    return Step(found, kind, memory, size, stores)


class Cpu:
    """An emulator without memory."""

    def __init__(self) -> None:
        self.engine = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
        self.engine.ctl_set_tcg_buffer_size(TRANSLATED)
        self.engine.ctl_set_cpu_model(uc.UC_CPU_X86_SKYLAKE_SERVER)
        # We fill its TLB, as its page tables do not map kernel addresses.
        self.engine.ctl_set_tlb_mode(unicorn.UC_TLB_VIRTUAL)

    def read(self, register: int) -> int:
        """The value of a register."""
        return int(self.engine.reg_read(register)) & MASK

    def write(self, register: int, value: int) -> None:
        """Set a register."""
        self.engine.reg_write(register, value & MASK)

    def enter(self, memory: Space) -> None:
        """Set the registers on entry to a function, except its arguments."""
        self._poisoned(FOUND, GENERAL)
        # As after a call: aligned to 16 bytes before the return address.
        stack = LAYOUT.top - 8
        memory.write(stack, LAYOUT.end.to_bytes(8, "little"))
        self.write(RSP, stack)
        self.write(uc.UC_X86_REG_EFLAGS, FLAGS)
        self.write(uc.UC_X86_REG_GS_BASE, LAYOUT.percpu - LAYOUT.outside)

    def leave(self, memory: Space) -> None:
        """Return from a function just entered."""
        stack = self.read(RSP)
        self.write(RSP, stack + 8)
        self.write(RIP, int.from_bytes(memory.read(stack, 8), "little"))

    def clobber(self, number: int, size: int) -> None:
        """Clobber the caller-saved registers, and return a number of ``size`` bytes."""
        self._poisoned(SPOILED, SPOILT)
        if size > 8:
            self.write(RDX, number >> 64)
        self.write(RAX, number)

    def result(self, size: int) -> int:
        """The return value of a function, of ``size`` bytes."""
        value = self.read(RAX) | (self.read(RDX) << 64 if size > 8 else 0)
        return value & ((1 << 8 * size) - 1)

    def argument(self, number: int) -> int:
        """An integer argument of a function that was just entered."""
        return self.read(PASSED[number])

    def stack(self, number: int) -> int:
        """The address of an argument that is not in a register, on entry."""
        return self.read(RSP) + CONVENTION.stack + 8 * (number - CONVENTION.registers)

    def is_open(self) -> bool:
        """Whether user access is open."""
        return bool(self.read(uc.UC_X86_REG_EFLAGS) & AC)

    def fault(self, fixup: Fixup) -> str:
        """Continue at the fixup; returns an error, or "" if it is known."""
        changes = changed(fixup, lambda number: self.read(GENERAL[number]))
        if changes is None:
            return f"exception table type {fixup.kind}"
        for number, value in changes.items():
            self.write(GENERAL[number], value)
        self.write(RIP, fixup.target)
        return ""

    def copy(self, step: Step) -> Copy:
        """The copy that a rep movs or rep stos is about to make."""
        count = self.read(RCX) * step.size
        target = self.read(RDI)
        if step.fills:
            fill = self.read(RAX).to_bytes(8, "little")[: step.size]
            return Copy(target, None, count, fill)
        return Copy(target, self.read(RSI), count)

    def copied(self, step: Step, done: int) -> None:
        """Set the registers as after ``done`` bytes of a rep movs or rep stos."""
        self.write(RCX, self.read(RCX) - done // step.size)
        self.write(RDI, self.read(RDI) + done)
        if not step.fills:
            self.write(RSI, self.read(RSI) + done)

    def address(self, step: Step) -> int:
        """The address of the memory operand of an instruction that is about to run."""
        place = step.memory
        assert place is not None
        at = int(place.disp)
        for register, scale in ((place.base, 1), (place.index, place.scale)):
            name = step.found.reg_name(register) if register else ""
            # The instruction pointer counts from the next instruction.
            at += step.found.address + step.length if name == "rip" else 0
            at += scale * self.named(name) if name not in ("", "rip") else 0
        segment = step.found.reg_name(place.segment) if place.segment else ""
        # The other segments have base 0 in 64-bit mode.
        at += self.read(uc.UC_X86_REG_GS_BASE) if segment == "gs" else 0
        return at & MASK

    def named(self, name: str) -> int:
        """The value of a register by its name."""
        return self.read(getattr(uc, f"UC_X86_REG_{name.upper()}"))

    def operands(self, step: Step) -> tuple[str, ...]:
        """The registers and numbers that an instruction for ports has, as text."""
        if x86.mnemonic(step.found.mnemonic) not in PORTS:
            return ()
        # What it read before is none.
        reads = step.found.mnemonic == "in"
        return tuple(
            f"{self.named(step.found.reg_name(o.reg)) if o.type == cs.X86_OP_REG else o.imm:#x}"
            for o in step.found.operands[reads:]
            if o.type in (cs.X86_OP_REG, cs.X86_OP_IMM)
        )

    def _poisoned(self, kind: int, registers: tuple[int, ...]) -> None:
        for number, register in enumerate(registers):
            self.write(register, kind | number)
