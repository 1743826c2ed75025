# SPDX-License-Identifier: GPL-2.0
"""User accesses: string operations and copy routines as single ones, others as in user.py."""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.objects.marks import READ, WRITE
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, holds, resolve
from hotcocci.proof.symbolic.architecture import Decoded, Kind, with_registers
from hotcocci.proof.symbolic.calls import leave, spoiled
from hotcocci.proof.symbolic.code import block
from hotcocci.proof.symbolic.state import (
    Access,
    Partial,
    State,
    UnsupportedError,
    ValueNeeded,
    decide,
)
from hotcocci.proof.symbolic.values import Word


@dataclass(frozen=True)
class _Bulk:
    """A copy or fill that is about to run: destination, source, bytes.

    Without ``source`` it repeats ``fill``. ``unit`` is the size of an element in bytes. ``decoded``
    is None for a routine.
    """

    target: Word
    source: Word | None
    size: int
    fill: Word = 0
    unit: int = 1
    decoded: Decoded | None = None


def _bulk(side: Side) -> _Bulk:
    """The copy or fill at the current pc.

    Raises ValueNeeded if its size is not known.
    """
    code, state = side.code, side.state
    registers, arch = state.registers, code.arch
    name = code.image.routines.get(state.pc)
    if name in arch.whole:
        first, second, third = (registers[r] for r in arch.registers.arguments[:3])
        fills = name in arch.fills
        size = _known(side, second if fills else third)
        source = None if fills else resolve(side.path, code.terms, second)
        return _Bulk(resolve(side.path, code.terms, first), source, size)
    decoded = block(code, state.pc).decoded
    target, source = (
        resolve(side.path, code.terms, registers[offset]) for offset in arch.moved
    )
    return _Bulk(
        target,
        None if decoded.fills else source,
        _known(side, registers[arch.counter]) * decoded.size,
        v.extract(registers[arch.registers.results[0]], 8 * decoded.size - 1, 0),
        decoded.size,
        decoded,
    )


def _known(side: Side, word: Word) -> int:
    found = side.path.known(v.plain(word))
    if not isinstance(found, int):
        raise ValueNeeded(found, side.state.pc)
    return found


def _after(side: Side, bulk: _Bulk, left: Word) -> State:
    """The state with ``left`` bytes not copied, before any exception table entry is followed."""
    arch, width, state = side.code.arch, side.code.terms.width, side.state
    if bulk.decoded is None:
        changes = spoiled(side, f"copy {state.steps}")
        changes[arch.registers.results[0]] = left
        return with_registers(leave(side), changes)
    done = v.subtract(bulk.size, left, width)
    changes = {arch.counter: left}
    for offset, end in zip(arch.moved, (bulk.target, bulk.source), strict=True):
        if end is not None:
            changes[offset] = v.add(end, done, width)
    state = with_registers(state, changes)
    return replace(state, pc=state.pc + bulk.decoded.length)


def reached(side: Side, at: str) -> tuple[State, Access | None]:
    """The user access that is about to be made, or the state after its fault.

    ``at`` is the number of the event, as text. Raises ForkNeeded, ValueNeeded and UnsupportedError.
    """
    code, pc = side.code, side.state.pc
    if code.image.routines.get(pc) not in code.arch.whole:
        if block(code, pc).decoded.kind != Kind.STRING:
            return user.reached(side, at)
    bulk = _bulk(side)
    size = bulk.size
    if size == 0:
        return _after(side, bulk, 0), None
    user_source = bulk.source is not None and loads(side, bulk.target, bulk.source)
    user.require_open(side, user_source)
    data: Word | None = None
    if not user_source:
        data = _data(side, bulk)
    address = bulk.source if user_source else bulk.target
    assert address is not None
    address = user.unmasked(side, address)
    access = Access(address, code.terms.place(address), size, data, block=True)
    if user.may_be_made(side, access, at):
        return side.state, access
    base = ".".join(map(str, access.place.base))
    name = f"{at} {base}+{access.place.offset:#x} {size}"
    left = z3.BitVec(f"left {name}", code.terms.width)
    # At least one byte is left, at most all.
    if not decide(side.path, holds(z3.And(z3.UGE(left, 1), z3.ULE(left, size)))):
        raise user.InfeasibleError
    if bulk.unit != 1:
        raise UnsupportedError("a fault in a word-wise string operation")
    if user_source:
        if size > user.COPIED:
            raise UnsupportedError(f"a fault in a copy of {size} bytes")
        _torn(side, bulk, left, name)
    side.state = _failed(side, bulk, access, left, at)
    return side.state, None


