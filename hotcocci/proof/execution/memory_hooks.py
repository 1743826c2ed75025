# SPDX-License-Identifier: GPL-2.0
"""Emulator hooks that record reads and writes of memory."""

from __future__ import annotations


from unicorn import unicorn_const as ucc

from hotcocci.proof.execution.arguments import named
from hotcocci.proof.execution.user_accesses import CLOSED
from hotcocci.proof.execution.inputs import filling
from hotcocci.proof.execution.state import Running, joined
from hotcocci.proof.execution.trace import LOAD, STORE, Access


def on_user(
    machine: Running,
    _uc: object,
    access: int,
    physical: int,
    size: int,
    value: int,
    _data: object,
) -> None:
    """Record an access to user memory."""
    at, state = machine.space.virtual(physical), machine.state
    stores = access == ucc.UC_MEM_WRITE
    # Where loads need no unlock, the exception table shows which accesses are user accesses.
    is_meant = state.previous in machine.image.fixups
    if not is_meant or not machine.processor.is_open(machine.engine, stores):
        state.violations.append(CLOSED)
    if stores:
        machine.space.touch(at, size)
        data = _bytes(machine, value, size)
    else:
        data = machine.space.read(at, size)
    made = Access(STORE if stores else LOAD, at, data, state.copying)
    if not joined(state, made):
        machine.event(made)


def on_write(
    machine: Running,
    _uc: object,
    _access: int,
    physical: int,
    size: int,
    value: int,
    _data: object,
) -> None:
    """Record a write to kernel memory."""
    at = machine.space.virtual(physical)
    machine.space.touch(at, size)
    if at in machine.processor.private:
        return
    remember(machine, at, _bytes(machine, value, size))


def on_stack(
    machine: Running,
    _uc: object,
    _access: int,
    physical: int,
    size: int,
    _value: int,
    _data: object,
) -> None:
    """Mark the stack page as changed."""
    machine.space.touch(machine.space.virtual(physical), size)


def remember(machine: Running, address: int, data: bytes) -> None:
    """Record what is about to be written to kernel memory."""
    state, layout = machine.state, machine.processor.layout
    shared = data
    if len(data) == layout.pointer:
        value = int.from_bytes(data, layout.order)
        name = named(machine, value)
        shared = filling(0, name, len(data)) if name else data
    was = machine.space.read(address, len(data))
    for offset, byte in enumerate(data):
        at = address + offset
        state.shared[at] = shared[offset]
        if at in state.written or was[offset] != byte:
            state.same.discard(at)
            state.written[at] = byte
            machine.space.keep(at, data[offset : offset + 1])
        else:
            state.same.add(at)


def _bytes(machine: Running, value: int, size: int) -> bytes:
    value &= (1 << 8 * size) - 1
    return value.to_bytes(size, machine.processor.layout.order)
