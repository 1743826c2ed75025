# SPDX-License-Identifier: GPL-2.0
"""One side, run up to the next thing that others can see."""

from __future__ import annotations

from dataclasses import dataclass, replace

import z3

from hotcocci.proof.execution.calls import WARNINGS
from hotcocci.proof.execution.library import IGNORED, IMITATED, PURE
from hotcocci.proof.execution.marks import ATTEMPT, READ, WRITE
from hotcocci.proof.execution.signatures import Signature, Value
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, resolve
from hotcocci.proof.symbolic.architecture import (
    BOUND,
    CLOSES,
    FENCE,
    LOCKED,
    NOTHING,
    OPENS,
    PORT,
    STRING,
    TRAP,
    USER,
    VOLATILE,
    with_registers,
)
from hotcocci.proof.symbolic.calls import arguments, leave
from hotcocci.proof.symbolic.code import Block, block
from hotcocci.proof.symbolic.state import (
    Call,
    Effect,
    End,
    Event,
    Routine,
    State,
    UnsupportedError,
    ValueNeeded,
    ViolationError,
    Window,
)
from hotcocci.proof.symbolic.values import Word
from hotcocci.proof.symbolic.vex import execute

# Steps of one side on one path: blocks, and instructions that are more than VEX.
STEPS = 4000
# memcpy() and its kin, which the compiler calls without a declaration.
MOVES = Signature((Value(8, 0), Value(8, 0), Value(8)), Value(8, 0))
# Bytes that are moved or filled word by word.
MOVED = 4096
# What the emulator takes no notice of, and a rewrite has to keep.
SEEN = frozenset({"__check_object_size", "__rcu_read_lock"})
RETURNED, STOPPED = "it returns", "it stops"


def advance(side: Side, at: str) -> Event:
    """Run up to the next event; ``side.state`` is where that is about to happen.

    ``at`` names the moment for user accesses. Raises ForkNeeded and ValueNeeded, with
    ``side.state`` where it is to go on from, UnsupportedError and ViolationError.
    """
    while True:
        before = side.state
        if before.steps > STEPS:
            raise UnsupportedError("too many steps on one path")
        side.state = replace(before, steps=before.steps + 1)
        try:
            event = _step(side, at)
        except BaseException:
            side.state = before
            raise
        if event is not None:
            return event


