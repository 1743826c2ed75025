# SPDX-License-Identifier: GPL-2.0
"""Run one side to its next visible event, and on from one that is neither a user access nor a call."""

from dataclasses import replace

import z3

from hotcocci.proof.known import IMITATED, PURE, SILENT, WARNINGS
from hotcocci.proof.objects.marks import ATTEMPT, BARRIER, CHECK, READ, WRITE
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import UNKNOWN, Side, go_on, plain
from hotcocci.proof.symbolic.architecture import Kind, put, with_registers
from hotcocci.proof.symbolic.calls import answer, back, given, imitated, leave
from hotcocci.proof.symbolic.code import Block, block
from hotcocci.proof.symbolic.memory import Place
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
from hotcocci.proof.symbolic.values import Truth, Word
from hotcocci.proof.symbolic.vex import Single

# Limit on blocks and special instructions of one side on one path.
STEPS = 4000
RETURNED, STOPPED = "it returns", "it stops"
# A jump that is neither call nor return
JUMP = "Ijk_Boring"
# More bytes than struct task_struct has.
TASK = 1 << 16
ACCESSES = (Kind.LOCKED, Kind.VOLATILE, Kind.LINKED, Kind.CONDITIONAL)


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
        made = side.arch.perform(state, found.decoded)
        window = None if state.open and not made.open else made.window
        side.state = _opened(state, replace(made, window=window, pc=found.end), at)
    elif kind in (Kind.OPENS, Kind.CLOSES):
        opens = kind == Kind.OPENS
        made = replace(state, open=opens, window=state.window if opens else None)
        side.state = _opened(state, replace(made, pc=found.end), at)
    elif kind == Kind.NOTHING:
        side.state = replace(state, pc=found.end)
    elif kind == Kind.TRAP:
        return _trapped(side, found)
    elif kind == Kind.FENCE:
        return Effect(found.decoded.text, publishes=True)
    elif kind in ACCESSES:
        return _accessed(side, found, at)
    elif kind == Kind.BOUND:
        return _bound(side, found)
    elif kind == Kind.OPAQUE:
        return _opaque(side, found)
    elif kind == Kind.PORT:
        return _port(side, found)
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
    state, arch = side.state, side.arch
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
    passed = given(side, name, signature)
    result = signature.result if signature else None
    returns = name not in code.question.noreturn
    declared = signature is not None
    return Call(name, passed, target, result, declared, name in PURE, returns)


def _left(side: Side, at: str) -> State:
    """The state after return from a user access routine; what it zeroed on a fault is a named 0."""
    inside = side.state.inside
    assert inside is not None
    state = replace(side.state, inside=None)
    zeroed = side.arch.zeroed(None, inside.name) if inside.faulted else None
    return user.with_zero(side, state, zeroed, at)


def _labelled(side: Side) -> None:
    """Take a static branch; its key is a variable."""
    pc = side.state.pc
    label = side.code.image.labels[pc]
    taken = label.taken != side.decided(z3.Bool(f"key {label.key}"))
    after = label.target if taken else pc + block(side.code, pc).decoded.length
    side.state = replace(side.state, pc=after)


def _checked(side: Side) -> Check:
    """A range check as an event."""
    checked = Check(*_range(side))
    side.state = replace(side.state, checked=side.state.pc)
    return checked


def _range(side: Side) -> tuple[Word, Word]:
    """The start and the length that a mark has."""
    one, other = side.arch.registers.marked
    registers = side.state.registers
    return side.resolved(registers[one]), side.resolved(registers[other])


def _marked(side: Side, at: str) -> State:
    """The state after the begin or end of a window."""
    state = side.state
    directions = side.code.image.marks[state.pc]
    if not directions:
        return replace(state, window=None)
    window = Window(*_range(side), directions & (READ | WRITE))
    if directions & ATTEMPT:
        asked = replace(state, attempt=window, asked=None)
        return replace(asked, asked=(at, asked))
    return replace(state, window=window, attempt=None, asked=None)


def _trapped(side: Side, found: Block) -> Event | None:
    if found.decoded.unless is not None:
        register, number = found.decoded.unless
        value = side.state.registers[register]
        if side.decided(v.equal(value, number, side.width)):
            side.state = replace(side.state, pc=found.end)
            return None
    flags = side.code.image.warnings.get(side.state.pc)
    if flags is not None:
        return Effect(f"WARN with flags {flags:#x}")
    return End(f"{STOPPED} in BUG()")


def _accessing(
    side: Side, found: Block, at: str, succeeds: Truth = 1
) -> tuple[Single, dict[int, Word], Word]:
    """An access to others' memory, the registers after it, and where the code goes on."""
    kind = "volatile" if found.decoded.kind == Kind.VOLATILE else "atomic"
    made = Single(z3.BitVec(f"{kind} {at}", side.width), succeeds)
    return made, *side.run(found.vex, made)


def _bound(side: Side, found: Block) -> Effect:
    """The mask of array_index_nospec() as an effect, with the flags of its comparison."""
    registers = side.state.registers
    if not found.decoded.text.startswith("sbb"):
        # The comparison precedes it in the same asm statement.
        registers, _ = side.run(found.vex, side)
    flags = tuple((registers[r], side.width) for r in side.arch.flags)
    return Effect("a bound on speculation", flags)


