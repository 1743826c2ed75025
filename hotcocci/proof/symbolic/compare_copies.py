# SPDX-License-Identifier: GPL-2.0
"""Compare a whole copy routine on both sides, or step into routines that do not match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import z3

from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.calls import answered, back
from hotcocci.proof.symbolic.compare_memory import (
    extent,
    require_heaps,
    require_local,
    rewritten,
)
from hotcocci.proof.symbolic.joint import (
    Comparison,
    Context,
    Different,
    Joint,
    Made,
    Pair,
    continued,
    next_epoch,
)
from hotcocci.proof.symbolic.state import Call, Routine, State, UnsupportedError
from hotcocci.proof.symbolic.values import Word


def entered(context: Context, joint: Joint) -> Joint:
    """Step into the routines that are about to be entered."""
    for number, event in enumerate(joint.events):
        if isinstance(event, Routine):
            side = context.side(number, joint)
            state = user.entered(side.state, event.name, back(side))
            joint = joint.with_state(number, state).with_event(number, None)
    return joint


def match_routines(comparison: Comparison, old: Routine, new: Routine) -> list[Joint]:
    """Treat the same copy on both sides as one event; step into it otherwise."""
    context, joint = comparison.context, comparison.joint
    arch, terms = context.codes[0].arch, context.codes[0].terms
    loads = old.loads
    ends = (
        ((old.source, new.source), (old.target, new.target))
        if loads
        else ((old.target, new.target), (old.source, new.source))
    )
    try:
        if (old.name, loads) != (new.name, new.loads):
            raise Different("another routine")
        comparison.require(old.size, new.size, terms.width, "the size")
        for one, other in ends:
            comparison.require(one, other, terms.width, "an end")
    except Different:
        return [entered(context, joint)]
    moved = _moved(comparison, old, ends[1], loads)
    if moved is None:
        return [entered(context, joint)]
    for reached, state in zip(context.reached, joint.states, strict=True):
        reached.add(state.site)
    unknown = z3.BitVec(f"copied {joint.moment}", terms.width)
    left = v.term(user.counted(arch, old.name, unknown), terms.width)
    path = joint.path.with_(z3.simplify(z3.ULE(left, v.term(old.size, terms.width))))
    call = Call(old.name, (), None, Value(terms.width // 8), True)
    states = []
    for number in range(len(moved)):
        side = context.side(number, replace(joint, states=moved))
        after = answered(side, call, f"{joint.moment}")
        changes = {arch.registers.results[0]: left}
        states.append(replace(after, registers={**after.registers, **changes}))
    fetched = _fetched(joint, old, terms.width) if loads else ()
    return [continued(joint, states, path=path, history=(*joint.history, *fetched))]


def _fetched(joint: Joint, routine: Routine, width: int) -> Iterator[Made]:
    """The data that a copy has read from user memory, with the names that _moved() uses."""
    size = routine.size
    if not isinstance(size, int) or size > COPIED:
        return
    for n, length in v.pieces(size):
        word = v.unknown(f"copied {joint.moment} {n:#x}", 8 * length)
        yield Made(v.add(routine.source, n, width), length, word)


WITHIN = "a copy of unknown size stays within its stack variable"
# Largest copy that is compared and set word by word, in bytes.
COPIED = 4096


def _moved(
    comparison: Comparison, routine: Routine, kernel: tuple[Word, Word], loads: bool
) -> tuple[State, State] | None:
    """Memory of both sides after the same copy; None to step into it instead."""
    context, joint = comparison.context, comparison.joint
    size = routine.size
    terms = context.codes[0].terms
    places = [terms.place(each) for each in kernel]
    local = [context.side(n, joint).is_local(place) for n, place in enumerate(places)]
    if local[0] != local[1]:
        return None
    if local[0]:
        at, other = (place.offset % (1 << terms.width) for place in places)
        return _with_local(comparison, size, (at, other), loads)
    known = isinstance(size, int) and size <= COPIED
    old, new = joint.states
    if not (known and loads):
        require_heaps(comparison, old.heap, new.heap, False)
    made = []
    for number, state in enumerate(joint.states):
        if not loads:
            made.append(state)
        elif known:
            assert isinstance(size, int)
            side = context.side(number, joint)
            for n, length in v.pieces(size):
                word = v.unknown(f"copied {joint.moment} {n:#x}", 8 * length)
                side.store(v.add(kernel[number], n, terms.width), word, length)
            made.append(side.state)
        else:
            made.append(replace(state, heap=next_epoch(state.heap, False)))
    return made[0], made[1]


def _with_local(
    comparison: Comparison, size: Word, ends: tuple[int, int], loads: bool
) -> tuple[State, State] | None:
    """Memory after a copy from or to a local; None to step into it instead."""
    context, joint = comparison.context, comparison.joint
    if isinstance(size, int):
        pair = Pair(*ends, size)
    else:
        try:
            whole = extent(comparison, ends)
        except UnsupportedError:
            return None
        pair = Pair(*ends, whole.old + whole.size - ends[0])
        context.notes.add(WITHIN)
    if not (loads and isinstance(size, int)):
        try:
            require_local(comparison, pair)
        except Different:
            if not loads:
                raise
            # The rest of the variable, which is not overwritten, differs.
            return None
        context.leaks |= comparison.leaks
    if not loads:
        return joint.states
    terms, name = context.codes[0].terms, f"copied {joint.moment}"
    old, new = (
        replace(state, stack=rewritten(terms, state, at, pair.size, name))
        for state, at in zip(joint.states, ends, strict=True)
    )
    return old, new
