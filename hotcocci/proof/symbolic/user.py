# SPDX-License-Identifier: GPL-2.0
"""User accesses: whether one faults, what it may access, and how the code continues.

String operations and copy routines make a single one. Whether a byte is accessible is a variable of the current event: other threads may map and unmap
memory. Both sides share it, so that they fault alike.
"""

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.objects.marks import READ, WRITE
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side
from hotcocci.proof.symbolic.architecture import (
    Architecture,
    Decoded,
    Kind,
    with_registers,
)
from hotcocci.proof.symbolic.calls import MOVED, leave, overlaps, spoiled
from hotcocci.proof.symbolic.code import Code, block
from hotcocci.proof.symbolic.state import (
    Access,
    ForkNeeded,
    Inside,
    State,
    Torn,
    UnsupportedError,
    ViolationError,
    decide,
)
from hotcocci.proof.symbolic.values import Word
from hotcocci.proof.symbolic.vex import Single

# Copies up to this size have a variable per byte for where they fault.
COPIED = 256
# Most elements of a string move whose ends may overlap: each load depends on all stores before it.
ELEMENTS = 512


class UncheckedError(Exception):
    """A user access reaches kernel memory because its address is unchecked; the message names it."""


class InfeasibleError(Exception):
    """The path is infeasible: a variable has a value that it cannot have."""


def _single(side: Side, at: str) -> tuple[State, Access | None]:
    """The same for an instruction that makes one access."""
    state, code = side.state, side.code
    found = block(code, state.pc)
    made = Single()
    side.run(found.vex, made)
    if not made.size:
        # No access: the exception table covers more than loads and stores.
        raise UnsupportedError(f"an exception table entry for '{found.decoded.text}'")
    address = unmasked(side, side.resolved(made.address))
    access = Access(address, code.terms.place(address), made.size, made.value)
    require_open(side, access.data is None)
    if may_be_made(side, access, at):
        return side.state, access
    return fault(side, access.kind, at), None


def unmasked(side: Side, address: Word) -> Word:
    """An address without a mask that does not change it, so that its object is recognised.

    Raises ForkNeeded.
    """
    before, same = side.arch.unmasked(address)
    return before if side.decided(same) else address


def require_open(side: Side, loads: bool) -> None:
    """Raise ViolationError unless user access is open."""
    if not side.state.open and not (loads and side.arch.readable):
        # load_unaligned_zeropad() and the like read kernel memory with an exception table entry.
        raise ViolationError("user memory is accessed with user access closed")


def may_be_made(side: Side, access: Access, at: str) -> bool:
    """Whether an access succeeds; one outside user space does not in a window that was refused.

    Raises ForkNeeded, and UncheckedError for kernel memory.
    """
    window = side.state.window
    refused = window is not None and window.refused
    if not refused and decide(side.path, kernel(side.code, access)):
        raise UncheckedError(str(access))
    return not decide(side.path, faults(side, access, at))


def faults(side: Side, access: Access, at: str) -> z3.BoolRef:
    """The condition for an access to fault: an unmapped page, or an address outside user space."""
    layout, width = side.arch.layout, side.width
    base = ".".join(map(str, access.place.base))
    name = f"fault {at} {access.kind} {base}+"
    # A large copy faults as one.
    start, size = access.place.offset, access.size
    if size > COPIED:
        bytes_ = [z3.Bool(f"{name}{start:#x} of {size}")]
    else:
        bytes_ = [z3.Bool(f"{name}{n:#x}") for n in range(start, start + size)]
    address = side.arch.untagged(access.address)
    low = v.below(address, layout.user_low, width)
    high = v.below(layout.user_high - access.size, address, width)
    return v.truth(v.settled(z3.Or(v.truth(low), v.truth(high), *bytes_)))


def fault(side: Side, kind: str, at: str) -> State:
    """Continue at the exception table entry. Raises UnsupportedError."""
    fixup = side.code.image.fixups[side.state.pc]
    state = side.arch.fault(failed(side.state, kind), fixup)
    return with_zero(side, state, side.arch.zeroed(fixup, ""), at)


def failed(state: State, kind: str) -> State:
    """The state with a fault recorded."""
    inside = state.inside and replace(state.inside, faulted=True)
    stopped = state.stopped if state.faulted else state.window
    faulted = state.faulted or kind
    return replace(state, faulted=faulted, stopped=stopped, inside=inside)


