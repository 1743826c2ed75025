# SPDX-License-Identifier: GPL-2.0
"""Compare the same call on both sides: its arguments and all memory that it can reach.

One is the check of a list before an entry is added (CONFIG_DEBUG_LIST, include/linux/list.h). list_del() leaves poison
in an entry, and list_move() does not. The check would see it in a corrupted list, or in an entry that is moved to
itself, and nowhere else: it reads what the neighbours say of each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import z3

from hotcocci.proof.known import (
    ADDS_TO_LIST,
    BOUNDED,
    FLAGGED,
    KEEPS_NONE,
    PLACES,
    TAKES_LOCK,
    ZERO,
    allocator,
    fails_with_null,
)
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.calls import answered, result, truths
from hotcocci.proof.symbolic.compare_memory import (
    extent,
    require_heaps,
    require_local,
    rewritten,
)
from hotcocci.proof.symbolic.joint import (
    Answered,
    Comparison,
    Context,
    Different,
    Joint,
    Pair,
    both_failed,
    continued,
    next_epoch,
)
from hotcocci.proof.symbolic.loops import rebuilt, words
from hotcocci.proof.symbolic.permitting import no_error
from hotcocci.proof.symbolic.state import Argument, Call, Path, State, UnsupportedError
from hotcocci.proof.symbolic.values import Truth, Word


def committed(context: Context, joint: Joint) -> Joint:
    """The joint state with kernel writes forgotten, if both sides have written the same.

    Memory is then unknown and the same on both sides, which only adds paths.
    """
    old, new = (state.heap for state in joint.states)
    if not (old.writes or new.writes):
        return joint
    comparison = Comparison(context, joint)
    try:
        require_heaps(comparison)
    except (Different, UnsupportedError):
        return joint
    if comparison.locals_ != joint.locals_:
        return joint
    refusal = joint.refusal
    if refusal is not None:
        if [*map(id, refusal.heap.writes)] != [*map(id, old.writes)]:
            return joint
    return joint.with_all(
        [replace(each, heap=next_epoch(each.heap, False)) for each in joint.all()]
    )


def match_calls(comparison: Comparison, old: Call, new: Call) -> Joint:
    """Compare a call: same function, arguments and reachable memory.

    Returns the joint state after the call. Raises Different and UnsupportedError.
    """
    context, joint = comparison.context, comparison.joint
    if old.name != new.name or (old.target is None) != (new.target is None):
        raise Different(f"{old}, now {new}")
    width = context.width
    if old.target is not None and new.target is not None:
        comparison.require(old.target, new.target, width, "the called function")
    if len(old.arguments) != len(new.arguments):
        raise Different(f"{old} with another number of arguments")
    given: list[Pair] = []
    read: list[Pair] = []
    # What nothing points to after the call.
    passing: set[Pair] = set()
    kept = {*joint.escaped, *joint.shown}
    keeps = not KEEPS_NONE.fullmatch(old.name)
    filled: Pair | None = None
    zeroing = _zeroed(old, new)
    pairs = zip(old.arguments, new.arguments, strict=True)
    for number, (was, now) in enumerate(pairs, 1):
        what = f"argument {number} of {old.name}()"
        if was.kind.size != now.kind.size:
            raise Different(f"{what} has another size")
        if zeroing is not None and number == zeroing.flags:
            continue
        if number - 1 == PLACES.get(old.name):
            continue
        for one, other, bits in _words(was, now, width):
            comparison.require(one, other, bits, what)
            pair = _local(comparison, one, other, was.kind)
            part = (
                _bounded(comparison, old, pair, one) if number == 1 and pair else None
            )
            if part is not None and pair not in kept:
                _require_slot(comparison, part, old.name)
                filled = part
            elif pair is not None:
                (read if was.kind.constant else given).append(pair)
                (kept if keeps and not was.kind.made else passing).add(pair)
                if was.kind.made and not was.kind.constant:
                    _require_slot(comparison, pair, old.name)
    try:
        require_heaps(comparison)
    except Different as different:
        if not both_failed(joint):
            raise
        # The callee may or may not read what the fault left there.
        why = f"{old.name}() is called after a fault, and {different}"
        raise UnsupportedError(why) from different
    escaped, shown = published(comparison, given, read)
    changes = context.stable.credentials.changed_by(old.name)
    allocates = allocator(old.name, len(old.arguments)) is not None
    made = result(joint.moment, old.name, width)
    fresh = context.terms.place(made).base if allocates else ()
    states = []
    for number, state in enumerate(joint.states):
        state = replace(state, heap=replace(state.heap, settled=None))
        if filled is not None:
            state = overwritten(context, joint, number, state, [filled])
        elif not old.pure:
            heap = next_epoch(state.heap, changes)
            state = replace(state, heap=replace(heap, fresh=fresh))
            state = overwritten(context, joint, number, state, escaped)
        at_ = context.side(number, joint.with_state(number, state))
        at_.state = answered(at_, old, f"{joint.moment}")
        if zeroing is not None and number in zeroing.by:
            # As memset() does
            if not at_.decided(v.equal(made, 0, width)):
                at_.fill(made, 0, zeroing.size)
        states.append(at_.state)
    left = (tuple(p for p in of if p not in passing - kept) for of in (escaped, shown))
    escaped, shown = left
    history = (*joint.history, Answered(joint.moment, old.name, old.target))
    path = joint.path
    if allocates:
        # Allocated memory is not a local of this function.
        stack = context.arch.layout.stack
        path = path.with_(z3.Or(z3.ULT(made, stack.start), z3.UGE(made, stack.stop)))
    if fails_with_null(old.name, len(old.arguments)):
        path = path.with_(no_error(made, width))
    if old.name in FLAGGED:
        word = made
        if old.arguments[0].kind.made:
            # In memory, on powerpc-32
            before_ = context.side(0, joint.with_state(0, states[0]))
            word = before_.load(old.arguments[0].value, width // 8)
        word = v.term(word, width)
        path = path.with_(z3.Or(word == 0, word & ~FLAGGED[old.name] != 0))
    path = _with(path, *truths(context.arch, old.result, made))
    if old.name in TAKES_LOCK and old.arguments:
        # It has dereferenced the pointer.
        none = v.truth(v.below(old.arguments[0].value, PAGE, width))
        path = path.with_(z3.simplify(z3.Not(none)))
    return continued(
        joint, states, escaped=escaped, shown=shown, history=history, path=path
    )


@dataclass(frozen=True)
class _Zeroing:
    """Calls that allocate ``size`` bytes, which those of the sides ``by`` zero.

    ``flags`` is the number of the argument that says so, from 1.
    """

    flags: int
    size: int
    by: tuple[int, ...]


def _zeroed(old: Call, new: Call) -> _Zeroing | None:
    of = allocator(old.name, len(old.arguments))
    if of is None or of.size is None or of.flags is None:
        return None
    size = old.arguments[of.size].value
    was, now = (each.arguments[of.flags].value for each in (old, new))
    if not (isinstance(was, int) and isinstance(now, int) and isinstance(size, int)):
        return None
    if (was ^ now) & ~ZERO or size > PAGE:
        return None
    by = tuple(side for side, flags in enumerate((was, now)) if flags & ZERO)
    return _Zeroing(of.flags + 1, size, by)


def _words(
    was: Argument, now: Argument, width: int
) -> Iterator[tuple[Word, Word, int]]:
    """Both sides of an argument word by word: a struct passed by value may hold addresses."""
    for low, size in v.pieces(8 * was.kind.size, width):
        parts = (v.extract(each.value, low + size - 1, low) for each in (was, now))
        one, other = map(v.plain, parts)
        yield one, other, size


def _bounded(
    comparison: Comparison, call: Call, whole: Pair, start: Word
) -> Pair | None:
    """The part of a local that a call may write, which is all that it does, and reads nothing of; None if it may do more."""
    number = BOUNDED.get(call.name)
    if number is None or not isinstance(start, int):
        return None
    size, before = call.arguments[number].value, start - whole.old
    # FORTIFY_SOURCE passes a length, and has checked that.
    low, most = 0, whole.size - before
    while low < most:
        middle = (low + most) // 2
        more = v.below(middle, size, comparison.context.width)
        low, most = (middle + 1, most) if comparison.possible(more) else (low, middle)
    return Pair(start, whole.new + before, most)


def published(
    comparison: Comparison, given: Sequence[Pair] = (), read: Sequence[Pair] = ()
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Compare the escaped locals; return those that others may write, and those only read."""
    joint = comparison.joint
    looked = [*read, *joint.shown]
    known = [*given, *joint.escaped, *_held_pairs(comparison)]
    written = _compared(comparison, known, looked)
    return written, tuple(p for p in dict.fromkeys(looked) if p not in written)


