# SPDX-License-Identifier: GPL-2.0
"""What both sides are about to do, held against each other, and where they are after that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import z3

from hotcocci.proof.execution.passing import is_returned
from hotcocci.proof.execution.signatures import Value
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.permitted import LATE, PARTS, REFUSED, STOPS
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side, Stable
from hotcocci.proof.symbolic.calls import answered
from hotcocci.proof.symbolic.code import Code
from hotcocci.proof.symbolic.contents import (
    Bases,
    OrderNeeded,
    extent,
    require_heaps,
    require_local,
    rewritten,
)
from hotcocci.proof.symbolic.joint import Joint, Pair, Rest
from hotcocci.proof.execution.locals import Local
from hotcocci.proof.symbolic.memory import Heap
from hotcocci.proof.symbolic.places import Place
from hotcocci.proof.symbolic.same import Comparison, Different
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import (
    Access,
    Argument,
    Call,
    Effect,
    End,
    Event,
    Routine,
    State,
    UnsupportedError,
    shown,
)
from hotcocci.proof.symbolic.step import RETURNED, effected
from hotcocci.proof.symbolic.values import Word


@dataclass
class Context:
    """What does not change while two functions are compared.

    ``frames`` are the locals of each side, ``bases`` the canonical addresses of the frames,
    ``result`` what the function returns, None for nothing. ``moved`` has the lines that did not
    change, by their numbers before. ``notes`` are assumptions that
    were made.
    """

    codes: tuple[Code, Code]
    solver: Solver
    stable: Stable
    constants: Mapping[int, bytes]
    frames: tuple[tuple[Local, ...], tuple[Local, ...]]
    bases: tuple[int, int]
    result: Value | None
    moved: Mapping[int, int]
    notes: set[str] = field(default_factory=set)
    leaks: bool = False
    turns: int = 3

    def side(self, number: int, joint: Joint) -> Side:
        """One side, to be run."""
        return Side(
            self.codes[number],
            joint.path,
            joint.states[number],
            self.stable,
            self.constants,
        )


def match(context: Context, joint: Joint) -> list[Joint]:
    """Where both sides go on after what they are about to do; nothing at their end.

    Raises Different, and UnsupportedError.
    """
    old, new = joint.events
    comparison = Comparison(
        context.codes, context.solver, joint.path, dict(joint.locals_)
    )
    if isinstance(old, Access) and isinstance(new, Access):
        found = _accesses(context, joint, comparison, old, new)
    elif isinstance(old, Routine) and isinstance(new, Routine):
        found = _routines(context, joint, comparison, old, new)
    elif isinstance(old, Routine) or isinstance(new, Routine):
        found = [_inside(context, joint)]
    elif isinstance(old, Call) and isinstance(new, Call):
        found = [_calls(context, joint, comparison, old, new)]
    elif isinstance(old, Effect) and isinstance(new, Effect):
        found = [_effects(context, joint, comparison, old, new)]
    elif isinstance(old, End) and isinstance(new, End):
        found = _ends(context, joint, comparison, old, new)
    else:
        found = _unmatched(context, joint, comparison, old, new)
    return [replace(each, locals_=comparison.locals_) for each in found]


def _after(joint: Joint, states: Sequence[State], **changes: object) -> Joint:
    return replace(
        joint,
        states=(states[0], states[1]),
        events=(None, None),
        moment=joint.moment + 1,
        rest=None,
        **changes,  # type: ignore[arg-type]
    )


def _accesses(
    context: Context, joint: Joint, comparison: Comparison, old: Access, new: Access
) -> list[Joint]:
    """Accesses of the same bytes; a copy may stand for several."""
    rest = joint.rest
    pair = (old, new)
    big = rest.side if rest else (0 if old.size >= new.size else 1)
    whole, part = pair[big], pair[1 - big]
    done = rest.done if rest else 0
    terms = context.codes[0].terms
    if (old.data is None) != (new.data is None):
        raise Different(f"{old}, now {new}")
    if part.size != whole.size and not whole.block:
        raise Different(f"{old}, now {new}")
    if new.block and not old.block and old.size > 1:
        raise Different(f"{old} is made by a copy now, which may tear it")
    if done + part.size > whole.size:
        raise Different(f"{old}, now {new}")
    _require_context(context, joint, comparison)
    width = terms.width
    address = v.add(whole.address, done, width)
    one, other = (address, part.address) if big == 0 else (part.address, address)
    comparison.require(one, other, width, f"the address of a user {user.kind(old)}")
    bits = 8 * part.size
    data: Word = 0
    if whole.data is None:
        data = v.unknown(f"fetched {joint.moment} {whole.size}", 8 * whole.size)
    else:
        mine = v.extract(whole.data, 8 * done + bits - 1, 8 * done)
        assert part.data is not None
        one, other = (mine, part.data) if big == 0 else (part.data, mine)
        comparison.require(one, other, bits, f"what is stored to {old}")
        context.leaks |= comparison.leaks
    piece = (
        v.extract(data, 8 * done + bits - 1, 8 * done) if whole.data is None else None
    )
    small = user.succeeded(context.side(1 - big, joint), part, piece)
    done += part.size
    states = list(joint.states)
    states[1 - big] = small
    if done < whole.size:
        events: list[Event | None] = [None, None]
        events[big] = whole
        return [
            replace(
                joint,
                states=(states[0], states[1]),
                events=(events[0], events[1]),
                rest=Rest(big, whole, data, done),
            )
        ]
    loaded = data if whole.data is None else None
    states[big] = user.succeeded(context.side(big, joint), whole, loaded)
    return [_after(joint, states)]


def _failed(joint: Joint) -> bool:
    """Whether both sides have met with a fault, or the new one was refused its window."""
    old, new = joint.states
    return bool(old.faulted and (new.faulted or new.attempt is not None))


def _require_context(context: Context, joint: Joint, comparison: Comparison) -> None:
    """Both sides make an access with page faults, preemption and interrupts alike.

    Those are numbers of the processor and of the running task (pagefault_disable()).
    """
    percpu = context.codes[0].arch.layout.percpu
    tasks = context.stable.tasks(context.codes[0])

    def matters(base: tuple[int, ...], at: int) -> bool:
        known = at % (1 << context.codes[0].terms.width)
        return base in tasks if base else 0 <= known - percpu < 1 << 32

    old, new = joint.states
    require_heaps(comparison, old.heap, new.heap, False, matters)


def _inside(context: Context, joint: Joint) -> Joint:
    """The routines that are about to be entered are run."""
    states, events = list(joint.states), list(joint.events)
    for number, event in enumerate(joint.events):
        if isinstance(event, Routine):
            side = context.side(number, joint)
            sp = side.state.registers[side.code.arch.registers.sp]
            back = side.load(sp, side.code.terms.width // 8)
            assert isinstance(back, int)
            states[number] = user.entered(side.state, event.name, back)
            events[number] = None
    return replace(joint, states=(states[0], states[1]), events=(events[0], events[1]))


def _routines(
    context: Context, joint: Joint, comparison: Comparison, old: Routine, new: Routine
) -> list[Joint]:
    """The same copy on both sides does the same; another one is looked into."""
    arch, terms = context.codes[0].arch, context.codes[0].terms
    loads = old.name in arch.loads
    ends = (
        ((old.source, new.source), (old.target, new.target))
        if loads
        else ((old.target, new.target), (old.source, new.source))
    )
    try:
        if old.name != new.name:
            raise Different("another routine")
        comparison.require(old.size, new.size, terms.width, "the size")
        for one, other in ends:
            comparison.require(one, other, terms.width, "an end")
    except Different:
        return [_inside(context, joint)]
    moved = _moved(context, joint, comparison, old, ends[1], loads)
    if moved is None:
        return [_inside(context, joint)]
    left = z3.BitVec(f"copied {joint.moment}", terms.width)
    path = joint.path.with_(z3.simplify(z3.ULE(left, v.term(old.size, terms.width))))
    call = Call(old.name, (), None, Value(terms.width // 8), True)
    states = []
    for number in range(len(moved)):
        side = context.side(number, replace(joint, states=moved))
        after = answered(side, call, f"{joint.moment}")
        changes = {arch.registers.results[0]: left}
        states.append(replace(after, registers={**after.registers, **changes}))
    return [_after(joint, states, path=path)]


# Bytes of a copy that are compared and set word by word.
COPIED = 4096


def _moved(
    context: Context,
    joint: Joint,
    comparison: Comparison,
    routine: Routine,
    kernel: tuple[Word, Word],
    loads: bool,
) -> tuple[State, State] | None:
    """Memory after a copy that both sides make; None where it is not known what it touches."""
    size = routine.size
    terms = context.codes[0].terms
    places = [terms.place(each) for each in kernel]
    local = [context.side(n, joint).is_local(place) for n, place in enumerate(places)]
    if local[0] != local[1] or (local[0] and not isinstance(size, int)):
        return None
    known = isinstance(size, int) and size <= COPIED
    old, new = joint.states
    if not local[0] and not (known and loads):
        require_heaps(comparison, old.heap, new.heap, False)
    made = []
    for number, state in enumerate(joint.states):
        at = places[number].offset % (1 << terms.width)
        if not loads:
            made.append(state)
        elif local[0]:
            assert isinstance(size, int)
            name = f"copied {joint.moment}"
            stack = rewritten(terms, state, at, size, name)
            made.append(replace(state, stack=stack))
        elif known:
            assert isinstance(size, int)
            side = context.side(number, joint)
            for n in range(0, size, 8):
                length = min(8, size - n)
                word = v.unknown(f"copied {joint.moment} {n:#x}", 8 * length)
                side.store(v.add(kernel[number], n, terms.width), word, length)
            made.append(side.state)
        else:
            made.append(replace(state, heap=_next(state.heap, False)))
    if not loads and local[0]:
        assert isinstance(size, int)
        at, other = (place.offset % (1 << terms.width) for place in places)
        pair = Pair(at, other, size)
        require_local(comparison, (old, new), pair)
        context.leaks |= comparison.leaks
    return made[0], made[1]


def _next(heap: Heap, changes: bool) -> Heap:
    """Kernel memory after a function may have written to it."""
    return Heap(heap.epoch + 1, heap.credentials + changes)


def committed(context: Context, joint: Joint) -> Joint:
    """The moment with what was written forgotten, where both sides have written the same.

    Memory is unknown then, and the same on both sides: that only adds paths.
    """
    old, new = (state.heap for state in joint.states)
    if not (old.writes or new.writes):
        return joint
    comparison = Comparison(
        context.codes, context.solver, joint.path, dict(joint.locals_)
    )
    try:
        if require_heaps(comparison, old, new, False):
            return joint
    except (Different, OrderNeeded, UnsupportedError):
        return joint
    if comparison.locals_ != joint.locals_:
        return joint
    states = tuple(
        replace(state, heap=Heap(state.heap.epoch + 1, state.heap.credentials))
        for state in joint.states
    )
    return replace(joint, states=(states[0], states[1]))


def _calls(
    context: Context, joint: Joint, comparison: Comparison, old: Call, new: Call
) -> Joint:
    """A call of the same function with the same arguments and the same memory."""
    if old.name != new.name or (old.target is None) != (new.target is None):
        raise Different(f"{old}, now {new}")
    width = context.codes[0].terms.width
    if old.target is not None and new.target is not None:
        comparison.require(old.target, new.target, width, "the function that is called")
    if len(old.arguments) != len(new.arguments):
        raise Different(f"{old} with other arguments")
    given: list[Pair] = []
    read: list[Pair] = []
    for number, (was, now) in enumerate(
        zip(old.arguments, new.arguments, strict=True), 1
    ):
        what = f"argument {number} of {old.name}()"
        if was.kind.size != now.kind.size:
            raise Different(f"{what} is another type")
        if not _is_line(context, old, new, was, now):
            comparison.require(was.value, now.value, 8 * was.kind.size, what)
        pair = _local(context, comparison, joint, was, now)
        if pair is not None:
            (read if was.kind.constant else given).append(pair)
    faulted = _failed(joint)
    permitted = require_heaps(
        comparison, joint.states[0].heap, joint.states[1].heap, faulted
    )
    given += [*joint.escaped, *_held_pairs(context, comparison, joint)]
    escaped = _compared(context, comparison, joint, given, read)
    changes = context.codes[0].changes_credentials(old.name)
    states = []
    for number, state in enumerate(joint.states):
        if not old.pure:
            state = replace(state, heap=_next(state.heap, changes))
            for index, pair in enumerate(escaped):
                at = (pair.old, pair.new)[number]
                name = f"local {joint.moment} {index}"
                stack = rewritten(context.codes[0].terms, state, at, pair.size, name)
                state = replace(state, stack=stack)
        at_ = context.side(number, replace(joint, states=_with(joint, number, state)))
        states.append(answered(at_, old, f"{joint.moment}"))
    return _after(
        joint,
        states,
        escaped=escaped,
        permitted=joint.permitted | permitted,
    )


def _is_line(
    context: Context, old: Call, new: Call, was: Argument, now: Argument
) -> bool:
    """Whether an argument is the line that its call is on, which has moved: __LINE__."""
    return (
        isinstance(was.value, int)
        and (was.value, now.value) == (old.line, new.line)
        and context.moved.get(old.line) == new.line
    )


def _with(joint: Joint, number: int, state: State) -> tuple[State, State]:
    old, new = joint.states
    return (state, new) if number == 0 else (old, state)


def _local(
    context: Context,
    comparison: Comparison,
    joint: Joint,
    was: Argument,
    now: Argument,
) -> Pair | None:
    """The local that an argument points to, if it does."""
    if not isinstance(was.value, int) or not isinstance(now.value, int):
        return None
    if comparison.locals_.get(was.value) != now.value:
        return None
    return extent(context.frames, _bases(context, joint), (was.value, now.value))


def _bases(context: Context, joint: Joint) -> list[Bases]:
    """What locals are counted from, as a call is entered."""
    found: list[Bases] = []
    arch = context.codes[0].arch
    word = context.codes[0].terms.width // 8
    for state, frame in zip(joint.states, context.bases, strict=True):
        base: dict[int | None, int] = {None: frame}
        for number, register in arch.framed.items():
            value = state.registers.get(register)
            if isinstance(value, int):
                pushed = word if register == arch.registers.sp else 0
                base[number] = value + pushed
        found.append(base)
    return found


def _compared(
    context: Context,
    comparison: Comparison,
    joint: Joint,
    given: Sequence[Pair],
    read: Sequence[Pair],
) -> tuple[Pair, ...]:
    """Compare locals that a call can reach, through others too; returns those that it may write."""
    bases = _bases(context, joint)
    written = dict.fromkeys(given)
    waiting = [*written, *(pair for pair in read if pair not in written)]
    seen = set(waiting)
    while waiting:
        pair = waiting.pop()
        for held in require_local(comparison, joint.states, pair):
            found = extent(context.frames, bases, held)
            written.setdefault(found)
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    return tuple(written)


def _held_pairs(context: Context, comparison: Comparison, joint: Joint) -> list[Pair]:
    """Locals of which memory that others see holds the address."""
    bases = _bases(context, joint)
    return [
        extent(context.frames, bases, (old, new))
        for old, new in list(comparison.locals_.items())
        if any(
            _holds(state.heap, at)
            for state, at in zip(joint.states, (old, new), strict=True)
        )
    ]


def _holds(heap: Heap, address: int) -> bool:
    return any(
        write.value == address for write in heap.writes if isinstance(write.value, int)
    )


def _effects(
    context: Context, joint: Joint, comparison: Comparison, old: Effect, new: Effect
) -> Joint:
    if old.name != new.name or len(old.operands) != len(new.operands):
        raise Different(f"{old}, now {new}")
    for (was, width), (now, _) in zip(old.operands, new.operands, strict=True):
        comparison.require(was, now, width, f"an operand of {old}")
    permitted: frozenset[str] = frozenset()
    if old.publishes:
        faulted = _failed(joint)
        heaps = joint.states[0].heap, joint.states[1].heap
        permitted = require_heaps(comparison, *heaps, faulted)
    states = [
        effected(context.side(number, joint), effect, f"{joint.moment}")
        for number, effect in enumerate((old, new))
    ]
    return _after(joint, states, permitted=joint.permitted | permitted)


def _ends(
    context: Context, joint: Joint, comparison: Comparison, old: End, new: End
) -> list[Joint]:
    if old.how != new.how:
        raise Different(f"{old}, now {new}")
    if joint.refused:
        return [_refused_end(context, joint)]
    if old.how == RETURNED:
        _results(context, joint, comparison)
        require_pointers(context, joint)
    faulted = _failed(joint)
    permitted = require_heaps(
        comparison, joint.states[0].heap, joint.states[1].heap, faulted
    )
    return [replace(joint, permitted=joint.permitted | permitted, events=DONE)]


GOOD = "pointers that are used where user accesses succeed are good where one faults"
# Hardened usercopy, which has nothing to say of a part of a local.
CHECK = "__check_object_size"


def _refused_end(context: Context, joint: Joint) -> Joint:
    """The old side alone has come to its end, where the new one was refused its window.

    What the new one does then is compared where the first access faults. The old one has to
    have faulted as well, but for an object that only just leaves user space.
    """
    if not joint.states[0].faulted:
        asked = joint.states[1].attempt
        assert asked is not None
        width = context.codes[1].terms.width
        end = v.add(asked.start, asked.length, width)
        far = v.below(context.codes[1].arch.layout.user_high + PAGE, end, width)
        model = context.solver.model(joint.path, v.settled(far))
        if model is not None:
            raise Different("a range is refused that was accessed before", model)
    return replace(joint, events=DONE)


def require_pointers(context: Context, joint: Joint) -> None:
    """Raise unless the new side used no pointer that the old one did not use on this path."""
    terms = context.codes[0].terms
    for base in joint.states[1].touched - joint.states[0].touched:
        start = terms.address(Place(base, 0))
        good = v.negation(v.below(start, PAGE, terms.width))
        if not context.solver.possible(joint.path, v.settled(good)):
            raise Different("it uses a pointer that is NULL")
        if _failed(joint) or joint.states[1].faulted:
            context.notes.add(GOOD)
            continue
        raise UnsupportedError(
            f"it uses {shown(start)}, which it did not before on some path"
        )


# Both sides have come to their end.
DONE: tuple[Event, Event] = (End("done"), End("done"))


def _results(context: Context, joint: Joint, comparison: Comparison) -> None:
    kind = context.result
    arch, width = context.codes[0].arch, context.codes[0].terms.width
    if kind is None or not is_returned(arch.convention, kind):
        return
    words = []
    for state in joint.states:
        low, high = (state.registers[r] for r in arch.registers.results)
        word = v.concat(high, low, width, width) if 8 * kind.size > width else low
        words.append(v.extract(word, 8 * kind.size - 1, 0))
    comparison.require(words[0], words[1], 8 * kind.size, "the result")


def _unmatched(
    context: Context,
    joint: Joint,
    comparison: Comparison,
    old: Event | None,
    new: Event | None,
) -> list[Joint]:
    """Differences that are permitted after a fault."""
    torn = joint.states[0].torn
    if (
        isinstance(old, Access)
        and joint.rest is None
        and _is_stopped(context, joint, old)
    ):
        # The window has ended at the first fault.
        return [_dropped(context, joint, 0, old, STOPS)]
    if isinstance(old, Call) and _is_harmless(context, joint, comparison, old):
        return [_unchecked(context, joint, old)]
    if isinstance(old, Access) and _is_refused(context, joint):
        return [replace(_dropped(context, joint, 0, old, REFUSED), refused=True)]
    if isinstance(new, Access) and torn is not None and _within(comparison, torn, new):
        return [_dropped(context, joint, 1, new, PARTS)]
    if (
        isinstance(new, Access)
        and isinstance(old, End)
        and _is_late(context, joint, new)
    ):
        return [_dropped(context, joint, 1, new, LATE)]
    if isinstance(old, Access) and isinstance(new, Call):
        # Only the emulator can tell whether the call may come first (early.py).
        raise UnsupportedError(f"{new} comes before a {old} now")
    raise Different(f"{old}, now {new}")


def _is_late(context: Context, joint: Joint, access: Access) -> bool:
    """Whether an access is one of the last page, of an object that leaves user space."""
    arch, width = context.codes[1].arch, context.codes[1].terms.width
    before = v.below(access.address, arch.layout.user_high - PAGE, width)
    return not context.solver.possible(joint.path, v.settled(before))


def _is_stopped(context: Context, joint: Joint, access: Access) -> bool:
    """Whether the code before went on after a fault with an access that the new window is for.

    What is stored must not be a number: that may tell of the fault.
    """
    old, new = joint.states
    if not (old.faulted and new.faulted) or user.kind(access) != old.faulted:
        return False
    if access.data is not None and isinstance(v.plain(access.data), int):
        return False
    if new.stopped is None:
        return False
    width = context.codes[1].terms.width
    outside = user.uncovered(replace(new, window=new.stopped), access, width)
    if isinstance(outside, str):
        return False
    return not context.solver.possible(joint.path, v.settled(outside))


def _is_harmless(
    context: Context, joint: Joint, comparison: Comparison, call: Call
) -> bool:
    """Whether hardened usercopy is asked of a local that is large enough."""
    if call.name != CHECK:
        return False
    at, size = call.arguments[0].value, call.arguments[1].value
    if not isinstance(at, int):
        return False
    base = _bases(context, joint)[0]
    width = context.codes[0].terms.width
    return any(
        start <= at < start + each.size
        and not context.solver.possible(
            joint.path, v.settled(v.below(start + each.size - at, size, width))
        )
        for each in context.frames[0]
        if each.register in base
        for start in (base[each.register] + each.start,)
    )


def _unchecked(context: Context, joint: Joint, call: Call) -> Joint:
    """The call is made on the old side only, and has no effect."""
    side = context.side(0, joint)
    state = answered(side, call, f"{joint.moment} {CHECK}")
    return replace(joint, states=_with(joint, 0, state), events=(None, joint.events[1]))


def _is_refused(context: Context, joint: Joint) -> bool:
    """Whether the new side was refused a window, as what it is for leaves user space."""
    asked = joint.states[1].attempt
    if asked is None:
        return False
    width = context.codes[1].terms.width
    end = v.add(asked.start, asked.length, width)
    high = context.codes[1].arch.layout.user_high
    fits = z3.And(
        v.truth(v.negation(v.below(high, end, width))),
        v.truth(v.negation(v.below(end, asked.start, width))),
    )
    return not context.solver.possible(joint.path, v.settled(fits))


def _dropped(
    context: Context, joint: Joint, number: int, access: Access, why: str
) -> Joint:
    """One side makes an access that the other does not."""
    side = context.side(number, joint)
    data: Word | None = None
    if access.data is None:
        name = f"dropped {side.code.side} {joint.moment} {access.place} {access.size}"
        data = v.unknown(name, 8 * access.size)
    state = user.succeeded(side, access, data)
    events: list[Event | None] = list(joint.events)
    events[number] = None
    return replace(
        joint,
        states=_with(joint, number, state),
        events=(events[0], events[1]),
        permitted=joint.permitted | {why},
    )


def _within(comparison: Comparison, torn: Access, access: Access) -> bool:
    """Whether an access is a part of a copy that faulted."""
    place, whole = access.place, torn.place
    start = place.offset - whole.offset
    if (torn.data is None) != (access.data is None) or place.base != whole.base:
        return False
    if not 0 <= start <= torn.size - access.size:
        return False
    if torn.data is not None and access.data is not None:
        mine = v.extract(torn.data, 8 * (start + access.size) - 1, 8 * start)
        comparison.require(
            mine, access.data, 8 * access.size, f"what is stored by {access}"
        )
    return True
