# SPDX-License-Identifier: GPL-2.0
"""Single instructions, as the symbolic engine and as an emulated processor have them."""

from __future__ import annotations

import random

import pytest
import unicorn
import z3
from unicorn import x86_const as uc

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.memory import Written, loaded, stored
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import execute
from hotcocci.proof.symbolic.x86 import ARCH, REGISTERS, X86

START = 0x10_0000
STACK = 0xFFFF_C900_0000_8000
# Those that the compiler uses, all on rax, rcx and rdx; what follows a semicolon reads the flags.
CODE = {
    "add": "48 01 c8",
    "add, carry": "48 01 c8 0f 92 c2",
    "add 32, overflow": "01 c8 0f 90 c2",
    "adc": "48 01 c8 48 11 d1",
    "sub 16, below or equal": "66 29 c8 0f 96 c2",
    "sbb, carry": "48 29 c8 48 19 d1 0f 92 c0",
    "sbb of itself": "48 39 c8 48 19 d2",
    "cmp, less": "48 39 c8 0f 9c c2",
    "cmp 32, less or equal": "39 c8 0f 9e c2",
    "cmp 8, greater": "38 c8 0f 9f c2",
    "cmp, cmova": "48 39 c8 48 0f 47 c2",
    "test, sign": "48 85 c0 0f 98 c2",
    "and 8, zero": "20 c8 0f 94 c2",
    "xor, parity": "48 31 c8 0f 9a c2",
    "inc, overflow": "48 ff c0 0f 90 c2",
    "dec 32, zero": "ff c8 0f 94 c2",
    "neg, carry": "48 f7 d8 0f 92 c2",
    "not": "48 f7 d0",
    "shl by cl": "48 d3 e0",
    "shr 32 by 3, carry": "c1 e8 03 0f 92 c2",
    "sar by 63": "48 c1 f8 3f",
    "sar 32 by cl": "d3 f8",
    "shl by cl, zero": "48 01 d1 48 d3 e0 0f 94 c2",
    "rol 32 by 5": "c1 c0 05",
    "ror by 9": "48 c1 c8 09",
    "shld": "48 0f a4 c8 07",
    "imul, overflow": "48 0f af c1 0f 90 c2",
    "imul 32 by constant": "69 c0 e8 03 00 00",
    "mul": "48 f7 e1",
    "imul wide": "48 f7 e9",
    "movsx": "48 0f be c1",
    "movsxd": "48 63 c1",
    "movzx 16": "0f b7 c1",
    "bswap": "48 0f c8",
    "bt, carry": "48 0f a3 c8 0f 92 c2",
    "bts": "48 0f ab c8",
    "bsf": "48 0f bc c1",
    "bsr 32": "0f bd c1",
    "tzcnt": "f3 48 0f bc c1",
    "popcnt": "f3 48 0f b8 c1",
    "lea": "48 8d 44 88 10",
    "cdq": "99",
    "cqo": "48 99",
    "mov to ah": "88 cc",
    "xchg": "48 91",
    "cmovs": "48 85 c9 48 0f 48 c2",
    "cmovge": "48 39 d1 48 0f 4d c1",
}
NAMES = ("rax", "rcx", "rdx")
OFFSETS = tuple(int(ARCH.registers[name][0]) for name in NAMES)
UNICORN = (uc.UC_X86_REG_RAX, uc.UC_X86_REG_RCX, uc.UC_X86_REG_RDX)
EDGES = (0, 1, 2, 31, 63, 0x7F, 0x80, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF)
WIDE = (1 << 63, (1 << 63) - 1, (1 << 64) - 1, 0xFFFF_FFFF_0000_0000)


def inputs(name: str) -> list[tuple[int, int, int]]:
    """Numbers at the borders, and others."""
    chosen = random.Random(name)
    borders = (*EDGES, *WIDE)
    made = [tuple(chosen.choice(borders) for _ in NAMES) for _ in range(24)]
    made += [tuple(chosen.getrandbits(64) for _ in NAMES) for _ in range(12)]
    return [(a, b, c) for a, b, c in made]


def emulated(code: bytes, given: tuple[int, ...]) -> list[int]:
    engine = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
    engine.ctl_set_cpu_model(uc.UC_CPU_X86_SKYLAKE_SERVER)
    engine.mem_map(START, 0x1000)
    engine.mem_write(START, code)
    for register, value in zip(UNICORN, given, strict=True):
        engine.reg_write(register, value)
    engine.reg_write(uc.UC_X86_REG_EFLAGS, 0x202)
    engine.emu_start(START, START + len(code))
    return [int(engine.reg_read(register)) for register in UNICORN]


class Scratch:
    """These instructions access no memory; what tests a bit is translated as if it did."""

    def __init__(self) -> None:
        self.stack: dict[int, Written] = {}

    def load(self, address: Word, size: int) -> Word:
        assert isinstance(address, int)
        return loaded(self.stack, address, size, "little", unwritten)

    def store(self, address: Word, value: Word, size: int) -> None:
        assert isinstance(address, int)
        self.stack = stored(self.stack, address, value, size, "little")

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        raise AssertionError("an exchange")

    def dirty(self, name: str, arguments: list[Word]) -> Word:
        raise AssertionError(name)


def unwritten(address: int, size: int) -> Word:
    raise AssertionError("a load of what was not stored")


def decided(condition: Truth, branch: int) -> bool:
    known = v.settled(condition)
    assert isinstance(known, int), "nothing is unknown here"
    return bool(known)


def translated(code: bytes, given: tuple[Word, ...]) -> list[Word]:
    arch = X86()
    registers = arch.start("old")
    registers |= dict(zip(OFFSETS, given, strict=True))
    registers[REGISTERS.sp] = STACK
    memory = Scratch()
    at = 0
    while at < len(code):
        # One by one, so that flags go from one block to the next.
        length = arch.decode(code[at:], START + at).length
        block = arch.lift(code[at : at + length], START + at, 1)
        execute(block, registers, memory, decided, arch)
        at += length
    return [registers[offset] for offset in OFFSETS]


@pytest.mark.parametrize("name", CODE)
def test_known_numbers(name: str) -> None:
    code = bytes.fromhex(CODE[name])
    for given in inputs(name):
        found = [v.plain(word) for word in translated(code, given)]
        assert found == emulated(code, given), [hex(each) for each in given]


@pytest.mark.parametrize("name", [name for name in CODE if not name.startswith("bt")])
def test_unknown_numbers(name: str) -> None:
    """A formula of unknown numbers has the emulator's result once they are known."""
    code = bytes.fromhex(CODE[name])
    variables = tuple(z3.BitVec(each, 64) for each in NAMES)
    formulas = [v.term(word, 64) for word in translated(code, variables)]
    for given in inputs(name)[::3]:
        known = [
            (variable, z3.BitVecVal(value, 64))
            for variable, value in zip(variables, given, strict=True)
        ]
        found = [z3.simplify(z3.substitute(each, *known)) for each in formulas]
        assert [each.as_long() for each in found] == emulated(code, given)


def test_all_registers_that_a_call_may_change_are_known() -> None:
    start = X86().start("new")
    assert set(REGISTERS.spoiled) <= start.keys()
