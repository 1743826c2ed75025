# SPDX-License-Identifier: GPL-2.0
"""Compare the same call on both sides: its arguments and all memory that it can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import z3

from hotcocci.proof.known import TAKES_LOCK, ZERO, allocator, fails_with_null
from hotcocci.proof.objects.image import PAGE
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Side
from hotcocci.proof.symbolic.calls import answered, result
from hotcocci.proof.symbolic.compare_memory import (
    extent,
    require_heaps,
    require_local,
    rewritten,
)
from hotcocci.proof.symbolic.compare_words import Comparison, Different
from hotcocci.proof.symbolic.joint import (
    Answered,
    Context,
    Joint,
    Pair,
    both_failed,
    continued,
    next_epoch,
)
from hotcocci.proof.symbolic.memory import WORD, Heap
from hotcocci.proof.symbolic.permitting import no_error
from hotcocci.proof.symbolic.state import Argument, Call, State, UnsupportedError
from hotcocci.proof.symbolic.values import Word


def committed(context: Context, joint: Joint) -> Joint:
    """The joint state with kernel writes forgotten, if both sides have written the same.

    Memory is then unknown and the same on both sides, which only adds paths.
    """
    old, new = (state.heap for state in joint.states)
    if not (old.writes or new.writes):
        return joint
    comparison = Comparison(context, joint)
    try:
        if require_heaps(comparison, old, new, False):
            return joint
    except (Different, UnsupportedError):
        return joint
    if comparison.locals_ != joint.locals_:
        return joint
    refusal = joint.refusal
    if refusal is not None:
        if [*map(id, refusal.heap.writes)] != [*map(id, old.writes)]:
            return joint
        refusal = replace(refusal, heap=next_epoch(refusal.heap, False))
    states = [
        replace(state, heap=next_epoch(state.heap, False)) for state in joint.states
    ]
    return replace(joint, states=(states[0], states[1]), refusal=refusal)


def match_calls(comparison: Comparison, old: Call, new: Call) -> Joint:
    """Compare a call: same function, arguments and reachable memory.

    Returns the joint state after the call. Raises Different and UnsupportedError.
    """
    context, joint = comparison.context, comparison.joint
    if old.name != new.name or (old.target is None) != (new.target is None):
        raise Different(f"{old}, now {new}")
    width = context.codes[0].terms.width
    if old.target is not None and new.target is not None:
        comparison.require(old.target, new.target, width, "the called function")
    if len(old.arguments) != len(new.arguments):
        raise Different(f"{old} with another number of arguments")
    given: list[Pair] = []
    read: list[Pair] = []
    zeroing = _zeroed_by_one(old, new)
    for number, (was, now) in enumerate(
        zip(old.arguments, new.arguments, strict=True), 1
    ):
        what = f"argument {number} of {old.name}()"
        if was.kind.size != now.kind.size:
            raise Different(f"{what} has another size")
        if zeroing is not None and number == zeroing.flags:
            continue
        for one, other, bits in _words(was, now, width):
            comparison.require(one, other, bits, what)
            pair = _local(comparison, one, other)
            if pair is not None:
                (read if was.kind.constant else given).append(pair)
    try:
        require_heaps(comparison, joint.states[0].heap, joint.states[1].heap, False)
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
    fresh = context.codes[0].terms.place(made).base if allocates else ()
    states = []
    for number, state in enumerate(joint.states):
        if not old.pure:
            heap = next_epoch(state.heap, changes)
            state = replace(state, heap=replace(heap, fresh=fresh))
            state = overwritten(context, joint, number, state, escaped)
        at_ = context.side(number, joint.with_state(number, state))
        at_.state = answered(at_, old, f"{joint.moment}")
        if zeroing is not None and number == zeroing.by:
            _zero(at_, result(joint.moment, old.name, width), zeroing.size)
        states.append(at_.state)
    history = (*joint.history, Answered(joint.moment, old.name, old.target))
    path = joint.path
    if allocates:
        # Allocated memory is not a local of this function.
        path = path.with_(_is_elsewhere(context, made))
    if fails_with_null(old.name, len(old.arguments)):
        path = path.with_(no_error(made, width))
    if old.name in TAKES_LOCK and old.arguments:
        # It has dereferenced the pointer.
        none = v.truth(v.below(old.arguments[0].value, PAGE, width))
        path = path.with_(z3.simplify(z3.Not(none)))
    return continued(
        joint, states, escaped=escaped, shown=shown, history=history, path=path
    )


@dataclass(frozen=True)
class _Zeroing:
    """Calls that allocate ``size`` bytes, which only the one of side ``by`` zeroes.

    ``flags`` is the number of the argument that says so, from 1.
    """

    flags: int
    size: int
    by: int


def _zeroed_by_one(old: Call, new: Call) -> _Zeroing | None:
    of = allocator(old.name, len(old.arguments))
    if of is None or of.size is None or of.flags is None:
        return None
    size = old.arguments[of.size].value
    was, now = (each.arguments[of.flags].value for each in (old, new))
    if not (isinstance(was, int) and isinstance(now, int) and isinstance(size, int)):
        return None
    if was ^ now != ZERO or size > PAGE:
        return None
    return _Zeroing(of.flags + 1, size, 1 if now & ZERO else 0)


def _zero(side: Side, start: Word, size: int) -> None:
    """Store zeros in allocated memory, in words as memset() does. Raises ForkNeeded."""
    width = side.code.terms.width
    if side.decided(v.equal(start, 0, width)):
        return
    at = 0
    for word in (WORD, 4, 2, 1):
        while at + word <= size:
            side.store(v.add(start, at, width), 0, word)
            at += word


def _is_elsewhere(context: Context, address: z3.BitVecRef) -> z3.BoolRef:
    """The condition that an address is not on the stack."""
    stack = context.codes[0].arch.layout.stack
    return z3.Or(z3.ULT(address, stack.start), z3.UGE(address, stack.stop))


def _words(
    was: Argument, now: Argument, width: int
) -> Iterator[tuple[Word, Word, int]]:
    """Both sides of an argument word by word: a struct passed by value may hold addresses."""
    bits = 8 * was.kind.size
    for low in range(0, bits, width):
        size = min(width, bits - low)
        one, other = (
            v.plain(v.extract(each.value, low + size - 1, low)) for each in (was, now)
        )
        yield one, other, size


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
        stack = rewritten(context.codes[0].terms, state, at, pair.size, name)
        state = replace(state, stack=stack)
    return state


def _local(comparison: Comparison, was: Word, now: Word) -> Pair | None:
    """The local that a word points to, None if it does not point to one."""
    if not isinstance(was, int) or not isinstance(now, int):
        return None
    if comparison.locals_.get(was) != now:
        return None
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
    return [
        extent(comparison, (old, new))
        for old, new in list(comparison.locals_.items())
        if any(
            _holds(state.heap, at)
            for state, at in zip(comparison.joint.states, (old, new), strict=True)
        )
    ]


def _holds(heap: Heap, address: int) -> bool:
    return any(
        write.value == address for write in heap.writes if isinstance(write.value, int)
    )