def overwritten(
    context: Context, joint: Joint, number: int, state: State, locals_: Sequence[Pair]
) -> State:
    """The state of one side after others may have written these locals."""
    for index, pair in enumerate(locals_):
        at = (pair.old, pair.new)[number]
        name = f"local {joint.moment} {index}"
        state = rewritten(context.terms, state, at, pair.size, name)
    return state


def _require_slot(comparison: Comparison, pair: Pair, name: str) -> None:
    """Raise UnsupportedError unless a local is the same before the result of a call goes there.

    The callee does not read it, but need not write what is between members, or after the end of a string.
    """
    try:
        require_local(comparison, pair)
    except Different as different:
        why = f"{different}, where the result of {name}() goes"
        raise UnsupportedError(why) from different


def _local(comparison: Comparison, was: Word, now: Word, kind: Value) -> Pair | None:
    """The local that a word points to, None if it does not point to one."""
    if not isinstance(was, int) or not isinstance(now, int):
        return None
    if comparison.locals_.get(was) != now:
        return None
    if kind.made and kind.target:
        # It may be a structure of the compiler's own, without a name.
        return Pair(was, now, kind.target)
    return extent(comparison, (was, now))


def _compared(
    comparison: Comparison, given: Sequence[Pair], read: Sequence[Pair]
) -> tuple[Pair, ...]:
    """Compare locals that a call can reach, also indirectly; return those that it may write."""
    written = dict.fromkeys(given)
    waiting = [*written, *(pair for pair in read if pair not in written)]
    seen = set(waiting)
    while waiting:
        pair = waiting.pop()
        for held in require_local(comparison, pair):
            found = extent(comparison, held)
            written.setdefault(found)
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    return tuple(written)


