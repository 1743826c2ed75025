# SPDX-License-Identifier: GPL-2.0
"""User accesses: whether one faults, what it may access, and how the code continues.

Whether a byte is accessible is a variable of the current event: other threads may map and unmap
memory. Both sides share it, so that they fault alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.objects.marks import READ, WRITE
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
from hotcocci.proof.symbolic.vex import Memory

# Copies up to this size have a variable per byte for where they fault.
COPIED = 256


class _Reached(Exception):  # noqa: N818 - no error
    """Raised to report the single access of an instruction."""

    def __init__(self, address: Word, size: int, data: Word | None) -> None:
        super().__init__()
        self.address, self.size, self.data = address, size, data


class _Probe(Memory):
    """Finds what an instruction accesses."""

    def load(self, address: Word, size: int) -> Word:
        """Report a load."""
        raise _Reached(address, size, None)

    def store(self, address: Word, value: Word, size: int) -> None:
        """Report a store."""
        raise _Reached(address, size, value)


@dataclass
class _Answered(_Probe):
    """Completes the access of an instruction."""

    data: Word | None

    def load(self, address: Word, size: int) -> Word:
        """Return the loaded data."""
        assert self.data is not None, "only a load is answered"
        return self.data

    def store(self, address: Word, value: Word, size: int) -> None:
        """Nothing to do: the other side has been compared already."""


def reached(side: Side, at: str) -> tuple[State, Access | None]:
    """The user access that an instruction is about to make, or the state after its fault.

    ``at`` is the number of the event, as text. Raises ForkNeeded, ValueNeeded and UnsupportedError.
    """
    state, code = side.state, side.code
    found = block(code, state.pc)
    try:
        side.run(found.vex, _Probe())
    except _Reached as made:
        address = unmasked(side, resolve(side.path, side.code.terms, made.address))
        access = Access(address, code.terms.place(address), made.size, made.data)
    else:
        # No access: the exception table covers more than loads and stores.
        raise UnsupportedError(f"an exception table entry for '{found.decoded.text}'")
    require_open(side, access.data is None)
    if may_be_made(side, access, at):
        return side.state, access
    return fault(side, access.kind, at), None


def unmasked(side: Side, address: Word) -> Word:
    """An address without a mask that does not change it, so that its object is recognised.

    Raises ForkNeeded.
    """
    before, same = side.code.arch.unmasked(address)
    return before if side.decided(same) else address


def require_open(side: Side, loads: bool) -> None:
    """Raise ViolationError unless user access is open."""
    if not side.state.open and not (loads and side.code.arch.readable):
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
    layout, width = side.code.arch.layout, side.code.terms.width
    base = ".".join(map(str, access.place.base))
    name = f"fault {at} {access.kind} {base}+"
    # A large copy faults as one.
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
    """Continue at the exception table entry.

    Raises UnsupportedError.
    """
    fixup = side.code.image.fixups[side.state.pc]
    state = side.code.arch.fault(failed(side.state, kind), fixup)
    zeroed = side.code.arch.zeroed(fixup, "")
    if zeroed is not None:
        state = with_registers(state, {zeroed: zero(side, at)})
    return state


def failed(state: State, kind: str) -> State:
    """The state with a fault recorded."""
    inside = state.inside and replace(state.inside, faulted=True)
    stopped = state.stopped if state.faulted else state.window
    faulted = state.faulted or kind
    return replace(state, faulted=faulted, stopped=stopped, inside=inside)


def zero(side: Side, at: str) -> Word:
    """The 0 that a fault leaves, as a named variable.

    Raises ForkNeeded and InfeasibleError.
    """
    found = z3.BitVec(f"zeroed {at}", side.code.terms.width)
    if not side.decided(found == 0, 0):
        raise InfeasibleError
    return found


def kernel(code: Code, access: Access) -> z3.BoolRef:
    """The condition for an access to be to kernel memory, where it does not fault."""
    layout, width = code.arch.layout, code.terms.width
    above = v.negation(v.below(access.address, layout.kernel, width))
    top = v.below(access.address, layout.end, width)
    return holds(z3.And(v.truth(above), v.truth(top)))


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
    inside = z3.And(
        v.truth(v.negation(v.below(begun.length, done, width))),
        v.truth(v.negation(v.below(left, access.size, width))),
    )
    return holds(z3.Not(inside))


def succeeded(side: Side, access: Access, data: Word | None) -> State:
    """The state after an access that loaded ``data``."""
    found = block(side.code, side.state.pc)
    registers, after = side.run(found.vex, _Answered(data))
    assert isinstance(after, int)
    return replace(side.state, registers=registers, pc=after)


class UncheckedError(Exception):
    """A user access reaches kernel memory because its address is unchecked; the message names it."""


class InfeasibleError(Exception):
    """The path is infeasible: a variable has a value that it cannot have."""


def entered(state: State, name: str, back: int) -> State:
    """The state on entry to a user access routine."""
    return replace(state, inside=Inside(name, back, state.site))