def _accessed(side: Side, found: Block, at: str) -> Event | None:
    """An access that others see, as an event; one to memory that no other may see is a plain access.

    Whether a conditional store succeeds and what a load returns are variables of the event, as others may write. A
    locked operation on the stack that changes nothing is a fence.
    """
    made, *_ = _accessing(side, found, at)
    kind, width, size = found.decoded.kind, side.width, 8 * made.size
    place = side.place(made.address) if made.size else None
    local = place is None or side.is_local(place)
    if kind == Kind.VOLATILE:
        if place is None or local and not side.is_shared(place) or _is_own(side, place):
            plain(side, found)
            return None
    elif kind != Kind.LOCKED and local:
        raise UnsupportedError("an atomic operation on a local")
    address, read, value = (made.address, width), made.size, made.value
    if kind == Kind.LOCKED:
        if value is None or made.expected is None:
            raise UnsupportedError(f"'{found.decoded.text}' exchanges nothing")
        if local:
            unchanged = v.extract(made.answer, size - 1, 0)
            if v.settled(v.equal(value, unchanged, size)) != 1:
                raise UnsupportedError("an atomic operation on a local")
            return Effect("a fence", publishes=True)
        name = f"atomic {found.decoded.text.split()[0]}"
        operands = address, (made.expected, size), (value, size)
        return Effect(name, operands, read, publishes=True)
    name = "volatile" if kind == Kind.VOLATILE else "exclusive"
    if found.decoded.ordered:
        name = "ordered" if kind == Kind.VOLATILE else "ordered exclusive"
    if value is None:
        return Effect(f"{name} load of {read}", (address,), read)
    return Effect(f"{name} store of {read}", (address, (value, size)), publishes=True)


def _is_own(side: Side, place: Place) -> bool:
    """Whether a place is a constant, or in the current task where a register points to that.

    Opening user access reads them (disable_kuap_key of PowerPC, thread_info::ttbr0 of ARM64).
    """
    task = side.stable.task
    own = task is not None and 0 <= place.offset - task < TASK
    return not place.base and (own or place.offset in side.code.constants)


def _accessed_after(side: Side, found: Block, at: str) -> State:
    """The state after such an access."""
    kind = found.decoded.kind
    stores = True
    if kind in (Kind.LINKED, Kind.CONDITIONAL):
        stores = kind == Kind.CONDITIONAL and side.decided(z3.Bool(f"exclusive {at}"))
    made, registers, after = _accessing(side, found, at, int(stores))
    assert isinstance(after, int)
    if made.expected is not None:
        width = 8 * made.size
        same = v.equal(v.extract(made.answer, width - 1, 0), made.expected, width)
        local = side.is_local(side.place(made.address))
        stores = not local and side.decided(same)
    if stores and made.value is not None:
        side.store(made.address, made.value, made.size)
    state = replace(side.state, registers=registers, pc=after)
    question, number = side.code.question, side.code.number
    loads = kind == Kind.VOLATILE and made.value is None
    if loads and question.settles and number == 0:
        loaded = v.extract(made.answer, 8 * made.size - 1, 0)
        settled = side.place(made.address), made.size, loaded
        state = replace(state, heap=replace(state.heap, settled=settled))
    return state


def _port(side: Side, found: Block) -> Effect:
    """An access to a port, as to a device."""
    decoded, registers = found.decoded, side.state.registers
    ax, *dx = decoded.reads
    port = v.extract(registers[dx[0]] if dx else decoded.code, 15, 0)
    name, bits = f"port {decoded.text} of {decoded.size}", 8 * decoded.size
    data = v.extract(registers[ax], bits - 1, 0), bits
    if decoded.text == "in":
        return Effect(name, ((port, 16),), decoded.size)
    return Effect(name, ((port, 16), data), publishes=True)


def _port_after(side: Side, found: Block, at: str) -> State:
    """The state after an access to a port; what it reads is a variable of the event."""
    registers, size = {**side.state.registers}, found.decoded.size
    if found.decoded.text == "in":
        read: Word = v.unknown(f"port {at}", 8 * size)
        if size == 4:
            # As by any instruction, the rest of the register is cleared.
            read, size = v.concat(0, read, 32, 32), 8
        put(registers, found.decoded.reads[0], read, size, side.arch.registers)
    return replace(side.state, registers=registers, pc=found.end)


def _opaque(side: Side, found: Block) -> Effect:
    """An instruction that is not modelled, with what it reads and the addresses that it has."""
    width, registers = side.width, side.state.registers
    operands = [(registers[r], width) for r in found.decoded.reads]
    for base, index, scale, offset in found.decoded.places:
        at: Word = offset & v.mask(width)
        for register, factor in ((base, 1), (index, scale)):
            if register >= 0:
                part = v.plain(v.term(registers[register], width) * factor)
                at = v.plain(v.add(part, at, width))
        if side.is_local(side.place(at)):
            raise UnsupportedError(f"'{found.decoded.text}' of a local")
        operands.append((at, width))
    return Effect(f"'{found.decoded.text}'", tuple(operands), publishes=True)


def _opaque_after(side: Side, found: Block, at: str) -> State:
    """The state after an opaque instruction: what it writes is unknown, the same on both sides."""
    arch = side.arch
    changes: dict[int, Word] = {
        register: v.unknown(f"opaque {at} {number}", side.width)
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
    if found.decoded.kind == Kind.PORT:
        return _port_after(side, found, at)
    if found.decoded.kind == Kind.BOUND:
        plain(side, found)
        return side.state
    if found.decoded.kind in ACCESSES:
        return _accessed_after(side, found, at)
    fixup = code.image.fixups.get(state.pc)
    return replace(state, pc=fixup.target if fixup else found.end)