def _held_pairs(comparison: Comparison) -> list[Pair]:
    """Locals whose address is stored in kernel memory."""
    held = [
        {w.value for w in state.heap.writes if isinstance(w.value, int)}
        for state in comparison.joint.states
    ]
    pairs = [
        p for p in comparison.locals_.items() if p[0] in held[0] or p[1] in held[1]
    ]
    return [extent(comparison, pair) for pair in pairs]


INTACT = "lists are not corrupted before an entry is added to them"
# What the arguments of the check are
PARTS = ("the new entry", "its predecessor", "its successor")


def is_list_check(comparison: Comparison, old: Call, new: Call) -> bool:
    """Whether both sides check a list, in a file that leaves what follows to list_add() and the like."""
    trusted = comparison.codes[0].question.trusts_lists
    both = len(old.arguments) == len(new.arguments) == len(PARTS)
    return trusted and both and old.name == new.name in ADDS_TO_LIST


def match_list_checks(comparison: Comparison, old: Call, new: Call) -> list[Joint]:
    """Compare the arguments, where the old side's list is intact; then both go on as if the check had passed.

    Empty if it never is. Raises Different, UnsupportedError and ForkNeeded.
    """
    context, joint = comparison.context, comparison.joint
    width, size = context.width, context.width // 8
    entry, before, after = (each.value for each in old.arguments)
    side = context.side(0, joint)
    back = side.after(after, size)
    path = _with(
        joint.path,
        v.equal(side.load(before, size), after, width),
        v.equal(side.load(back, size), before, width),
        _apart(entry, before, width),
        _apart(entry, after, width),
        *_elsewhere(comparison, entry, before),
        *_elsewhere(comparison, entry, back),
    )
    if not context.solver.possible(path):
        return []
    comparison.joint = joint = replace(joint, path=path)
    for was, now, part in zip(old.arguments, new.arguments, PARTS, strict=True):
        comparison.require(was.value, now.value, width, f"{part} in a list")
    context.notes.add(INTACT)
    states = []
    for number, state in enumerate(joint.states):
        at = context.side(number, joint.with_state(number, state))
        states.append(answered(at, old, f"{joint.moment}"))
    for was, now in zip(old.arguments, new.arguments, strict=True):
        states[1] = _renamed(context, states[1], now.value, was.value)
    passed = z3.Extract(7, 0, result(joint.moment, old.name, width)) == 1
    return [continued(joint, states, path=_with(path, passed))]


def _with(path: Path, *conditions: Truth) -> Path:
    for each in conditions:
        path = path.with_(z3.simplify(v.truth(each)))
    return path


def _apart(one: Word, other: Word, width: int) -> z3.BoolRef:
    """The condition that two entries do not overlap."""
    size = 2 * width // 8
    first, second = (v.term(each, width) for each in (one, other))
    return z3.And(z3.UGE(first - second, size), z3.UGE(second - first, size))


def _elsewhere(comparison: Comparison, entry: Word, at: Word) -> Iterator[Truth]:
    """A neighbour's pointer on both sides, as if nothing had been stored in the entry, which is apart from it."""
    for number, state in enumerate(comparison.joint.states):
        side = comparison.context.side(number, comparison.joint)
        heap, of, size = state.heap, side.place(entry), side.width // 8
        own = range(of.offset, of.offset + 2 * size)
        known = heap.bases.get(of.base, {})
        kept = {place: byte for place, byte in known.items() if place not in own}
        writes = (w for w in heap.writes if w.base != of.base or w.offset not in own)
        bases = {**heap.bases, of.base: kept}
        heap = replace(heap, writes=tuple(writes), bases=bases)
        other = replace(side, state=replace(state, heap=heap))
        yield v.equal(side.load(at, size), other.load(at, size), side.width)


def _renamed(context: Context, state: State, word: Word, name: Word) -> State:
    """The state with another name for a word that is equal."""
    if isinstance(word, int) or isinstance(name, int) or word.eq(name):
        return state
    arch = context.arch
    fresh = [v.replaced(each, (word, name)) for each in words(state, arch).values]
    return rebuilt(state, fresh, arch.layout.order)
