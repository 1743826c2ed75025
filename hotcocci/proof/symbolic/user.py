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
from hotcocci.proof.symbolic.architecture import with_registers
from hotcocci.proof.symbolic.code import Code, block
from hotcocci.proof.symbolic.state import (
    Access,
    Inside,
    State,
    UnsupportedError,
    ViolationError,
    decide,
)
from hotcocci.proof.symbolic.values import Word
from hotcocci.proof.symbolic.vex import Refusing, execute

# Bytes of a copy that are told apart where it faults.
COPIED = 256


class _Reached(Exception):  # noqa: N818 - no error
    """The one access of an instruction."""

    def __init__(self, address: Word, size: int, data: Word | None) -> None:
        super().__init__()
        self.address, self.size, self.data = address, size, data


class _Probe(Refusing):
    """Tells what an instruction accesses."""

    def load(self, address: Word, size: int) -> Word:
        """It loads."""
        raise _Reached(address, size, None)

    def store(self, address: Word, value: Word, size: int) -> None:
        """It stores."""
        raise _Reached(address, size, value)


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
    """The access that an instruction is about to make, or the state after its fault.

    ``at`` names the moment. Raises ForkNeeded, ValueNeeded and UnsupportedError.
    """
    state, code = side.state, side.code
    found = block(code, state.pc)
    assert found.vex is not None
    try:
        registers = dict(state.registers)
        execute(found.vex, registers, _Probe(), side.decided, code.arch)
    except _Reached as made:
        address = unmasked(side, resolve(side.path, side.code.terms, made.address))
        access = Access(address, code.terms.place(address), made.size, made.data)
    else:
        # As memory may be what a register says, and the table covers more than loads.
        raise UnsupportedError(f"the exception table covers '{found.decoded.text}'")
    require_open(side, access.data is None)
    if may_be_made(side, access, at):
        return side.state, access
    return fault(side, kind(access), at), None


def unmasked(side: Side, address: Word) -> Word:
    """An address without the mask that changes nothing, so that accesses of one object are known as such.

    Raises ForkNeeded.
    """
    before, same = side.code.arch.unmasked(address)
    return before if side.decided(same) else address


def require_open(side: Side, loads: bool) -> None:
    """Raise ViolationError unless user memory can be accessed."""
    if not side.state.open and not (loads and side.code.arch.readable):
        # Or it is none: load_unaligned_zeropad() and the like read kernel memory.
        raise ViolationError("user memory is accessed with user access closed")


def may_be_made(side: Side, access: Access, at: str) -> bool:
    """Whether an access succeeds. Raises ForkNeeded, and UncheckedError for kernel memory."""
    if decide(side.path, kernel(side.code, access)):
        raise UncheckedError(str(access))
    return not decide(side.path, faults(side, access, at))


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
    address = side.code.arch.untagged(access.address)
    low = v.below(address, layout.user_low, width)
    high = v.below(layout.user_high - access.size, address, width)
    return holds(z3.Or(v.truth(low), v.truth(high), *bytes_))


def fault(side: Side, kind: str, at: str) -> State:
    """Go on as the exception table says. Raises UnsupportedError."""
    fixup = side.code.image.fixups[side.state.pc]
    state = side.code.arch.fault(failed(side.state, kind), fixup)
    zeroed = side.code.arch.zeroed(fixup, "")
    if zeroed is not None:
        state = with_registers(state, {zeroed: zero(side, at)})
    return state


def failed(state: State, kind: str) -> State:
    """The state with a note of a fault."""
    inside = state.inside and replace(state.inside, faulted=True)
    stopped = state.stopped if state.faulted else state.window
    faulted = state.faulted or kind
    return replace(state, faulted=faulted, stopped=stopped, inside=inside)


def zero(side: Side, at: str) -> Word:
    """The 0 that a fault leaves, known by its name. Raises ForkNeeded and InfeasibleError."""
    found = z3.BitVec(f"zeroed {at}", side.code.terms.width)
    if not side.decided(found == 0, 0):
        raise InfeasibleError
    return found


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
    assert found.vex is not None
    registers = dict(state.registers)
    after = execute(found.vex, registers, _Answered(data), side.decided, code.arch)
    assert isinstance(after, int)
    return replace(state, registers=registers, pc=after)


class UncheckedError(Exception):
    """A user access goes to kernel memory, which no page fault stops; the message says which."""


class InfeasibleError(Exception):
    """This path is none: a variable has a value that it never has."""


def entered(state: State, name: str, back: int) -> State:
    """The state inside of a user access routine."""
    return replace(state, inside=Inside(name, back, state.site))
