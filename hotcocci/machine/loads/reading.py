# SPDX-License-Identifier: GPL-2.0
"""List the loads of a function in an x86-64 object, and which of them wait for earlier loads."""

from __future__ import annotations

from collections.abc import Iterator

import capstone

from hotcocci.machine.code import (
    BRANCH,
    CALL,
    INDIRECT,
    JUMP,
    PLAIN,
    RETURN,
    STOP,
    Instruction,
    jump_labels,
)
from hotcocci.machine.elf import Address, ObjectFile, Symbol
from hotcocci.machine.loads.steps import Called, Code, Load, Point, call, called, step
from hotcocci.machine.loads.values import State, Variables
from hotcocci.machine.x86 import X86

ENDS = (RETURN, STOP, INDIRECT)


class Reader:
    """The code of an object compiled with -g. Raises ElfError if it cannot be read."""

    def __init__(self, obj: ObjectFile) -> None:
        self.object = obj
        self._variables = Variables(obj)
        self._flow = X86(64)
        self._decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
        self._decoder.detail = True
        self._decoder.skipdata = True
        self._labels = jump_labels(obj)

    def read(self, function: Symbol) -> tuple[list[Load], list[Called]]:
        """The loads and calls of a function, by address. Its unlikely part in another section is left out."""
        start = function.address
        assert start is not None, "only functions of the object have code"
        end = start.offset + function.size
        flow = {i.address: i for i in self._flow.decode(self.object, start, end)}
        data = self.object.data(start.section)[start.offset : end]
        details = {
            Address(start.section, insn.address): insn
            for insn in self._decoder.disasm(data, start.offset)
        }
        held = self._variables.held(function.name)
        code = Code(self.object, self._variables, held, self._decoder, flow, details)
        states = self._states(code, start)
        loads: list[Load] = []
        calls: list[Called] = []
        for address in sorted(states):
            callee = flow[address].callee
            if callee:
                at = Point(code, address, states[address], details.get(address))
                calls.append(called(at, callee))
            loads += _executed(code, address, states[address].copy())
        return loads, calls

    def _states(self, code: Code, start: Address) -> dict[Address, State]:
        """What is known before each instruction that can be reached."""
        states = {start: State()}
        todo = [start]
        while todo:
            address = todo.pop()
            after = states[address].copy()
            _executed(code, address, after)
            for following in self._following(code.flow[address]):
                if following not in code.flow:
                    continue
                known = states.get(following)
                met = after.copy() if known is None else known.met(after)
                if known != met:
                    states[following] = met
                    todo.append(following)
        return states

    def _following(self, insn: Instruction) -> Iterator[Address]:
        if insn.kind in (JUMP, BRANCH) and insn.target is not None:
            yield insn.target
        if insn.kind not in ENDS and insn.kind != JUMP:
            yield insn.following
        yield from self._labels.get(insn.address, ())


def _executed(code: Code, address: Address, state: State) -> list[Load]:
    insn, detail = code.flow[address], code.details.get(address)
    # Without an id it is no instruction.
    if insn.nop or detail is None or detail.id == 0:
        return []
    at = Point(code, address, state, detail)
    if insn.kind == CALL:
        return call(at, insn.callee)
    return step(at) if insn.kind == PLAIN else []
