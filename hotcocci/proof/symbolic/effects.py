# SPDX-License-Identifier: GPL-2.0
"""Events that are neither user accesses nor calls: locked and volatile accesses, fences."""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, plain
from hotcocci.proof.symbolic.architecture import Kind, with_registers
from hotcocci.proof.symbolic.calls import leave
from hotcocci.proof.symbolic.code import Block, block
from hotcocci.proof.symbolic.memory import Place
from hotcocci.proof.symbolic.state import Effect, Event, State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import Memory

# More bytes than struct task_struct has.
TASK = 1 << 16
ACCESSES = (Kind.LOCKED, Kind.VOLATILE, Kind.LINKED, Kind.CONDITIONAL)


@dataclass
class _Single(Memory):
    """The single access of an instruction, of a ``kind``; memory holds ``answer``.

    ``size`` is 0 before it is made. An exchange that expects another value than that stores nothing, and so
    does a conditional store unless it ``succeeds``.
    """

    kind: str
    answer: Word
    succeeds: Truth = 1
    address: Word = 0
    size: int = 0
    value: Word | None = None
    expected: Word = 0

    def _made(self, address: Word, size: int, value: Word | None = None) -> Word:
        if self.size:
            raise UnsupportedError(f"two {self.kind} accesses of one instruction")
        self.address, self.size, self.value = address, size, value
        return self._held(size)

    def _held(self, size: int) -> Word:
        return v.extract(self.answer, 8 * size - 1, 0)


class _Locked(_Single):
    """The operation of a locked instruction."""

    def load(self, address: Word, size: int) -> Word:
        """The old value, read before the exchange."""
        return self._held(size)

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """Record the operation."""
        self.expected = expected
        return self._made(address, size, value)


class _Volatile(_Single):
    """A volatile access."""

    def load(self, address: Word, size: int) -> Word:
        """Load a value that others may have written."""
        return self._made(address, size)

    def store(self, address: Word, value: Word, size: int) -> None:
        """Record a store that others see at once."""
        self._made(address, size, value)


class _Exclusive(_Single):
    """An exclusive load or store."""

    def linked(self, address: Word, size: int) -> Word:
        """Load a value that others may have written."""
        return self._made(address, size)

    def conditional(self, address: Word, value: Word, size: int) -> Truth:
        """Store, unless somebody else has."""
        self._made(address, size, value)
        return self.succeeds


def _atomic(side: Side, at: str, kind: str = "atomic") -> z3.BitVecRef:
    """What memory holds at an access of others' memory."""
    return z3.BitVec(f"{kind} {at}", side.code.terms.width)


def bound(side: Side, found: Block) -> Effect:
    """The mask of array_index_nospec() as an effect, with the flags of its comparison."""
    registers = side.state.registers
    if not found.decoded.text.startswith("sbb"):
        # The comparison precedes it in the same asm statement.
        registers, _ = side.run(found.vex, side)
    flags = tuple((registers[r], side.code.terms.width) for r in side.code.arch.flags)
    return Effect("a bound on speculation", flags)


def locked(side: Side, found: Block, at: str) -> Event | None:
    """An atomic operation; a locked one on the stack that changes nothing is a fence."""
    made = _Locked("locked", _atomic(side, at))
    side.run(found.vex, made)
    if made.value is None:
        raise UnsupportedError(f"'{found.decoded.text}' exchanges nothing")
    width = 8 * made.size
    if side.is_local(side.place(made.address)):
        unchanged = v.extract(made.answer, width - 1, 0)
        same = v.settled(v.equal(made.value, unchanged, width))
        if not isinstance(same, int) or not same:
            raise UnsupportedError("an atomic operation on a local")
        return Effect("a fence", publishes=True)
    return Effect(
        f"atomic {found.decoded.text.split()[0]}",
        (
            (made.address, side.code.terms.width),
            (made.expected, width),
            (made.value, width),
        ),
        made.size,
        publishes=True,
    )


def volatile(side: Side, found: Block, at: str) -> Event | None:
    """A volatile access as an event; one to a local that has not escaped is a plain access."""
    made = _Volatile("volatile", _atomic(side, at, "volatile"))
    side.run(found.vex, made)
    place = side.place(made.address) if made.size else None
    if (
        place is None
        or side.is_local(place)
        and not side.is_shared(place)
        or _is_own(side, place)
    ):
        plain(side, found)
        return None
    return _accessed(side, made, "ordered" if found.decoded.ordered else "volatile")


