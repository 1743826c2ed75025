# SPDX-License-Identifier: GPL-2.0
"""The same instructions in the emulator and in the symbolic engine, for each architecture."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import codes_arm64
import codes_powerpc
import codes_x86
import unicorn
from unicorn import arm64_const, ppc_const, x86_const

from hotcocci.proof.symbolic import arm64, powerpc, x86
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.proof.symbolic.memory import Written, loaded, stored
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import Memory, execute

# Without features of processors
TREE = Path(__file__).with_name("tree")
START = 0x10_0000
EDGES = (0, 1, 2, 31, 63, 0x7F, 0x80, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
WIDE = (1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0xFFFF_FFFF_0000_0000)


@dataclass(frozen=True)
class Subject:
    """An architecture: its instructions, and three registers in the engine and in the emulator."""

    arch: Architecture
    codes: Mapping[str, str]
    offsets: tuple[int, int, int]
    registers: tuple[int, int, int]
    emulator: tuple[int, int]
    # Initialised before each run.
    before: tuple[tuple[int, int], ...] = ()

    @property
    def width(self) -> int:
        """Register width in bits."""
        return self.arch.registers.width


def _subjects() -> dict[str, Subject]:
    of_x86 = [int(x86.ARCH.registers[name][0]) for name in ("rax", "rcx", "rdx")]
    x86_names, arm64_names = ("RAX", "RCX", "RDX"), ("X0", "X1", "X2")
    return {
        "x86-64": Subject(
            x86.X86(TREE),
            codes_x86.CODE,
            tuple(of_x86),
            tuple(getattr(x86_const, f"UC_X86_REG_{name}") for name in x86_names),
            (unicorn.UC_ARCH_X86, unicorn.UC_MODE_64),
            ((x86_const.UC_X86_REG_EFLAGS, 0x202),),
        ),
        "arm64": Subject(
            arm64.Arm64(1 << 52, 8),
            codes_arm64.CODE,
            tuple(arm64.GENERAL[:3]),
            tuple(getattr(arm64_const, f"UC_ARM64_REG_{name}") for name in arm64_names),
            (unicorn.UC_ARCH_ARM64, unicorn.UC_MODE_ARM),
            ((arm64_const.UC_ARM64_REG_NZCV, 0),),
        ),
        "powerpc": Subject(
            powerpc.PowerPC32(0xB000_0000, 0xC000_0000),
            codes_powerpc.CODE,
            tuple(powerpc.GENERAL[3:6]),
            tuple(getattr(ppc_const, f"UC_PPC_REG_{number}") for number in (3, 4, 5)),
            (unicorn.UC_ARCH_PPC, unicorn.UC_MODE_PPC32 | unicorn.UC_MODE_BIG_ENDIAN),
            ((ppc_const.UC_PPC_REG_CR, 0), (ppc_const.UC_PPC_REG_XER, 0)),
        ),
    }


SUBJECTS = _subjects()


def inputs(subject: Subject, name: str) -> list[tuple[int, ...]]:
    """Choose edge cases and random numbers."""
    chosen = random.Random(name)
    borders = (*EDGES, *WIDE) if subject.width == 64 else EDGES
    edges = [tuple(chosen.choice(borders) for _ in range(3)) for _ in range(12)]
    size = subject.width
    return edges + [tuple(chosen.getrandbits(size) for _ in range(3)) for _ in range(4)]


def emulated(subject: Subject, name: str) -> dict[tuple[int, int, int], list[int]]:
    """Emulate the code with each input; the three registers afterwards, by input."""
    code = bytes.fromhex(subject.codes[name])
    engine = unicorn.Uc(*subject.emulator)
    if subject.emulator[0] == unicorn.UC_ARCH_X86:
        engine.ctl_set_cpu_model(x86_const.UC_CPU_X86_SKYLAKE_SERVER)
    engine.mem_map(START, 0x1000)
    engine.mem_write(START, code)
    fresh, mask = engine.context_save(), v.mask(subject.width)
    found = {}
    for given in inputs(subject, name):
        engine.context_restore(fresh)
        for register, value in zip(subject.registers, given, strict=True):
            engine.reg_write(register, value)
        for register, value in subject.before:
            engine.reg_write(register, value)
        engine.emu_start(START, START + len(code))
        found[given] = [engine.reg_read(each) & mask for each in subject.registers]
    return found


class Scratch(Memory):
    """Memory for code without accesses; bit tests are lifted as if they had one."""

    def __init__(self) -> None:
        self.stack: dict[int, Written] = {}

    def load(self, address: Word, size: int) -> Word:
        assert isinstance(address, int)
        return loaded(self.stack, address, size, "little", _unwritten)

    def store(self, address: Word, value: Word, size: int) -> None:
        assert isinstance(address, int)
        self.stack = stored(self.stack, address, value, size, "little")


def _unwritten(address: int, size: int) -> Word:
    raise AssertionError("a load of what was not stored")


def decided(condition: Truth, branch: int) -> bool:
    known = v.settled(condition)
    assert isinstance(known, int), "nothing is unknown here"
    return bool(known)


def translated(subject: Subject, code: bytes, given: tuple[Word, ...]) -> list[Word]:
    """Run the code in the symbolic engine and return the three registers."""
    arch: Any = subject.arch
    registers = arch.start("old")
    registers |= dict(zip(subject.offsets, given, strict=True))
    registers[arch.registers.sp] = arch.layout.stack[0x8000]
    memory = Scratch()
    at = START
    while at != START + len(code):
        # One instruction per block, so that flags cross block boundaries.
        here = at - START
        length = arch.decode(code[here:], at).length
        block = arch.lift(code[here : here + length], at, 1)
        after = execute(block, registers, memory, decided, arch)
        assert isinstance(after, int)
        at = after
    return [registers[offset] for offset in subject.offsets]
