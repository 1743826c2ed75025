# SPDX-License-Identifier: GPL-2.0
"""User accesses: whether one faults, what it may reach, and how the code goes on.

Whether a byte of user memory can be accessed is a variable, named by how many events came before:
other threads may map and unmap. Both sides share it, so that they fault alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.execution.marks import READ, WRITE
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, holds, resolve
from hotcocci.proof.symbolic.architecture import Decoded, with_registers
from hotcocci.proof.symbolic.code import Code, block
from hotcocci.proof.symbolic.state import (
    Access,
    Inside,
    Partial,
    State,
    UnsupportedError,
    ValueNeeded,
    ViolationError,
    decide,
)
from hotcocci.proof.symbolic.values import Word
from hotcocci.proof.symbolic.vex import execute

# Bytes of a copy that are told apart where it faults.
COPIED = 256


class _Reached(Exception):  # noqa: N818 - no error
    """The one access of an instruction."""

    def __init__(self, address: Word, size: int, data: Word | None) -> None:
        super().__init__()
        self.address, self.size, self.data = address, size, data


class _Probe:
    """Tells what an instruction accesses."""

    def load(self, address: Word, size: int) -> Word:
        """It loads."""
        raise _Reached(address, size, None)

    def store(self, address: Word, value: Word, size: int) -> None:
        """It stores."""
        raise _Reached(address, size, value)

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """It is an atomic operation."""
        raise UnsupportedError("an atomic operation on user memory")

    def dirty(self, name: str, arguments: list[Word]) -> Word:
        """It does something else."""
        raise UnsupportedError(f"helper {name}")


@dataclass
class _Answered(_Probe):
    """Lets an instruction have its access."""

    data: Word | None

    def load(self, address: Word, size: int) -> Word:
        """What was loaded."""
        assert self.data is not None, "only a load is answered"
        return self.data

    def store(self, address: Word, value: Word, size: int) -> None:
        """The other side saw it already."""


def reached(side: Side, at: str) -> tuple[State, Access | None]:
    """The access that is about to be made, or the state after its fault.

    ``at`` names the moment. Raises ForkNeeded, ValueNeeded and UnsupportedError.
    """
    state, code = side.state, side.code
    if not state.open:
        # Or it is none: load_unaligned_zeropad() and the like read kernel memory.
        raise ViolationError("user memory is accessed with user access closed")
    found = block(code, state.pc)
    if found.decoded.kind == "string":
        return _copy(side, found.decoded, at)
    assert found.vex is not None
    try:
        registers = dict(state.registers)
        execute(found.vex, registers, _Probe(), side.decided, code.arch)
    except _Reached as made:
        address = resolve(side.path, side.code.terms, made.address)
        access = Access(address, code.terms.place(address), made.size, made.data)
    else:
        # As memory may be what a register says, and the table covers more than loads.
        raise UnsupportedError(f"the exception table covers '{found.decoded.text}'")
    return _decided(side, access, at)


def _decided(side: Side, access: Access, at: str) -> tuple[State, Access | None]:
    """The access if it succeeds, else the state after its fault."""
    if decide(side.path, kernel(side.code, access)):
        raise UncheckedError(str(access))
    if not decide(side.path, faults(side, access, at)):
        return side.state, access
    return fault(side, kind(access)), None


def faults(side: Side, access: Access, at: str) -> z3.BoolRef:
    """Whether an access faults at a moment: a page is not there, or it leaves user space."""
    layout, width = side.code.arch.layout, side.code.terms.width
    base = ".".join(map(str, access.place.base))
    name = f"fault {at} {kind(access)} {base}+"
    # A large one is only like one of the same bytes.
    bytes_ = (
        [z3.Bool(f"{name}{access.place.offset + n:#x}") for n in range(access.size)]
        if access.size <= COPIED
        else [z3.Bool(f"{name}{access.place.offset:#x} of {access.size}")]
    )
    address = access.address
    low = v.below(address, layout.user_low, width)
    high = v.below(layout.user_high - access.size, address, width)
    return holds(z3.Or(v.truth(low), v.truth(high), *bytes_))


def fault(side: Side, kind: str) -> State:
    """Go on as the exception table says. Raises UnsupportedError."""
    state = side.state
    inside = state.inside and replace(state.inside, faulted=True)
    stopped = state.stopped if state.faulted else state.window
    faulted = state.faulted or kind
    state = replace(state, faulted=faulted, stopped=stopped, inside=inside)
    return side.code.arch.fault(state, side.code.image.fixups[state.pc])


def kind(access: Access) -> str:
    """The direction of an access."""
    return "load" if access.data is None else "store"


def kernel(code: Code, access: Access) -> z3.BoolRef:
    """Whether an access is one of kernel memory, which needs no user page to succeed."""
    layout, width = code.arch.layout, code.terms.width
    above = v.negation(v.below(access.address, layout.kernel, width))
    top = v.below(access.address, layout.end, width)
    return holds(z3.And(v.truth(above), v.truth(top)))


def uncovered(state: State, access: Access, width: int) -> z3.BoolRef | str:
    """When an access is not one that its window was begun for; a text if it never is."""
    begun = state.window
    if begun is None:
        return z3.BoolVal(False)
    if not begun.directions & (READ if access.data is None else WRITE):
        return f"{access} in a window of the other direction"
    # Counted from the start, as z3 is slow with sums on both sides.
    done = v.plain(v.subtract(access.address, begun.start, width))
    left = v.plain(v.subtract(begun.length, done, width))
    inside = z3.And(
        v.truth(v.negation(v.below(begun.length, done, width))),
        v.truth(v.negation(v.below(left, access.size, width))),
    )
    return holds(z3.Not(inside))


def succeeded(side: Side, access: Access, data: Word | None) -> State:
    """The state after an access that loaded ``data``."""
    state, code = side.state, side.code
    found = block(code, state.pc)
    if access.block:
        return _copied(side, found.decoded, access, data)
    assert found.vex is not None
    registers = dict(state.registers)
    after = execute(found.vex, registers, _Answered(data), side.decided, code.arch)
    assert isinstance(after, int)
    return replace(state, registers=registers, pc=after)


def _count(side: Side, decoded: Decoded) -> int:
    """The bytes of a string operation. Raises ValueNeeded."""
    count = side.path.known(v.plain(side.state.registers[side.code.arch.counter]))
    if not isinstance(count, int):
        raise ValueNeeded(count, side.state.pc)
    return count * decoded.size


def _ends(side: Side) -> tuple[Word, Word]:
    registers = side.state.registers
    target, source = (registers[offset] for offset in side.code.arch.moved)
    return resolve(side.path, side.code.terms, target), resolve(
        side.path, side.code.terms, source
    )


def _copy(side: Side, decoded: Decoded, at: str) -> tuple[State, Access | None]:
    """A copy that the exception table covers."""
    size = _count(side, decoded)
    state, code = side.state, side.code
    if size == 0:
        return replace(state, pc=state.pc + decoded.length), None
    target, source = _ends(side)
    loads = not decoded.fills and _loads(side, target, source)
    address = source if loads else target
    data: Word | None = None
    if not loads:
        data = (
            _pattern(side, decoded, size)
            if decoded.fills
            else _data(side, source, size)
        )
    access = Access(address, code.terms.place(address), size, data, block=True)
    if decide(side.path, kernel(code, access)):
        raise UncheckedError(str(access))
    if not decide(side.path, faults(side, access, at)):
        return side.state, access
    base = ".".join(map(str, access.place.base))
    name = f"{at} {base}+{access.place.offset:#x} {size}"
    left = z3.BitVec(f"left {name}", code.terms.width)
    # At least one byte is left, at most all of them.
    if not decide(side.path, holds(z3.And(z3.UGE(left, 1), z3.ULE(left, size)))):
        raise InfeasibleError
    if decoded.size != 1:
        raise UnsupportedError("a copy by words that faults")
    done = v.subtract(size, left, code.terms.width)
    if loads:
        if size > COPIED:
            raise UnsupportedError(f"a copy of {size} bytes that faults")
        for n in range(size):
            place = v.add(target, n, code.terms.width)
            fresh = z3.BitVec(f"part {name} {n}", 8)
            before = side.load(place, 1)
            made = z3.If(z3.ULT(n, done), fresh, v.term(before, 8))
            side.store(place, made, 1)
    changes: dict[int, Word] = {code.arch.counter: left}
    ends = (target,) if decoded.fills else (target, source)
    for offset, end in zip(code.arch.moved, ends, strict=False):
        changes[offset] = v.add(end, done, code.terms.width)
    state = with_registers(side.state, changes)
    partial = Partial(left, size, target) if loads else None
    side.state = replace(state, partial=partial, torn=access)
    return fault(side, kind(access)), None


class UncheckedError(Exception):
    """A user access goes to kernel memory, which no page fault stops; the message says which."""


class InfeasibleError(Exception):
    """This path is none: a variable has a value that it never has."""


def _loads(side: Side, target: Word, source: Word) -> bool:
    """Whether a copy is one from user memory."""
    inside = side.state.inside
    if inside is not None and inside.name in side.code.arch.loads:
        return True
    if inside is not None and inside.name in side.code.arch.stores:
        return False
    layout = side.code.arch.layout
    for address, loads in ((target, True), (source, False)):
        place = side.code.terms.place(address)
        at = place.offset & v.mask(side.code.terms.width)
        if not place.base and at >= layout.kernel:
            return loads
    begun = side.state.window
    if begun is not None and begun.directions in (READ, WRITE):
        return begun.directions == READ
    width = side.code.terms.width
    ends = [
        side.decided(v.negation(v.below(each, layout.kernel, width)))
        for each in (target, source)
    ]
    if ends[0] == ends[1]:
        # One end is kernel memory, whatever the other is.
        raise InfeasibleError
    return ends[0]


def _data(side: Side, source: Word, size: int) -> Word:
    """What a copy stores."""
    found: Word = 0
    for n in range(0, size, 8):
        length = min(8, size - n)
        word = side.load(v.add(source, n, side.code.terms.width), length)
        found = v.concat(word, found, 8 * length, 8 * n) if n else word
    return found


def _pattern(side: Side, decoded: Decoded, size: int) -> Word:
    fill = side.state.registers[side.code.arch.registers.results[0]]
    word = v.extract(fill, 8 * decoded.size - 1, 0)
    found = word
    for n in range(decoded.size, size, decoded.size):
        found = v.concat(word, found, 8 * decoded.size, 8 * n)
    return found


def _copied(side: Side, decoded: Decoded, access: Access, data: Word | None) -> State:
    """After a copy of all its bytes."""
    code, width = side.code, side.code.terms.width
    target, source = _ends(side)
    if access.data is None:
        assert data is not None, "a load has its data"
        for n in range(0, access.size, 8):
            length = min(8, access.size - n)
            part = v.extract(data, 8 * (n + length) - 1, 8 * n)
            side.store(v.add(target, n, width), part, length)
    changes: dict[int, Word] = {code.arch.counter: 0}
    for offset, end in zip(code.arch.moved, (target, source), strict=True):
        changes[offset] = v.add(end, access.size, width)
    if decoded.fills:
        changes.pop(code.arch.moved[1])
    state = with_registers(side.state, changes)
    return replace(state, pc=state.pc + decoded.length)


def entered(state: State, name: str, back: int) -> State:
    """The state inside of a user access routine."""
    return replace(state, inside=Inside(name, back, state.site))