def _accessed(side: Side, made: _Single, kind: str) -> Effect:
    """A load or store that others see, as an event."""
    address = made.address, side.code.terms.width
    if made.value is None:
        return Effect(f"{kind} load of {made.size}", (address,), made.size)
    operands = address, (made.value, 8 * made.size)
    return Effect(f"{kind} store of {made.size}", operands, publishes=True)


def _is_own(side: Side, place: Place) -> bool:
    """Whether a place is in the current task, where a register points to that.

    Opening user access reads it (thread_info::ttbr0 of ARM64).
    """
    task = side.stable.task
    known = place.offset % (1 << side.code.terms.width)
    return task is not None and not place.base and 0 <= known - task < TASK


def exclusive(side: Side, found: Block, at: str) -> Event:
    """An exclusive load or store as an event.

    Whether a store succeeds and what a load returns are variables of the event, as others may
    write.
    """
    made = _Exclusive("exclusive", _atomic(side, at))
    side.run(found.vex, made)
    if side.is_local(side.place(made.address)):
        raise UnsupportedError("an atomic operation on a local")
    kind = "ordered exclusive" if found.decoded.ordered else "exclusive"
    return _accessed(side, made, kind)


def _accessed_after(side: Side, found: Block, at: str) -> State:
    """The state after such an access, or a locked operation."""
    kind = found.decoded.kind
    made: _Single = _Locked("locked", _atomic(side, at))
    stores = True
    if kind == Kind.VOLATILE:
        made = _Volatile("volatile", _atomic(side, at, "volatile"))
    elif kind != Kind.LOCKED:
        stores = kind == Kind.CONDITIONAL and side.decided(z3.Bool(f"exclusive {at}"))
        made = _Exclusive("exclusive", _atomic(side, at), int(stores))
    registers, after = side.run(found.vex, made)
    assert isinstance(after, int)
    if kind == Kind.LOCKED:
        width = 8 * made.size
        same = v.equal(v.extract(made.answer, width - 1, 0), made.expected, width)
        local = side.is_local(side.place(made.address))
        stores = not local and side.decided(same)
    if stores and made.value is not None:
        side.store(made.address, made.value, made.size)
    return replace(side.state, registers=registers, pc=after)


def opaque(side: Side, found: Block) -> Effect:
    """An instruction that is not modelled, with what it reads and the addresses that it has."""
    width, registers = side.code.terms.width, side.state.registers
    operands = [(registers[r], width) for r in found.decoded.reads]
    for base, index, scale, offset in found.decoded.places:
        at: Word = offset & v.mask(width)
        for register, factor in ((base, 1), (index, scale)):
            if register >= 0:
                part = v.term(registers[register], width) * factor
                at = v.plain(v.add(v.plain(part), at, width))
        if side.is_local(side.place(at)):
            raise UnsupportedError(f"'{found.decoded.text}' of a local")
        operands.append((at, width))
    return Effect(f"'{found.decoded.text}'", tuple(operands), publishes=True)


def _opaque_after(side: Side, found: Block, at: str) -> State:
    """The state after an opaque instruction: what it writes is unknown, the same on both sides."""
    arch = side.code.arch
    changes: dict[int, Word] = {
        register: v.unknown(f"opaque {at} {number}", side.code.terms.width)
        for number, register in enumerate((*found.decoded.writes, *arch.flags[1:]))
    }
    changes |= dict.fromkeys(arch.flags[:1], 0)
    return replace(with_registers(side.state, changes), pc=found.end)


def effected(side: Side, at: str) -> State:
    """The state after an effect that both sides had."""
    state, code = side.state, side.code
    if code.image.segment(state.pc) is None:
        # WARN() as a call
        changes = {code.arch.registers.results[0]: 0}
        side.state = with_registers(state, changes)
        return leave(side)
    found = block(code, state.pc)
    if found.decoded.kind == Kind.OPAQUE:
        return _opaque_after(side, found, at)
    if found.decoded.kind == Kind.BOUND:
        plain(side, found)
        return side.state
    if found.decoded.kind in ACCESSES:
        return _accessed_after(side, found, at)
    fixup = code.image.fixups.get(state.pc)
    return replace(state, pc=fixup.target if fixup else found.end)
