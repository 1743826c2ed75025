# SPDX-License-Identifier: GPL-2.0
"""Events that are neither user accesses nor calls: locked and volatile accesses, fences."""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, resolve
from hotcocci.proof.symbolic.architecture import (
    BOUND,
    CONDITIONAL,
    LINKED,
    LOCKED,
    OPAQUE,
    VOLATILE,
    with_registers,
)
from hotcocci.proof.symbolic.blocks import plain
from hotcocci.proof.symbolic.calls import leave
from hotcocci.proof.symbolic.code import Block, block
from hotcocci.proof.symbolic.places import Place
from hotcocci.proof.symbolic.state import (
    Effect,
    Event,
    State,
    UnsupportedError,
)
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import Refusing, execute

# More bytes than struct task_struct has.
TASK = 1 << 16


@dataclass
class _Locked(Refusing):
    """The operation of a locked instruction; memory holds ``answer``."""

    answer: Word
    address: Word = 0
    expected: Word = 0
    value: Word = 0
    size: int = 0

    def load(self, address: Word, size: int) -> Word:
        """The old value, read before the exchange."""
        return v.extract(self.answer, 8 * size - 1, 0)

    def store(self, address: Word, value: Word, size: int) -> None:
        """Refused: a locked instruction only exchanges."""
        raise UnsupportedError("a locked store")

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """Record the operation."""
        self.address, self.size = address, size
        self.expected, self.value = expected, value
        return v.extract(self.answer, 8 * size - 1, 0)


def bound(side: Side, found: Block) -> Effect:
    """The mask of array_index_nospec() as an effect, with the flags of its comparison."""
    registers = dict(side.state.registers)
    if not found.decoded.text.startswith("sbb"):
        # The comparison precedes it in the same asm statement.
        assert found.vex is not None
        execute(found.vex, registers, side, side.decided, side.code.arch)
    flags = tuple((registers[r], side.code.terms.width) for r in side.code.arch.flags)
    return Effect("a bound on speculation", flags)


def locked(side: Side, found: Block, at: str) -> Event | None:
    """An atomic operation; a locked one on the stack that changes nothing is a fence."""
    made, _, _ = _exchanged(side, found, at)
    place = side.code.terms.place(resolve(side.path, side.code.terms, made.address))
    width = 8 * made.size
    if side.is_local(place):
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


def _exchanged(
    side: Side, found: Block, at: str
) -> tuple[_Locked, dict[int, Word], Word]:
    assert found.vex is not None
    made = _Locked(z3.BitVec(f"atomic {at}", side.code.terms.width))
    registers = dict(side.state.registers)
    after = execute(found.vex, registers, made, side.decided, side.code.arch)
    return made, registers, after


@dataclass
class _Volatile(Refusing):
    """The single volatile access of an instruction."""

    answer: Word
    found: tuple[Word, int, Word | None] | None = None

    def load(self, address: Word, size: int) -> Word:
        """Load a value that others may have written."""
        self._note(address, size, None)
        return v.extract(self.answer, 8 * size - 1, 0)

    def store(self, address: Word, value: Word, size: int) -> None:
        """Record a store that others see at once."""
        self._note(address, size, value)

    def _note(self, address: Word, size: int, value: Word | None) -> None:
        if self.found is not None:
            raise UnsupportedError("two volatile accesses of one instruction")
        self.found = (address, size, value)


def volatile(side: Side, found: Block, at: str) -> Event | None:
    """A volatile access as an event; one to a local that has not escaped is a plain access."""
    made, _, _ = _volatile_run(side, found, at)
    if made.found is None:
        plain(side, found)
        return None
    address, size, value = made.found
    place = side.code.terms.place(resolve(side.path, side.code.terms, address))
    if side.is_local(place) and not side.is_shared(place) or _is_own(side, place):
        plain(side, found)
        return None
    width = side.code.terms.width
    kind = "ordered" if found.decoded.ordered else "volatile"
    if value is None:
        return Effect(f"{kind} load of {size}", ((address, width),), size)
    operands = ((address, width), (value, 8 * size))
    return Effect(f"{kind} store of {size}", operands, publishes=True)


def _is_own(side: Side, place: Place) -> bool:
    """Whether a place is in the current task, where a register points to that.

    Opening user access reads it (thread_info::ttbr0 of ARM64).
    """
    task = side.stable.task
    known = place.offset % (1 << side.code.terms.width)
    return task is not None and not place.base and 0 <= known - task < TASK


