# SPDX-License-Identifier: GPL-2.0
"""Execute one x86-64 instruction on what is known of registers and the stack."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import capstone
from capstone import x86 as cs

from hotcocci.machine.elf import Address, ObjectFile
from hotcocci.machine.loads.objects import Member, Place, element, member, pointed
from hotcocci.machine.loads.values import NOTHING, Key, State, Value, met
from hotcocci.machine.loads.variables import Held, Variables
from hotcocci.machine.x86_insn import GENERAL, NUMBERS, UNREAD

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

    ``record`` is the structure and ``path`` the member at ``offset`` bytes in it, both empty if the
    type is not known. ``name`` is the expression in C, as far as it is known.
    """

    address: Address
    size: int
    record: str
    path: str
    offset: int
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
    """A function's object and variables, and what decoded its instructions."""

    obj: ObjectFile
    variables: Variables
    held: Sequence[Held]
    decoder: capstone.Cs


def step(code: Code, insn: Any, address: Address, state: State) -> list[Load]:
    """Change the state as an instruction other than a call does; returns its loads."""
    if insn.mnemonic in ("push", "pop"):
        return _stacked(code, insn, address, state)
    made = []
    for operand in insn.operands:
        if _is_read(insn, operand) and not _is_stack(code, operand):
            made.append(_load(code, insn, operand, address, state))
    _write(code, insn, address, state, made)
    return made


def call(
    code: Code, insn: Any, callee: str, address: Address, state: State
) -> list[Load]:
    """Forget what a call changes; its result has the type that the function is declared with.

    Returns the load of the function's address, if the instruction has one.
    """
    made = [
        _load(code, insn, operand, address, state)
        for operand in insn.operands
        if operand.type == cs.X86_OP_MEM and not _is_stack(code, operand)
    ]
    for register in CHANGED:
        state.values.pop(register, None)
    result = code.variables.result(callee) if callee else None
    if result is not None:
        state.values["rax"] = Value(place=pointed(result), name=f"{callee}()")
    return made


def called(code: Code, callee: str, address: Address, state: State) -> Called:
    """A call, before the instruction is executed."""
    registers = code.variables.arguments(callee)
    values = tuple(_value(code, each, address, state) for each in registers)
    return Called(address, callee, values)


def _value(code: Code, register: str, address: Address, state: State) -> Value:
    """A register's value; its type and name are those of the variable there if no others are known."""
    value = state.values.get(register, NOTHING)
    if value.place is not None and value.name:
        return value
    for held in _held(code, register, address):
        place = value.place or _seen(held)
        if place is not None:
            return replace(value, place=place, name=value.name or held.name)
    return value


def _held(code: Code, register: str, address: Address) -> Iterator[Held]:
    """The variables that a register holds before the instruction at an address."""
    at = code.obj.bases[address.section] + address.offset
    for held in code.held:
        if held.register == register and held.low <= at < held.high:
            yield held


def _seen(held: Held) -> Place | None:
    """What a register points to, by the pointer variable that is computed from it."""
    place = pointed(held.type)
    return place.moved(-held.added) if place is not None else None


def _is_read(insn: Any, operand: Any) -> bool:
    return (
        operand.type == cs.X86_OP_MEM
        and bool(operand.access & capstone.CS_AC_READ)
        and not insn.mnemonic.startswith(UNREAD)
    )


def _register(code: Code, number: int) -> str:
    """The general register that this is, or is part of; empty if it is another."""
    return WHOLE.get(code.decoder.reg_name(number) or "", "") if number else ""


def _is_stack(code: Code, operand: Any) -> bool:
    """Whether an operand is memory of this function's stack."""
    return operand.type == cs.X86_OP_MEM and _register(code, operand.mem.base) == STACK


def _slot(code: Code, operand: Any, state: State) -> int | None:
    """The stack slot of an operand; None if it is another, or not known."""
    if not _is_stack(code, operand) or state.depth is None or operand.mem.index:
        return None
    return int(operand.mem.disp) - state.depth


