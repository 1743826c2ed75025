# SPDX-License-Identifier: GPL-2.0
"""Execute one x86-64 instruction on what is known of registers and the stack."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import capstone
from capstone import x86 as cs

from hotcocci.machine.code import Instruction
from hotcocci.machine.elf import Address, ObjectFile
from hotcocci.machine.values import (
    NOTHING,
    UNKNOWN,
    Held,
    Member,
    Place,
    State,
    Value,
    Variables,
    element,
    member,
    met,
    pointed,
)
from hotcocci.machine.x86 import GENERAL, NUMBERS, UNREAD

STACK, FLAGS, WORD = "rsp", "flags", 8
# What a called function may change (System V ABI for x86-64)
CHANGED = ("rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", FLAGS)
MOVES = ("mov", "movabs")
WIDENING = ("movzx", "movsx", "movsxd")
# Relocations relative to the end of the instruction (R_X86_64_PC32, R_X86_64_PLT32)
RELATIVE = (2, 4)


# The general registers by the names of their parts
WHOLE = {name: GENERAL[number] for name, number in NUMBERS.items()}
WHOLE |= dict.fromkeys(("rflags", "eflags"), FLAGS)


@dataclass(frozen=True)
class Load:
    """A load: its address and size, what it reads, and the loads that its address comes from.

    ``name`` is the expression in C, as far as it is known.
    """

    address: Address
    size: int
    member: Member
    name: str
    after: frozenset[Address]


@dataclass(frozen=True)
class Called:
    """A call of a named function, and its first arguments."""

    address: Address
    callee: str
    arguments: tuple[Value, ...]


@dataclass(frozen=True)
class Code:
    """A function's object and variables, and its instructions: what they do, and as capstone decodes them."""

    obj: ObjectFile
    variables: Variables
    held: Sequence[Held]
    decoder: capstone.Cs
    flow: Mapping[Address, Instruction]
    details: Mapping[Address, Any]


@dataclass(frozen=True)
class Point:
    """An instruction of a function, as capstone decodes it, and what is known before it."""

    code: Code
    address: Address
    state: State
    insn: Any


def step(at: Point) -> list[Load]:
    """Change the state as an instruction other than a call does; returns its loads."""
    made = []
    for operand in at.insn.operands:
        if _is_read(at, operand) and not _is_stack(at, operand):
            made.append(_load(at, operand))
    (_stacked if at.insn.mnemonic in ("push", "pop") else _write)(at, made)
    return made


def call(at: Point, callee: str) -> list[Load]:
    """Forget what a call changes; its result has the type that the function is declared with.

    Returns the load of the function's address, if the instruction has one.
    """
    memory = (each for each in at.insn.operands if each.type == cs.X86_OP_MEM)
    made = [_load(at, operand) for operand in memory if not _is_stack(at, operand)]
    for register in CHANGED:
        at.state.values.pop(register, None)
    result = at.code.variables.result(callee) if callee else None
    if result is not None:
        at.state.values["rax"] = Value(place=pointed(result), name=f"{callee}()")
    return made


def called(at: Point, callee: str) -> Called:
    """A call, before the instruction is executed."""
    registers = at.code.variables.arguments(callee)
    values = tuple(_value(at, each) for each in registers)
    return Called(at.address, callee, values)


def _value(at: Point, register: str) -> Value:
    """A register's value; its type and name are those of the variable there if no others are known."""
    value = at.state.values.get(register, NOTHING)
    if value.place is not None and value.name:
        return value
    for held in _held(at, register):
        place = value.place or _seen(held)
        if place is not None:
            return replace(value, place=place, name=value.name or held.name)
    return value


def _held(at: Point, register: str) -> Iterator[Held]:
    """The variables that a register holds before the instruction at an address."""
    place = at.code.obj.bases[at.address.section] + at.address.offset
    for held in at.code.held:
        if held.register == register and held.low <= place < held.high:
            yield held


def _seen(held: Held) -> Place | None:
    """The pointer variable from which a register is computed."""
    place = pointed(held.type)
    return place.moved(-held.added) if place is not None else None