def _volatile_run(
    side: Side, found: Block, at: str
) -> tuple[_Volatile, dict[int, Word], Word]:
    assert found.vex is not None
    made = _Volatile(z3.BitVec(f"volatile {at}", side.code.terms.width))
    registers = dict(side.state.registers)
    after = execute(found.vex, registers, made, side.decided, side.code.arch)
    return made, registers, after


def _volatile_after(side: Side, found: Block, at: str) -> State:
    made, registers, after = _volatile_run(side, found, at)
    assert made.found is not None and isinstance(after, int)
    address, size, value = made.found
    if value is not None:
        side.store(address, value, size)
    return replace(side.state, registers=registers, pc=after)


@dataclass
class _Exclusive(Refusing):
    """The exclusive load or store of an instruction.

    A load returns ``answer``; a store succeeds if ``made``.
    """

    answer: Word
    made: Truth
    address: Word = 0
    size: int = 0
    value: Word | None = None

    def load(self, address: Word, size: int) -> Word:
        """Refused: an exclusive instruction has no plain load."""
        raise UnsupportedError("a load next to an exclusive access")

    def store(self, address: Word, value: Word, size: int) -> None:
        """Refused: an exclusive instruction has no plain store."""
        raise UnsupportedError("a store next to an exclusive access")

    def linked(self, address: Word, size: int) -> Word:
        """Load a value that others may have written."""
        if self.size:
            raise UnsupportedError("two exclusive accesses of one instruction")
        self.address, self.size = address, size
        return v.extract(self.answer, 8 * size - 1, 0)

    def conditional(self, address: Word, value: Word, size: int) -> Truth:
        """Store, unless somebody else has."""
        if self.size:
            raise UnsupportedError("two exclusive accesses of one instruction")
        self.address, self.size, self.value = address, size, value
        return self.made


def exclusive(side: Side, found: Block, at: str) -> Event:
    """An exclusive load or store as an event.

    Whether a store succeeds and what a load returns are variables of the event, as others may
    write.
    """
    made, _, _ = _exclusive_run(side, found, at)
    width = side.code.terms.width
    place = side.code.terms.place(resolve(side.path, side.code.terms, made.address))
    if side.is_local(place):
        raise UnsupportedError("an atomic operation on a local")
    kind = "ordered exclusive" if found.decoded.ordered else "exclusive"
    if made.value is None:
        operands: tuple[tuple[Word, int], ...] = ((made.address, width),)
        return Effect(f"{kind} load of {made.size}", operands, made.size)
    operands = ((made.address, width), (made.value, 8 * made.size))
    return Effect(f"{kind} store of {made.size}", operands, publishes=True)


def _exclusive_run(
    side: Side, found: Block, at: str, succeeds: Truth = 1
) -> tuple[_Exclusive, dict[int, Word], Word]:
    assert found.vex is not None
    answer = z3.BitVec(f"atomic {at}", side.code.terms.width)
    made = _Exclusive(answer, succeeds)
    registers = dict(side.state.registers)
    after = execute(found.vex, registers, made, side.decided, side.code.arch)
    return made, registers, after


def _exclusive_after(side: Side, found: Block, at: str) -> State:
    stores = found.decoded.kind == CONDITIONAL
    succeeds = stores and side.decided(z3.Bool(f"exclusive {at}"))
    made, registers, after = _exclusive_run(side, found, at, int(succeeds))
    assert isinstance(after, int)
    if made.value is not None and succeeds:
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
        if side.is_local(
            side.code.terms.place(resolve(side.path, side.code.terms, at))
        ):
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
    if found.decoded.kind == LOCKED:
        return _locked_after(side, found, at)
    if found.decoded.kind == OPAQUE:
        return _opaque_after(side, found, at)
    if found.decoded.kind == BOUND:
        plain(side, found)
        return side.state
    if found.decoded.kind == VOLATILE:
        return _volatile_after(side, found, at)
    if found.decoded.kind in (LINKED, CONDITIONAL):
        return _exclusive_after(side, found, at)
    fixup = code.image.fixups.get(state.pc)
    return replace(state, pc=fixup.target if fixup else found.end)


def _locked_after(side: Side, found: Block, at: str) -> State:
    made, registers, after = _exchanged(side, found, at)
    assert isinstance(after, int)
    width = 8 * made.size
    old = v.extract(made.answer, width - 1, 0)
    place = side.code.terms.place(resolve(side.path, side.code.terms, made.address))
    if not side.is_local(place) and side.decided(v.equal(old, made.expected, width)):
        side.store(made.address, made.value, made.size)
    return replace(side.state, registers=registers, pc=after)
