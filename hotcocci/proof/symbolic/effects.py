# SPDX-License-Identifier: GPL-2.0
"""Events that are neither user accesses nor calls: locked and volatile accesses, fences."""

from __future__ import annotations

from dataclasses import replace

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, plain
from hotcocci.proof.symbolic.architecture import Kind, with_registers
from hotcocci.proof.symbolic.calls import leave
from hotcocci.proof.symbolic.code import Block, block
from hotcocci.proof.symbolic.memory import Place
from hotcocci.proof.symbolic.state import Effect, Event, State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import Single

# More bytes than struct task_struct has.
TASK = 1 << 16
ACCESSES = (Kind.LOCKED, Kind.VOLATILE, Kind.LINKED, Kind.CONDITIONAL)


def _single(
    side: Side, found: Block, at: str, succeeds: Truth = 1
) -> tuple[Single, dict[int, Word], Word]:
    """An access to others' memory, the registers after it, and where the code goes on."""
    kind = "volatile" if found.decoded.kind == Kind.VOLATILE else "atomic"
    made = Single(z3.BitVec(f"{kind} {at}", side.code.terms.width), succeeds)
    return made, *side.run(found.vex, made)


def bound(side: Side, found: Block) -> Effect:
    """The mask of array_index_nospec() as an effect, with the flags of its comparison."""
    registers = side.state.registers
    if not found.decoded.text.startswith("sbb"):
        # The comparison precedes it in the same asm statement.
        registers, _ = side.run(found.vex, side)
    flags = tuple((registers[r], side.code.terms.width) for r in side.code.arch.flags)
    return Effect("a bound on speculation", flags)


def accessed(side: Side, found: Block, at: str) -> Event | None:
    """An access that others see, as an event; one to memory that no other may see is a plain access.

    Whether a conditional store succeeds and what a load returns are variables of the event, as others may write. A
    locked operation on the stack that changes nothing is a fence.
    """
    made, *_ = _single(side, found, at)
    kind, width, size = found.decoded.kind, side.code.terms.width, 8 * made.size
    place = side.place(made.address) if made.size else None
    local = place is None or side.is_local(place)
    if kind == Kind.VOLATILE:
        if place is None or local and not side.is_shared(place) or _is_own(side, place):
            plain(side, found)
            return None
    elif kind != Kind.LOCKED and local:
        raise UnsupportedError("an atomic operation on a local")
    address = made.address, width
    if kind == Kind.LOCKED:
        if made.value is None or made.expected is None:
            raise UnsupportedError(f"'{found.decoded.text}' exchanges nothing")
        if local:
            unchanged = v.extract(made.answer, size - 1, 0)
            if v.settled(v.equal(made.value, unchanged, size)) != 1:
                raise UnsupportedError("an atomic operation on a local")
            return Effect("a fence", publishes=True)
        name = f"atomic {found.decoded.text.split()[0]}"
        operands = address, (made.expected, size), (made.value, size)
        return Effect(name, operands, made.size, publishes=True)
    name = "volatile" if kind == Kind.VOLATILE else "exclusive"
    if found.decoded.ordered:
        name = "ordered" if kind == Kind.VOLATILE else "ordered exclusive"
    if made.value is None:
        return Effect(f"{name} load of {made.size}", (address,), made.size)
    operands_ = address, (made.value, size)
    return Effect(f"{name} store of {made.size}", operands_, publishes=True)


def _is_own(side: Side, place: Place) -> bool:
    """Whether a place is a constant, or in the current task where a register points to that.

    Opening user access reads them (disable_kuap_key of PowerPC, thread_info::ttbr0 of ARM64).
    """
    task = side.stable.task
    known = place.offset % (1 << side.code.terms.width)
    own = task is not None and 0 <= known - task < TASK
    return not place.base and (own or known in side.code.constants)


def _accessed_after(side: Side, found: Block, at: str) -> State:
    """The state after such an access."""
    kind = found.decoded.kind
    stores = True
    if kind in (Kind.LINKED, Kind.CONDITIONAL):
        stores = kind == Kind.CONDITIONAL and side.decided(z3.Bool(f"exclusive {at}"))
    made, registers, after = _single(side, found, at, int(stores))
    assert isinstance(after, int)
    if made.expected is not None:
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
