# SPDX-License-Identifier: GPL-2.0
"""Run one side to its next visible event."""

from __future__ import annotations

from dataclasses import replace

import z3

from hotcocci.proof.known import IMITATED, PURE, SILENT, WARNINGS
from hotcocci.proof.objects.marks import ATTEMPT, BARRIER, CHECK, READ, WRITE
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import UNKNOWN, Side, go_on, plain, resolve
from hotcocci.proof.symbolic.architecture import Kind, with_registers
from hotcocci.proof.symbolic.calls import (
    answer,
    arguments,
    back,
    imitated,
    leave,
    moves,
)
from hotcocci.proof.symbolic.code import Block, block
from hotcocci.proof.symbolic.effects import ACCESSES, accessed, bound, opaque
from hotcocci.proof.symbolic.state import (
    Call,
    Check,
    DivisionError,
    Effect,
    End,
    Event,
    Routine,
    State,
    Turn,
    UnsupportedError,
    ViolationError,
    Window,
)
from hotcocci.proof.symbolic.user import reached
from hotcocci.proof.symbolic.values import Word

# Limit on blocks and special instructions of one side on one path.
STEPS = 4000
RETURNED, STOPPED = "it returns", "it stops"
# A jump that is neither call nor return
JUMP = "Ijk_Boring"


def advance(side: Side, at: str) -> Event:
    """Run to the next event; ``side.state`` is the state before it.

    ``at`` is the number of the event, as text. Raises ForkNeeded and ValueNeeded, with
    ``side.state`` set to where to continue, UnsupportedError and ViolationError.
    """
    while True:
        before = side.state
        if before.steps > STEPS:
            raise UnsupportedError("too many steps on one path")
        side.state = replace(before, steps=before.steps + 1)
        try:
            event = step(side, at)
        except BaseException:
            side.state = before
            raise
        if event is not None:
            return event


def step(side: Side, at: str) -> Event | None:
    """Run a block, or report the event that comes next. Raises as `advance` does."""
    state, code = side.state, side.code
    pc = state.pc
    if pc == code.arch.layout.end:
        if state.open:
            raise ViolationError("it returns with user access open")
        return End(RETURNED)
    if code.image.segment(pc) is None:
        return _outside(side)
    if state.steps > 1 and pc in code.entries:
        return call(side, code.entries[pc])
    if state.inside is not None and pc == state.inside.back:
        side.state = state = _left(side, at)
    if pc in code.image.labels:
        _labelled(side)
        return None
    if pc in code.image.marks:
        if code.image.marks[pc] == BARRIER:
            return Effect("a compiler barrier", publishes=True)
        if not code.image.marks[pc] & CHECK:
            side.state = state = _marked(side, at)
        elif state.checked != pc:
            return _checked(side)
        else:
            side.state = state = replace(state, checked=0)
    if pc in code.image.routines:
        name = code.image.routines[pc]
        if state.inside is None:
            return _routine(side, name)
        if name in code.arch.whole:
            side.state, access = reached(side, at)
            return access
    return _instruction(side, block(code, pc), at)


def _instruction(side: Side, found: Block, at: str) -> Event | None:
    state, kind = side.state, found.decoded.kind
    covered = state.pc in side.code.image.fixups
    if kind == Kind.USER or (kind == Kind.STRING and covered):
        side.state, access = reached(side, at)
        return access
    if kind == Kind.STRING:
        user.string(side)
    elif kind == Kind.SYSTEM:
        made = side.code.arch.perform(state, found.decoded)
        if state.open and not made.open:
            made = replace(made, window=None)
        side.state = replace(_opened(state, made, at), pc=found.end)
    elif kind in (Kind.OPENS, Kind.CLOSES):
        closed = None if kind == Kind.CLOSES else state.window
        made = replace(state, open=kind == Kind.OPENS, window=closed)
        side.state = replace(_opened(state, made, at), pc=found.end)
    elif kind == Kind.NOTHING:
        side.state = replace(state, pc=found.end)
    elif kind == Kind.TRAP:
        return _trapped(side, found)
    elif kind == Kind.FENCE:
        return Effect(found.decoded.text, publishes=True)
    elif kind in ACCESSES:
        return accessed(side, found, at)
    elif kind == Kind.BOUND:
        return bound(side, found)
    elif kind == Kind.OPAQUE:
        return opaque(side, found)
    elif kind == Kind.PORT:
        raise UnsupportedError(f"port I/O: {found.decoded.text}")
    else:
        try:
            plain(side, found)
        except DivisionError:
            return End(f"{STOPPED} in a division that traps")
        return _turned(side, found)
    return None


def _opened(before: State, state: State, at: str) -> State:
    """The state after an instruction that may have opened user access without a request."""
    if state.open and not before.open and state.attempt is None:
        return replace(state, unasked=at)
    return state