def _step(side: Side, at: str) -> Event | None:
    state, code = side.state, side.code
    pc = state.pc
    if pc == code.arch.layout.end:
        return _returned(side)
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
        side.state = state = _marked(side)
    if pc in code.image.routines and state.inside is None:
        back = side.load(state.registers[code.arch.registers.sp], code.terms.width // 8)
        assert isinstance(back, int)
        name = code.image.routines[pc]
        if state.open and name not in code.safe:
            raise ViolationError(f"{name}() is called with user access open")
        if name not in code.arch.loads and name not in code.arch.stores:
            side.state = user.entered(state, name, back)
            return None
        found = [state.registers[r] for r in code.arch.registers.arguments[:3]]
        return Routine(name, found[0], found[1], side.path.known(v.plain(found[2])))
    return _instruction(side, block(code, pc), at)


def _instruction(side: Side, found: Block, at: str) -> Event | None:
    state, kind = side.state, found.decoded.kind
    covered = state.pc in side.code.image.fixups
    if kind == USER or (kind == STRING and covered):
        return _accessed(side, at)
    if kind == STRING:
        _string(side, found)
    elif kind in (OPENS, CLOSES):
        closed = None if kind == CLOSES else state.window
        side.state = replace(state, open=kind == OPENS, window=closed, pc=found.end)
    elif kind == NOTHING:
        side.state = replace(state, pc=found.end)
    elif kind == TRAP:
        return _trapped(side, found)
    elif kind == FENCE:
        return Effect(found.decoded.text, publishes=True)
    elif kind == LOCKED:
        return _locked(side, found, at)
    elif kind == BOUND:
        return Effect("a bound on speculation")
    elif kind == VOLATILE:
        return _volatile(side, found, at)
    elif kind == PORT:
        raise UnsupportedError(f"port I/O: {found.decoded.text}")
    else:
        _plain(side, found)
    return None


def _plain(side: Side, found: Block) -> None:
    assert found.vex is not None
    registers = dict(side.state.registers)
    after = execute(found.vex, registers, side, side.decided, side.code.arch)
    side.state = replace(side.state, registers=registers, site=found.last)
    _go(side, after)


def _go(side: Side, after: Word) -> None:
    """Go on at an address; one that is not known is a call through a pointer."""
    after = resolve(side.path, side.code.terms, after)
    if isinstance(after, int):
        side.state = replace(side.state, pc=after)
        return
    side.state = replace(side.state, pc=UNKNOWN, target=after)


# The address of a call through a pointer.
UNKNOWN = 0


def _outside(side: Side) -> Event | None:
    """The code goes on outside of the objects at hand: a call, or a jump in place of one."""
    state, code = side.state, side.code
    if state.pc == UNKNOWN:
        return call(side, "a pointer", state.target)
    name = code.image.registry.outside(state.pc)
    if name is None:
        raise UnsupportedError(f"it jumps to {state.pc:#x}")
    special = code.arch.special(state, name)
    if special is None:
        return call(side, name)
    if special.returns:
        side.state = leave(side)
    else:
        assert special.jumps is not None
        _go(side, special.jumps)
    return None


def call(side: Side, name: str, target: Word | None = None) -> Event | None:
    """A call of another function, which was just entered."""
    state, code = side.state, side.code
    if name in WARNINGS:
        return Effect("WARN")
    if name in code.noreturn:
        return End(f"{STOPPED} in {name}()")
    known = [state.registers[r] for r in code.arch.registers.arguments[:3]]
    if name in IMITATED and _imitated(side, name, known):
        return None
    if name in IGNORED - SEEN:
        _answer(side, 0)
        return None
    if state.open and name not in code.safe:
        raise ViolationError(f"{name}() is called with user access open")
    signature = code.signatures.of(name) if target is None else None
    if signature is None and name in IMITATED:
        signature = MOVES
    return Call(
        name,
        arguments(side, name, signature),
        target,
        signature.result if signature else None,
        signature is not None,
        name in PURE,
        code.lines(state.site),
    )


def _imitated(side: Side, name: str, known: list[Word]) -> bool:
    """Do what a function does that the compiler itself calls; not if its size is not known."""
    target, second, size = known[0], known[1], side.path.known(v.plain(known[2]))
    sets = name.endswith("memset")
    if not isinstance(size, int):
        if not (sets and _filled_up(side, target, second, size)):
            return False
    elif size > MOVED:
        return False
    elif sets:
        side.fill(target, second, size)
    else:
        side.move(target, second, size)
    _answer(side, target)
    return True


def _filled_up(side: Side, target: Word, byte: Word, size: z3.BitVecRef) -> bool:
    """Whether it was the rest of a copy that faulted, which is filled now."""
    partial = side.state.partial
    if partial is None:
        return False
    width = side.code.terms.width
    rest = v.plain(v.subtract(v.add(target, size, width), partial.size, width))
    same = rest == partial.target if isinstance(rest, int) else False
    if not isinstance(rest, int) and not isinstance(partial.target, int):
        places = side.code.terms.place(rest), side.code.terms.place(partial.target)
        same = places[0] == places[1]
    left = v.plain(partial.left)
    if not same or isinstance(left, int) or not size.eq(left):
        return False
    done = v.subtract(partial.size, size, width)
    low = v.term(v.extract(byte, 7, 0), 8)
    for n in range(partial.size):
        at = v.add(partial.target, n, width)
        before = v.term(side.load(at, 1), 8)
        side.store(at, z3.If(z3.ULT(n, v.term(done, width)), before, low), 1)
    return True


def _answer(side: Side, value: Word) -> None:
    """Return from a function that changed nothing else."""
    changes = {side.code.arch.registers.results[0]: value}
    side.state = with_registers(side.state, changes)
    side.state = leave(side)


def _returned(side: Side) -> Event:
    if side.state.open:
        raise ViolationError("it returns with user access open")
    return End(RETURNED)


def _left(side: Side, at: str) -> State:
    """A user access routine has returned; what it zeroed for a fault bears a mark."""
    state = side.state
    inside = state.inside
    assert inside is not None
    state = replace(state, inside=None)
    if inside.faulted and inside.name.startswith("__get_user_"):
        width = side.code.terms.width
        zero = z3.BitVec(f"zeroed {at}", width)
        if not side.decided(zero == 0, 0):
            raise user.InfeasibleError
        changes = {side.code.arch.registers.results[1]: zero}
        state = with_registers(state, changes)
    return state


def _labelled(side: Side) -> None:
    """A static branch: which way it goes is a matter of the kernel's settings."""
    state, image = side.state, side.code.image
    label = image.labels[state.pc]
    flipped = side.decided(z3.Bool(f"key {label.key}"), 0)
    length = block(side.code, state.pc).decoded.length
    after = label.target if label.taken != flipped else state.pc + length
    side.state = replace(state, pc=after)


def _marked(side: Side) -> State:
    """A window begins or ends."""
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
        return replace(state, attempt=window)
    return replace(state, window=window, attempt=None)


def _accessed(side: Side, at: str) -> Event | None:
    state, access = user.reached(side, at)
    side.state = state
    if access is not None and not state.open:
        raise ViolationError("user memory is accessed with user access closed")
    return access


def _string(side: Side, found: Block) -> None:
    """A copy or fill within the kernel."""
    state, arch, width = side.state, side.code.arch, side.code.terms.width
    count = side.path.known(v.plain(state.registers[arch.counter]))
    if not isinstance(count, int):
        raise ValueNeeded(count, state.pc)
    size = count * found.decoded.size
    if size > MOVED:
        raise UnsupportedError(f"a move of {size} bytes")
    target, source = (state.registers[offset] for offset in arch.moved)
    changes: dict[int, Word] = {
        arch.counter: 0,
        arch.moved[0]: v.add(target, size, width),
    }
    if found.decoded.fills:
        fill = state.registers[arch.registers.results[0]]
        unit = found.decoded.size
        for n in range(0, size, unit):
            word = v.extract(fill, 8 * unit - 1, 0)
            side.store(v.add(target, n, width), word, unit)
    else:
        side.move(target, source, size)
        changes[arch.moved[1]] = v.add(source, size, width)
    side.state = replace(with_registers(side.state, changes), pc=found.end)


def _trapped(side: Side, found: Block) -> Event:
    if side.state.pc in side.code.image.warnings:
        return Effect("WARN")
    return End(f"{STOPPED} in BUG()")


@dataclass
class _Locked:
    """Lets a locked instruction have its operation: what is there is ``answer``."""

    answer: Word
    address: Word = 0
    expected: Word = 0
    value: Word = 0
    size: int = 0

    def load(self, address: Word, size: int) -> Word:
        """What is there, before the exchange."""
        return v.extract(self.answer, 8 * size - 1, 0)

    def store(self, address: Word, value: Word, size: int) -> None:
        """A locked instruction only exchanges."""
        raise UnsupportedError("a locked store")

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """The operation."""
        self.address, self.size = address, size
        self.expected, self.value = expected, value
        return v.extract(self.answer, 8 * size - 1, 0)

    def dirty(self, name: str, arguments: list[Word]) -> Word:
        """It does nothing else."""
        raise UnsupportedError(f"helper {name}")


def _locked(side: Side, found: Block, at: str) -> Event | None:
    """An atomic operation, or a locked one on the stack, which is a fence."""
    made, _, _ = _exchanged(side, found, at)
    place = side.code.terms.place(resolve(side.path, side.code.terms, made.address))
    width = 8 * made.size
    if side.is_local(place):
        unchanged = v.extract(made.answer, width - 1, 0)
        if v.settled(v.equal(made.value, unchanged, width)) != 1:
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
class _Volatile:
    """Lets an instruction have its volatile access, of which others are told."""

    answer: Word
    found: tuple[Word, int, Word | None] | None = None

    def load(self, address: Word, size: int) -> Word:
        """It loads what others may have written."""
        self._note(address, size, None)
        return v.extract(self.answer, 8 * size - 1, 0)

    def store(self, address: Word, value: Word, size: int) -> None:
        """It stores what others see at once."""
        self._note(address, size, value)

    def exchange(self, address: Word, expected: Word, value: Word, size: int) -> Word:
        """A locked instruction is another kind."""
        raise UnsupportedError("a volatile exchange")

    def dirty(self, name: str, arguments: list[Word]) -> Word:
        """It does nothing else."""
        raise UnsupportedError(f"helper {name}")

    def _note(self, address: Word, size: int, value: Word | None) -> None:
        if self.found is not None:
            raise UnsupportedError("two volatile accesses of one instruction")
        self.found = (address, size, value)


def _volatile(side: Side, found: Block, at: str) -> Event | None:
    """A volatile access; one of a local, or of what belongs to a processor, is a plain one."""
    made, _, _ = _volatile_run(side, found, at)
    if made.found is None:
        _plain(side, found)
        return None
    address, size, value = made.found
    place = side.code.terms.place(resolve(side.path, side.code.terms, address))
    layout = side.code.arch.layout
    known = place.offset % (1 << side.code.terms.width)
    if side.is_local(place) or (
        not place.base and 0 <= known - layout.percpu < 1 << 32
    ):
        _plain(side, found)
        return None
    width = side.code.terms.width
    if value is None:
        return Effect(f"volatile load of {size}", ((address, width),), size)
    operands = ((address, width), (value, 8 * size))
    return Effect(f"volatile store of {size}", operands, publishes=True)


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


def effected(side: Side, effect: Effect, at: str) -> State:
    """The state after an effect that both sides had at a moment."""
    state, code = side.state, side.code
    if code.image.segment(state.pc) is None:
        # WARN() as a call
        changes = {code.arch.registers.results[0]: 0}
        side.state = with_registers(state, changes)
        return leave(side)
    found = block(code, state.pc)
    if found.decoded.kind == LOCKED:
        return _locked_after(side, found, at)
    if found.decoded.kind == BOUND:
        _plain(side, found)
        return side.state
    if found.decoded.kind == VOLATILE:
        return _volatile_after(side, found, at)
    fixup = code.image.fixups.get(state.pc)
    return replace(state, pc=fixup.target if fixup else found.end)


def _locked_after(side: Side, found: Block, at: str) -> State:
    made, registers, after = _exchanged(side, found, at)
    assert isinstance(after, int)
    width = 8 * made.size
    old = v.extract(made.answer, width - 1, 0)
    stored = v.choice(v.equal(old, made.expected, width), made.value, old, width)
    place = side.code.terms.place(resolve(side.path, side.code.terms, made.address))
    if not side.is_local(place):
        side.store(made.address, v.plain(stored), made.size)
    return replace(side.state, registers=registers, pc=after)