def _torn(side: Side, bulk: _Bulk, left: z3.BitVecRef, name: str) -> None:
    """Store what was loaded before the fault."""
    width = side.code.terms.width
    done = bulk.size - left
    for n in range(bulk.size):
        place = v.add(bulk.target, n, width)
        fresh = z3.BitVec(f"part {name} {n}", 8)
        before = side.load(place, 1)
        made = z3.If(z3.ULT(n, done), fresh, v.term(before, 8))
        side.store(place, made, 1)


def _failed(
    side: Side, bulk: _Bulk, access: Access, left: z3.BitVecRef, at: str
) -> State:
    """The state after a fault."""
    is_load = access.data is None
    pc = side.state.pc
    partial = Partial(left, bulk.size, bulk.target) if is_load else None
    if bulk.decoded is None:
        side.state = user.failed(side.state, access.kind)
        state = _after(side, bulk, left)
    else:
        side.state = replace(_after(side, bulk, left), pc=pc)
        state = user.fault(side, access.kind, at)
    return replace(state, partial=partial, torn=access)


def loads(side: Side, target: Word, source: Word) -> bool:
    """Whether a copy loads from user memory.

    Raises ForkNeeded, InfeasibleError, and UnsupportedError in a window that was refused.
    """
    arch, inside = side.code.arch, side.state.inside
    name = inside.name if inside is not None else ""
    if name in arch.loads:
        return True
    if name in arch.stores:
        return False
    layout, width = arch.layout, side.code.terms.width
    for address, is_load in ((target, True), (source, False)):
        place = side.code.terms.place(address)
        at = place.offset & v.mask(width)
        if not place.base and at >= layout.kernel:
            return is_load
    begun = side.state.window
    if begun is not None and begun.directions in (READ, WRITE):
        return begun.directions == READ
    if begun is not None and begun.refused:
        # Both may be, as the check failed.
        raise UnsupportedError(f"{name}() in a window that was refused")
    ends = [
        side.decided(v.negation(v.below(each, layout.kernel, width)))
        for each in (target, source)
    ]
    if ends[0] == ends[1]:
        # One end must be kernel memory.
        raise user.InfeasibleError
    return ends[0]


def _data(side: Side, bulk: _Bulk) -> Word:
    """The stored data as one word."""
    order, width = side.code.terms.order, side.code.terms.width
    unit = 8 if bulk.source is not None else bulk.unit
    found: Word = 0
    for n, length in v.pieces(bulk.size, unit):
        word = bulk.fill
        if bulk.source is not None:
            word = side.load(v.add(bulk.source, n, width), length)
        found = v.followed(found, n, word, length, order)
    return found


def succeeded(side: Side, access: Access, data: Word | None) -> State:
    """The state after an access that loaded ``data``, of all bytes."""
    if not access.block:
        return user.succeeded(side, access, data)
    bulk = _bulk(side)
    order, width = side.code.terms.order, side.code.terms.width
    if access.data is None:
        assert data is not None, "a load has its data"
        for n, length in v.pieces(access.size):
            part = v.piece(data, access.size, n, length, order)
            side.store(v.add(bulk.target, n, width), part, length)
    return _after(side, bulk, 0)