def _target(
    code: Code, insn: Any, operand: Any, address: Address, state: State
) -> Value:
    """The address in a memory operand, as a value."""
    mem = operand.mem
    base, index = _register(code, mem.base), _register(code, mem.index)
    known = state.values.get(index, NOTHING).loads if index else frozenset()
    if not base:
        return replace(_global(code, insn, address), loads=known)
    found = _value(code, base, address, state)
    place = found.place.moved(mem.disp) if found.place is not None else None
    loads, name = found.loads | known, found.name
    others = [
        (at.moved(mem.disp), held.name)
        for held in _held(code, base, address)
        if (at := _seen(held)) is not None
    ]
    # The compiler knows better what the pointer was cast to, as by container_of().
    if (
        place is None
        or member(place) is None
        or all(other.type != place.type for other, _ in others)
    ):
        better = ((o, n) for o, n in others if member(o) is not None)
        place, name = next(better, (place, name))
    return Value(loads, place, name)


def _global(code: Code, insn: Any, address: Address) -> Value:
    """The address of a global or per-CPU variable in an instruction."""
    at = address.offset + insn.disp_offset
    found = code.obj.relocations(address.section).get(at) if insn.disp_offset else None
    if found is None:
        return NOTHING
    type_ = code.variables.of_global(found.symbol.name)
    if type_ is None:
        return NOTHING
    offset = found.addend
    if found.kind in RELATIVE:
        offset += insn.size - insn.disp_offset
    return Value(place=Place(type_, offset), name=f"&{found.symbol.name}")


def _load(code: Code, insn: Any, operand: Any, address: Address, state: State) -> Load:
    target = _target(code, insn, operand, address, state)
    place = _read(target, operand.mem)
    if place is None:
        name = _unnamed(target.name, operand.mem)
        return Load(address, operand.size, "", "", 0, name, target.loads)
    name = _named(target.name, place.path)
    return Load(
        address,
        operand.size,
        place.record,
        place.path,
        place.offset,
        name,
        target.loads,
    )


def _read(target: Value, mem: Any) -> Member | None:
    """The member that an operand reads; None if that is not known.

    The distance of an indexed load may have part of the index in it: only arrays are certain.
    """
    if target.place is None:
        return None
    if not mem.index:
        return member(target.place)
    return element(target.place, mem.scale)


def _named(pointer: str, path: str) -> str:
    if path.startswith("["):
        return f"{pointer.removeprefix('&')}{path}" if pointer else ""
    if pointer.startswith("&"):
        return f"{pointer[1:]}.{path}" if path else pointer[1:]
    return f"{pointer}->{path}" if path else f"*{pointer}"


def _unnamed(pointer: str, mem: Any) -> str:
    """What is read through a pointer whose type does not tell; empty without a name."""
    if not pointer or mem.index:
        return ""
    if not mem.disp:
        return f"*{pointer}"
    return f"*({pointer} {'+' if mem.disp > 0 else '-'} {abs(mem.disp)})"


def _write(
    code: Code, insn: Any, address: Address, state: State, made: list[Load]
) -> None:
    """Change what the instruction writes."""
    inputs = _inputs(code, insn, state, made)
    target = insn.operands[0] if insn.operands else None
    register = ""
    if target is not None and target.type == cs.X86_OP_REG:
        register = _register(code, target.reg)
    if register == STACK:
        _moved(insn, state)
    elif target is not None and register and target.access & capstone.CS_AC_WRITE:
        value = _result(code, insn, address, state, made, inputs)
        _clobber(code, insn, state, inputs)
        state.values[register] = value if target.size == WORD else value.untyped()
        return
    elif target is not None and target.type == cs.X86_OP_MEM:
        slot = _slot(code, target, state)
        if slot is not None and target.access & capstone.CS_AC_WRITE:
            state.values.pop(slot, None)
            if insn.mnemonic in MOVES and target.size == WORD:
                state.values[slot] = _source(code, insn, address, state, made)
    _clobber(code, insn, state, inputs)