def _is_read(at: Point, operand: Any) -> bool:
    reads = operand.type == cs.X86_OP_MEM and operand.access & capstone.CS_AC_READ
    return bool(reads) and not at.insn.mnemonic.startswith(UNREAD)


def _register(at: Point, number: int) -> str:
    """The general register that this is, or is part of; empty if it is another."""
    return WHOLE.get(at.code.decoder.reg_name(number) or "", "") if number else ""


def _is_stack(at: Point, operand: Any) -> bool:
    """Whether an operand is memory of this function's stack."""
    return operand.type == cs.X86_OP_MEM and _register(at, operand.mem.base) == STACK


def _slot(at: Point, operand: Any) -> int | None:
    """The stack slot of an operand; None if it is another, or not known."""
    if not _is_stack(at, operand) or at.state.depth is None or operand.mem.index:
        return None
    return int(operand.mem.disp) - at.state.depth


def _target(at: Point, operand: Any) -> Value:
    """The address in a memory operand, as a value."""
    mem = operand.mem
    base, index = _register(at, mem.base), _register(at, mem.index)
    known = at.state.values.get(index, NOTHING).loads if index else frozenset()
    if not base:
        return replace(_global(at), loads=known)
    found = _value(at, base)
    place = found.place.moved(mem.disp) if found.place is not None else None
    loads, name = found.loads | known, found.name
    seen = ((_seen(held), held.name) for held in _held(at, base))
    others = [(pointer.moved(mem.disp), name) for pointer, name in seen if pointer]
    # The compiler knows better what the pointer was cast to, as by container_of().
    if (
        place is None
        or member(place) is None
        or all(other.type != place.type for other, _ in others)
    ):
        better = ((o, n) for o, n in others if member(o) is not None)
        place, name = next(better, (place, name))
    return Value(loads, place, name)


def _global(at: Point) -> Value:
    """The address of a global or per-CPU variable in an instruction."""
    insn, field = at.insn, at.address.offset + at.insn.disp_offset
    fields = at.code.obj.relocations(at.address.section) if insn.disp_offset else {}
    found = fields.get(field)
    type_ = at.code.variables.of_global(found.symbol.name) if found else None
    if found is None or type_ is None:
        return NOTHING
    after = insn.size - insn.disp_offset if found.kind in RELATIVE else 0
    place = Place(type_, found.addend + after)
    return Value(place=place, name=f"&{found.symbol.name}")


def _load(at: Point, operand: Any) -> Load:
    target = _target(at, operand)
    mem, found = operand.mem, None
    if target.place is not None:
        # The distance of an indexed load may have part of the index in it: only arrays are certain.
        is_indexed = bool(mem.index)
        found = element(target.place, mem.scale) if is_indexed else member(target.place)
    name = _named(target.name, found.path) if found else _unnamed(target.name, mem)
    return Load(at.address, operand.size, found or UNKNOWN, name, target.loads)


def _named(pointer: str, path: str) -> str:
    if path.startswith("["):
        return f"{pointer.removeprefix('&')}{path}" if pointer else ""
    if pointer.startswith("&"):
        return f"{pointer[1:]}.{path}" if path else pointer[1:]
    return f"{pointer}->{path}" if path else f"*{pointer}"


def _unnamed(pointer: str, mem: Any) -> str:
    """A name for a load through a pointer whose type does not give one; empty without a name."""
    if not pointer or mem.index:
        return ""
    if not mem.disp:
        return f"*{pointer}"
    return f"*({pointer} {'+' if mem.disp > 0 else '-'} {abs(mem.disp)})"


def _write(at: Point, made: list[Load]) -> None:
    """Change what the instruction writes."""
    inputs = _inputs(at, made)
    target = at.insn.operands[0] if at.insn.operands else None
    register = ""
    if target is not None and target.type == cs.X86_OP_REG:
        register = _register(at, target.reg)
    if register == STACK:
        _moved(at)
    elif target is not None and register and target.access & capstone.CS_AC_WRITE:
        value = _result(at, made, inputs)
        _clobber(at, inputs)
        at.state.values[register] = value if target.size == WORD else value.untyped()
        return
    elif target is not None and target.type == cs.X86_OP_MEM:
        slot = _slot(at, target)
        if slot is not None and target.access & capstone.CS_AC_WRITE:
            at.state.values.pop(slot, None)
            if at.insn.mnemonic in MOVES and target.size == WORD:
                at.state.values[slot] = _source(at, made)
    _clobber(at, inputs)