def _turned(side: Side, found: Block) -> Turn | None:
    """A Turn if the block has ended with a backward jump."""
    assert found.vex is not None
    image, pc = side.code.image, side.state.pc
    if found.vex.jumpkind != JUMP or pc > found.last:
        return None
    same = image.function_at(pc) == image.function_at(found.last)
    return Turn() if same else None


def _routine(side: Side, name: str) -> Event | None:
    """Handle a user access routine that was just entered."""
    state, arch = side.state, side.code.arch
    may_be_open = name in arch.whole or name in side.code.question.safe
    if state.open and (name in arch.opening or not may_be_open):
        raise ViolationError(f"{name}() is called with user access open")
    copies = (*arch.loads, *arch.stores, *arch.both)
    if name not in copies:
        side.state = user.entered(state, name, back(side))
        return None
    found = [state.registers[r] for r in arch.registers.arguments[:3]]
    size = side.path.known(user.counted(arch, name, found[2]))
    loads = name in arch.loads
    if name in arch.both:
        loads = user.loads(side, found[0], found[1])
    if name in arch.whole - arch.opening:
        user.require_open(side, loads)
    return Routine(name, found[0], found[1], size, loads)


def _outside(side: Side) -> Event | None:
    """Handle a jump out of the objects: a call, a tail call or a special routine."""
    state, code = side.state, side.code
    if state.pc == UNKNOWN:
        return call(side, "a pointer", state.target)
    name = code.image.registry.outside(state.pc)
    if name is None:
        raise UnsupportedError(f"it jumps to {state.pc:#x}")
    special = code.arch.special(name)
    if special is None:
        return call(side, name)
    if special.register is None:
        side.state = leave(side)
    else:
        go_on(side, state.registers[special.register])
    return None


def call(side: Side, name: str, target: Word | None = None) -> Event | None:
    """Handle a call of another function that was just entered."""
    state, code = side.state, side.code
    if name in WARNINGS:
        return Effect("WARN")
    if state.open and name not in code.question.safe:
        raise ViolationError(f"{name}() is called with user access open")
    if name in IMITATED:
        known = [state.registers[r] for r in code.arch.registers.arguments[:3]]
        if imitated(side, name, known):
            return None
    if name in SILENT:
        answer(side, 0)
        return None
    signature = code.signatures.of(name) if target is None else None
    if signature is None and name in IMITATED:
        signature = moves(code.terms.width // 8)
    return Call(
        name,
        arguments(side, name, signature),
        target,
        signature.result if signature else None,
        signature is not None,
        name in PURE,
        name not in code.question.noreturn,
    )


def _left(side: Side, at: str) -> State:
    """The state after return from a user access routine; what it zeroed on a fault is a named 0."""
    state = side.state
    inside = state.inside
    assert inside is not None
    state = replace(state, inside=None)
    zeroed = side.code.arch.zeroed(None, inside.name)
    if inside.faulted and zeroed is not None:
        state = with_registers(state, {zeroed: user.zero(side, at)})
    return state


def _labelled(side: Side) -> None:
    """Take a static branch; its key is a variable."""
    state, image = side.state, side.code.image
    label = image.labels[state.pc]
    flipped = side.decided(z3.Bool(f"key {label.key}"), 0)
    length = block(side.code, state.pc).decoded.length
    after = label.target if label.taken != flipped else state.pc + length
    side.state = replace(state, pc=after)


def _checked(side: Side) -> Check:
    """A range check as an event."""
    registers = side.code.arch.registers.marked
    start, length = (
        resolve(side.path, side.code.terms, side.state.registers[register])
        for register in registers
    )
    side.state = replace(side.state, checked=side.state.pc)
    return Check(start, length)


def _marked(side: Side, at: str) -> State:
    """The state after the begin or end of a window."""
    state, code = side.state, side.code
    directions = code.image.marks[state.pc]
    if not directions:
        return replace(state, window=None)
    start, length = (
        resolve(side.path, side.code.terms, state.registers[r])
        for r in code.arch.registers.marked
    )
    window = Window(start, length, directions & (READ | WRITE))
    if directions & ATTEMPT:
        asked = replace(state, attempt=window, asked=None)
        return replace(asked, asked=(at, asked))
    return replace(state, window=window, attempt=None, asked=None)


def _trapped(side: Side, found: Block) -> Event | None:
    if found.decoded.unless is not None:
        register, number = found.decoded.unless
        value = side.state.registers[register]
        if side.decided(v.equal(value, number, side.code.terms.width)):
            side.state = replace(side.state, pc=found.end)
            return None
    flags = side.code.image.warnings.get(side.state.pc)
    if flags is not None:
        return Effect(f"WARN with flags {flags:#x}")
    return End(f"{STOPPED} in BUG()")