def _inputs(
    code: Code, insn: Any, state: State, made: list[Load]
) -> frozenset[Address]:
    """The loads that the results of an instruction come from."""
    loads = frozenset(load.address for load in made)
    if insn.mnemonic in ("xor", "sub") and _same(insn.operands):
        return loads
    read, _ = insn.regs_access()
    registers = {_register(code, number) for number in read} - {"", STACK}
    if insn.mnemonic == "sbb" and _same(insn.operands):
        # All bits are the carry.
        registers = {FLAGS}
    for operand in insn.operands:
        if operand.type == cs.X86_OP_MEM and insn.mnemonic != "lea":
            # These give the address.
            registers -= {
                _register(code, number)
                for number in (operand.mem.base, operand.mem.index)
            }
    for register in registers:
        loads |= state.values.get(register, NOTHING).loads
    return loads


def _clobber(code: Code, insn: Any, state: State, loads: frozenset[Address]) -> None:
    """Set all registers that an instruction writes, also those it does not name, and the flags."""
    _, written = insn.regs_access()
    for number in written:
        register = _register(code, number)
        if register and register != STACK:
            state.values[register] = Value(loads)


def _moved(insn: Any, state: State) -> None:
    """Follow the stack pointer."""
    last = insn.operands[-1]
    known = last.type == cs.X86_OP_IMM and insn.mnemonic in ("sub", "add")
    if state.depth is None or not known:
        state.depth = None
        return
    state.depth += last.imm if insn.mnemonic == "sub" else -last.imm


def _source(
    code: Code, insn: Any, address: Address, state: State, made: list[Load]
) -> Value:
    """The value of a move's second operand."""
    source = insn.operands[-1]
    if source.type == cs.X86_OP_REG:
        register = _register(code, source.reg)
        return _value(code, register, address, state) if register else NOTHING
    if source.type == cs.X86_OP_MEM:
        if _is_stack(code, source):
            slot = _slot(code, source, state)
            return NOTHING if slot is None else state.values.get(slot, NOTHING)
        load = made[0]
        found = _read(_target(code, insn, source, address, state), source.mem)
        return Value(
            frozenset({load.address}), found.target if found else None, load.name
        )
    return NOTHING


def _result(
    code: Code,
    insn: Any,
    address: Address,
    state: State,
    made: list[Load],
    inputs: frozenset[Address],
) -> Value:
    """What an instruction leaves in its first operand."""
    name, operands = insn.mnemonic, insn.operands
    if name in MOVES or name in WIDENING:
        value = _source(code, insn, address, state, made)
        return value if name in MOVES else value.untyped()
    if name == "lea":
        value = _target(code, insn, operands[1], address, state)
        return value.untyped() if operands[1].mem.index else value
    own = _value(code, _register(code, operands[0].reg), address, state)
    if name.startswith("cmov"):
        either = met(own, _source(code, insn, address, state, made))
        return replace(either, loads=either.loads | inputs)
    if name in ("add", "sub") and operands[-1].type == cs.X86_OP_IMM:
        distance = operands[-1].imm if name == "add" else -operands[-1].imm
        place = own.place.moved(distance) if own.place is not None else None
        return Value(inputs, place, own.name)
    return Value(inputs)


def _same(operands: Sequence[Any]) -> bool:
    return (
        len(operands) == 2
        and operands[0].type == operands[1].type == cs.X86_OP_REG
        and operands[0].reg == operands[1].reg
    )


def _stacked(code: Code, insn: Any, address: Address, state: State) -> list[Load]:
    """Push or pop."""
    operand = insn.operands[0]
    register = _register(code, operand.reg) if operand.type == cs.X86_OP_REG else ""
    made: list[Load] = []
    if state.depth is None:
        if insn.mnemonic == "pop" and register:
            state.values.pop(register, None)
        return made
    if insn.mnemonic == "push":
        if _is_read(insn, operand) and not _is_stack(code, operand):
            made.append(_load(code, insn, operand, address, state))
        state.depth += WORD
        key: Key = -state.depth
        known = _value(code, register, address, state) if register else NOTHING
        state.values[key] = known
    else:
        if register:
            state.values[register] = state.values.get(-state.depth, NOTHING)
        state.depth -= WORD
    return made