def with_zero(side: Side, state: State, register: int | None, at: str) -> State:
    """The state with the 0 that a fault leaves in a register, if in any, as a named variable.

    Raises ForkNeeded and InfeasibleError.
    """
    if register is None:
        return state
    found = z3.BitVec(f"zeroed {at}", side.width)
    if not side.decided(found == 0):
        raise InfeasibleError
    return with_registers(state, {register: found})


def kernel(code: Code, access: Access) -> z3.BoolRef:
    """The condition for an access to be to kernel memory, where it does not fault."""
    layout, width = code.arch.layout, code.terms.width
    above = v.at_least(access.address, layout.kernel, width)
    top = v.below(access.address, layout.end, width)
    return v.truth(v.settled(z3.And(v.truth(above), v.truth(top))))


def uncovered(state: State, access: Access, width: int) -> z3.BoolRef | str:
    """The condition for an access to be outside its window; a text if it always is."""
    begun = state.window
    if begun is None:
        return z3.BoolVal(False)
    if not begun.directions & (READ if access.data is None else WRITE):
        return f"{access} in a window for the other direction"
    # Relative to the start: z3 is slow with sums on both sides.
    done = v.plain(v.subtract(access.address, begun.start, width))
    left = v.plain(v.subtract(begun.length, done, width))
    inside = v.at_least(begun.length, done, width), v.at_least(left, access.size, width)
    return v.truth(v.settled(z3.Not(z3.And(*map(v.truth, inside)))))


def entered(state: State, name: str, back: int) -> State:
    """The state on entry to a user access routine."""
    return replace(state, inside=Inside(name, back, state.site))


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


def counted(arch: Architecture, name: str | None, size: Word) -> Word:
    """A number of bytes as a routine takes and returns it."""
    if name not in arch.opening:
        return v.plain(size)
    width = arch.registers.width
    return v.plain(v.zero_extended(v.extract(size, 31, 0), 32, width))


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
        size = side.constant(second if fills else counted(arch, name, third))
        source = None if fills else side.resolved(second)
        return _Bulk(side.resolved(first), source, size)
    decoded = block(code, state.pc).decoded
    target, source = (side.resolved(registers[offset]) for offset in arch.moved)
    unit = decoded.size
    size = side.constant(registers[arch.counter]) * unit
    fill = v.extract(registers[arch.registers.results[0]], 8 * unit - 1, 0)
    source = None if decoded.fills else source
    return _Bulk(target, source, size, fill, unit, decoded)


def _after(side: Side, bulk: _Bulk, left: Word) -> State:
    """The state with ``left`` bytes not copied, before any exception table entry is followed."""
    arch, width, state = side.arch, side.width, side.state
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


def string(side: Side) -> None:
    """A copy or fill within the kernel, by a string instruction."""
    bulk = _bulk(side)
    units = [(side.after(bulk.target, n), n) for n in range(0, bulk.size, bulk.unit)]
    if bulk.size > MOVED:
        raise UnsupportedError(f"a move of {bulk.size} bytes")
    if bulk.source is None:
        for at, _ in units:
            side.store(at, bulk.fill, bulk.unit)
    elif overlaps(side, bulk.target, bulk.source, bulk.size):
        if len(units) > ELEMENTS:
            raise UnsupportedError(f"a move of {bulk.size} bytes that may overlap")
        # Upwards, element by element: what was stored may be loaded again.
        for at, n in units:
            side.move(at, side.after(bulk.source, n), bulk.unit)
    else:
        side.move(bulk.target, bulk.source, bulk.size)
    side.state = _after(side, bulk, 0)