def _inputs(at: Point, made: list[Load]) -> frozenset[Address]:
    """The loads that the results of an instruction come from."""
    loads = frozenset(load.address for load in made)
    if at.insn.mnemonic in ("xor", "sub") and _same(at.insn.operands):
        return loads
    read, _ = at.insn.regs_access()
    registers = {_register(at, number) for number in read} - {"", STACK}
    if at.insn.mnemonic == "sbb" and _same(at.insn.operands):
        # All bits are the carry.
        registers = {FLAGS}
    for operand in at.insn.operands:
        if operand.type == cs.X86_OP_MEM and at.insn.mnemonic != "lea":
            # These give the address.
            mem = operand.mem
            registers -= {_register(at, mem.base), _register(at, mem.index)}
    held = (at.state.values.get(register, NOTHING) for register in registers)
    return loads.union(*(value.loads for value in held))


def _clobber(at: Point, loads: frozenset[Address]) -> None:
    """Set all registers that an instruction writes, also those it does not name, and the flags."""
    _, written = at.insn.regs_access()
    for number in written:
        register = _register(at, number)
        if register and register != STACK:
            at.state.values[register] = Value(loads)


def _moved(at: Point) -> None:
    """Follow the stack pointer."""
    last, sign = at.insn.operands[-1], {"sub": 1, "add": -1}.get(at.insn.mnemonic)
    known = at.state.depth is not None and last.type == cs.X86_OP_IMM
    at.state.depth = at.state.depth + sign * last.imm if known and sign else None


def _source(at: Point, made: list[Load]) -> Value:
    """The value of a move's second operand."""
    source = at.insn.operands[-1]
    if source.type == cs.X86_OP_REG:
        register = _register(at, source.reg)
        return _value(at, register) if register else NOTHING
    if source.type == cs.X86_OP_MEM:
        if _is_stack(at, source):
            slot = _slot(at, source)
            return NOTHING if slot is None else at.state.values.get(slot, NOTHING)
        load = made[0]
        return Value(frozenset({load.address}), load.member.target, load.name)
    return NOTHING


def _result(at: Point, made: list[Load], inputs: frozenset[Address]) -> Value:
    """The value that an instruction leaves in its first operand."""
    name, operands = at.insn.mnemonic, at.insn.operands
    if name in MOVES or name in WIDENING:
        value = _source(at, made)
        return value if name in MOVES else value.untyped()
    if name == "lea":
        value = _target(at, operands[1])
        return value.untyped() if operands[1].mem.index else value
    own = _value(at, _register(at, operands[0].reg))
    if name.startswith("cmov"):
        either = met(own, _source(at, made))
        return replace(either, loads=either.loads | inputs)
    if name in ("add", "sub") and operands[-1].type == cs.X86_OP_IMM:
        distance = operands[-1].imm if name == "add" else -operands[-1].imm
        place = own.place.moved(distance) if own.place is not None else None
        return Value(inputs, place, own.name)
    return Value(inputs)


def _same(operands: Sequence[Any]) -> bool:
    registers = [each.reg for each in operands if each.type == cs.X86_OP_REG]
    return len(operands) == len(registers) == 2 and registers[0] == registers[1]


def _stacked(at: Point, made: list[Load]) -> None:
    """Push or pop."""
    values, depth = at.state.values, at.state.depth
    if at.insn.mnemonic == "push":
        if depth is not None:
            at.state.depth = depth + WORD
            values[-at.state.depth] = _source(at, made)
        return
    operand = at.insn.operands[0]
    register = _register(at, operand.reg) if operand.type == cs.X86_OP_REG else ""
    if depth is None:
        values.pop(register, None)
        return
    if register:
        values[register] = values.get(-depth, NOTHING)
    at.state.depth = depth - WORD
