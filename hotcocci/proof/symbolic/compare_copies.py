# SPDX-License-Identifier: GPL-2.0
"""Compare a whole copy routine on both sides, or step into routines that do not match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import z3

from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic import user
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import with_registers
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
    arch, width, loads = context.arch, context.width, old.loads
    # The user's end comes first.
    ends = (old.source, new.source), (old.target, new.target)
    ends = ends if loads else ends[::-1]
    try:
        if (old.name, loads) != (new.name, new.loads):
            raise Different("another routine")
        comparison.require(old.size, new.size, width, "the size")
        for one, other in ends:
            comparison.require(one, other, width, "an end")
    except Different:
        return [entered(context, joint)]
    moved = _moved(comparison, old, ends[1], loads)
    if moved is None:
        return [entered(context, joint)]
    for reached, state in zip(context.reached, joint.states, strict=True):
        reached.add(state.site)
    unknown = z3.BitVec(f"copied {joint.moment}", width)
    left = v.term(user.counted(arch, old.name, unknown), width)
    path = joint.path.with_(z3.simplify(z3.ULE(left, v.term(old.size, width))))
    call = Call(old.name, (), None, Value(width // 8), True)
    states = []
    for number in range(len(moved)):
        side = context.side(number, replace(joint, states=moved))
        after = answered(side, call, f"{joint.moment}")
        states.append(with_registers(after, {arch.registers.results[0]: left}))
    history = joint.history
    if loads and isinstance(old.size, int) and old.size <= COPIED:
        data = _fetched(joint, old.size)
        fetched = (Made(v.add(old.source, n, width), s, word) for n, s, word in data)
        history = (*history, *fetched)
    return [continued(joint, states, path=path, history=history)]


def _fetched(joint: Joint, size: int) -> Iterator[tuple[int, int, Word]]:
    """The data that a copy has read from user memory: offsets, sizes and words."""
    for n, length in v.pieces(size):
        yield n, length, v.unknown(f"copied {joint.moment} {n:#x}", 8 * length)


WITHIN = "a copy of unknown size stays within its stack variable"
# Largest copy that is compared and set word by word, in bytes.
COPIED = 4096


def _moved(
    comparison: Comparison, routine: Routine, kernel: tuple[Word, Word], loads: bool
) -> tuple[State, State] | None:
    """Memory of both sides after the same copy; None to step into it instead."""
    context, joint = comparison.context, comparison.joint
    size = routine.size
    places = [context.terms.place(each) for each in kernel]
    local = [context.side(n, joint).is_local(place) for n, place in enumerate(places)]
    if local[0] != local[1]:
        return None
    if local[0]:
        return _with_local(
            comparison, size, (places[0].offset, places[1].offset), loads
        )
    known = isinstance(size, int) and size <= COPIED
    if not (known and loads):
        require_heaps(comparison)
    made = []
    for number, state in enumerate(joint.states):
        if not loads:
            made.append(state)
        elif known:
            assert isinstance(size, int)
            side = context.side(number, joint)
            for n, length, word in _fetched(joint, size):
                side.store(side.after(kernel[number], n), word, length)
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
    terms, name = context.terms, f"copied {joint.moment}"
    old, new = (
        rewritten(terms, state, at, pair.size, name)
        for state, at in zip(joint.states, ends, strict=True)
    )
    return old, new