def reached(side: Side, at: str) -> tuple[State, Access | None]:
    """The user access that is about to be made, or the state after its fault.

    ``at`` is the number of the event, as text. Raises ForkNeeded, ValueNeeded and UnsupportedError.
    """
    code, pc = side.code, side.state.pc
    if code.image.routines.get(pc) not in code.arch.whole:
        if block(code, pc).decoded.kind != Kind.STRING:
            return _single(side, at)
    bulk = _bulk(side)
    size = bulk.size
    if size == 0:
        return _after(side, bulk, 0), None
    loads_user = bulk.source is not None and loads(side, bulk.target, bulk.source)
    if code.image.routines.get(pc) not in code.arch.opening:
        require_open(side, loads_user)
    data = None if loads_user else _data(side, bulk)
    address = bulk.source if loads_user else bulk.target
    assert address is not None
    address = unmasked(side, address)
    access = Access(address, code.terms.place(address), size, data, block=True)
    if may_be_made(side, access, at):
        return side.state, access
    base = ".".join(map(str, access.place.base))
    name = f"{at} {base}+{access.place.offset:#x} {size}"
    routine = code.image.routines.get(pc)
    unknown = z3.BitVec(f"left {name}", code.terms.width)
    left = v.term(counted(code.arch, routine, unknown), code.terms.width)
    # At least one byte is left, at most all.
    if not side.decided(z3.And(z3.UGE(left, 1), z3.ULE(left, size))):
        raise InfeasibleError
    if bulk.unit != 1:
        raise UnsupportedError("a fault in a word-wise string operation")
    if loads_user:
        if size > COPIED:
            raise UnsupportedError(f"a fault in a copy of {size} bytes")
        _torn(side, bulk, left, name)
    side.state = _failed(side, bulk, access, left, at)
    return side.state, None


def _torn(side: Side, bulk: _Bulk, left: z3.BitVecRef, name: str) -> None:
    """Store what was loaded before the fault."""
    done = bulk.size - left
    for n in range(bulk.size):
        place = side.after(bulk.target, n)
        fresh = z3.BitVec(f"part {name} {n}", 8)
        before = side.load(place, 1)
        made = z3.If(z3.ULT(n, done), fresh, v.term(before, 8))
        side.store(place, made, 1)


def _failed(
    side: Side, bulk: _Bulk, access: Access, left: z3.BitVecRef, at: str
) -> State:
    """The state after a fault."""
    pc = side.state.pc
    if bulk.decoded is None:
        side.state = failed(side.state, access.kind)
        state = _after(side, bulk, left)
    else:
        side.state = replace(_after(side, bulk, left), pc=pc)
        state = fault(side, access.kind, at)
    return replace(state, torn=Torn(access, left, bulk.target))


def loads(side: Side, target: Word, source: Word) -> bool:
    """Whether a copy loads from user memory.

    Raises ForkNeeded, and UnsupportedError in a window that was refused. Elsewhere one end is kernel memory.
    """
    arch, inside = side.arch, side.state.inside
    name = inside.name if inside is not None else ""
    if name in arch.loads:
        return True
    if name in arch.stores:
        return False
    if arch.readable and not side.state.open:
        # A store would be wrong, whatever it stores to.
        return True
    layout, width = arch.layout, side.width
    for address, is_load in ((target, True), (source, False)):
        place = side.terms.place(address)
        if not place.base and place.offset >= layout.kernel:
            return is_load
    begun = side.state.window
    if begun is not None and begun.directions in (READ, WRITE):
        return begun.directions == READ
    if begun is not None and begun.refused:
        # Both may be, as the check failed.
        raise UnsupportedError(f"{name}() in a window that was refused")
    ends = [
        v.truth(v.at_least(each, layout.kernel, width)) for each in (target, source)
    ]
    apart = z3.simplify(z3.Xor(*ends))
    if side.path.knows(apart) is None and not z3.is_true(apart):
        raise ForkNeeded(apart, unless="a copy within user memory")
    return side.decided(ends[0])


def _data(side: Side, bulk: _Bulk) -> Word:
    """The stored data as one word."""
    if bulk.source is None:
        parts = [(bulk.fill, bulk.unit)] * (bulk.size // bulk.unit)
    else:
        source, pieces = bulk.source, v.pieces(bulk.size)
        parts = [(side.load(side.after(source, n), size), size) for n, size in pieces]
    return v.joined(parts, side.terms.order)


def succeeded(side: Side, access: Access, data: Word | None) -> State:
    """The state after an access that loaded ``data``, of all bytes."""
    if not access.block:
        found = block(side.code, side.state.pc)
        answer = 0 if data is None else data
        registers, after = side.run(found.vex, Single(answer))
        assert isinstance(after, int)
        return replace(side.state, registers=registers, pc=after)
    bulk = _bulk(side)
    if access.data is None:
        assert data is not None, "a load has its data"
        for n, length in v.pieces(access.size):
            part = v.piece(data, access.size, n, length, side.terms.order)
            side.store(side.after(bulk.target, n), part, length)
    return _after(side, bulk, 0)
