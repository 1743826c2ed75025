# SPDX-License-Identifier: GPL-2.0
"""Widening: merge the iterations of a loop into one joint state.

Two joint states at the same place differ in some words. Words that grew by a constant grow
together, by a multiple of an unknown iteration count: an index by one, a pointer by four. Other
words that differ become free variables, equal where they were equal. A growing word may have a
bound: a word that stays the same and that no iteration passes. A joint state that fits this form
already is not followed again: that is the induction step. Dropping knowledge only adds paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import gcd

from hotcocci.proof.objects.image import Layout
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.loops import (
    WHOLE,
    Grows,
    Loop,
    Words,
    bounded,
    claimed,
    claims_of,
    grown,
    growth_of,
    identity,
    kept,
    limits,
    poisoned,
    rebuilt,
    same,
    split,
    turns_of,
)
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Path
from hotcocci.proof.symbolic.values import Word

# Limit on merging at one place.
ATTEMPTS = 8
# Limit on sets of conditions with which a loop is entered; more share the first.
ENTRIES = 6


def widened(
    loops: dict[tuple[object, ...], list[Loop]],
    solver: Solver,
    joint: Joint,
    rest: tuple[object, ...],
    words: Sequence[Words],
    layout: Layout,
) -> Joint | None:
    """Merge a joint state with earlier ones at the same place; None if these cover it.

    ``words`` are those of its states, in the order of Joint.all().
    """
    shape = (*(each.shape for each in words), rest)
    values = tuple(value for each in words for value in each.values)
    widths = tuple(width for each in words for width in each.widths)
    several = loops.setdefault(shape, [])
    place = hash(shape)
    number = _which(several, place, joint)
    joint = replace(joint, loops=_entered(joint.loops, place, number))
    if number == len(several):
        several.append(Loop(values, widths, joint.path.conditions))
        return joint
    known = several[number]
    if known.attempts and _holds(known, values, joint.path):
        made = kept(known, solver, values, joint.path)
        if (made.bounds, made.claims) == (known.bounds, known.claims):
            return None
    elif known.attempts >= ATTEMPTS:
        return joint
    else:
        made = _together(known, values, joint.path, layout.user_high)
        made = kept(made, solver, values, joint.path)
    several[number] = made
    fresh = _values(made)
    path = Path()
    bounds = [bounded(made, each, fresh) for each in made.bounds]
    claims = [claimed(made, each, fresh) for each in made.claims]
    for condition in (*made.conditions, *bounds, *claims):
        path = path.with_(condition)
    states = []
    for state, each in zip(joint.all(), words, strict=True):
        count = len(each.values)
        states.append(rebuilt(state, fresh[:count], layout.order))
        fresh = fresh[count:]
    return replace(joint, path=path).with_all(states)


def _entered(
    loops: Sequence[tuple[int, int]], place: int, number: int
) -> tuple[tuple[int, int], ...]:
    """The loops that a path is in, outermost first, after it has entered this one."""
    outer = next((n for n, each in enumerate(loops) if each[0] == place), len(loops))
    return (*loops[:outer], (place, number))


def _which(several: Sequence[Loop], place: int, joint: Joint) -> int:
    """The index of the loop that a joint state is an iteration of; a new one if entered otherwise."""
    inside = dict(joint.loops).get(place)
    if inside is not None:
        return inside
    kept = {each.get_id() for each in joint.path.conditions}
    for number, loop in enumerate(several):
        if all(each.get_id() in kept for each in loop.conditions):
            return number
    return len(several) if len(several) < ENTRIES else 0


def _together(known: Loop, values: tuple[Word, ...], path: Path, top: int) -> Loop:
    """Generalise a loop so that it covers another set of values."""
    first = known.attempts == 0
    turns = turns_of(known, values)
    grows: dict[int, Grows] = {}
    free: dict[int, str] = {}
    apart: dict[int, int] = {}
    names: dict[tuple[object, ...], tuple[str, int]] = {}
    # z3 reuses the ids of dead terms.
    alive: list[Word] = []
    for n, (was, now, width) in enumerate(
        zip(known.values, values, known.widths, strict=True)
    ):
        if n not in known.free:
            growth = known.grows.get(n)
            if growth is None and same(was, now):
                continue
            step = growth_of(was, now, width) if first else growth
            if step is not None and (
                first or same(grown(was, step, turns, width), now)
            ):
                grows[n] = step
                continue
        one, old = split(was)
        other, new = split(now)
        alive += [one, other]
        before: object = known.free.get(n)
        if before is None:
            before = identity(one), known.grows.get(n)
        else:
            old = known.apart.get(n, 0)
        prefix = poisoned(was) if poisoned(was) == poisoned(now) else ""
        # Words that stay a constant apart, such as a pointer and another to the next element, do so
        # whatever their value.
        moved = (new - old) & v.mask(width)
        key = (before, identity(other), moved, prefix, width)
        named = f"{prefix}cut any {known.attempts} {len(names)} {width}"
        free[n], start = names.setdefault(key, (named, new))
        apart[n] = (new - start) & v.mask(width)
    kept = {each.get_id() for each in path.conditions}
    conditions = tuple(c for c in known.conditions if c.get_id() in kept)
    made = replace(
        known,
        conditions=conditions,
        free=free,
        apart=apart,
        attempts=known.attempts + 1,
    )
    if not first and known.reference in free:
        # Without the reference, the iteration count of the others is unknown.
        for n in grows:
            free[n] = f"cut any {known.attempts} lost {n}"
        grows = {}
        made = replace(made, free=free, reference=-1)
    if not first:
        bounds = (b for b in known.bounds if b.grows in grows and b.stays not in free)
        claims = (c for c in known.claims if c.grows in grows)
        return replace(made, grows=grows, bounds=tuple(bounds), claims=tuple(claims))
    made = _in_turns(made, grows)
    # What holds at entry may hold for the growing words in each iteration.
    entered = replace(made, conditions=known.conditions)
    return replace(
        made, bounds=tuple(limits(made)), claims=tuple(claims_of(entered, top))
    )


def _in_turns(loop: Loop, grows: Mapping[int, Grows]) -> Loop:
    """Scale the steps to those of the word that grows least, which becomes the reference."""
    if not grows:
        return loop
    unit = gcd(*(each.step for each in grows.values()))
    least = [n for n, each in grows.items() if abs(each.step) == unit]
    # A word that grows in its lower half gives a narrower count.
    least.sort(key=lambda n: grows[n].half)
    if not least:
        return replace(loop, grows=grows)
    unit = grows[least[0]].step
    steps = {n: replace(each, step=each.step // unit) for n, each in grows.items()}
    return replace(loop, grows=steps, reference=least[0])


def _values(loop: Loop) -> tuple[Word, ...]:
    """The words in an arbitrary iteration."""
    turns = v.unknown("cut turns", WHOLE)
    found = []
    for n, (value, width) in enumerate(zip(loop.values, loop.widths, strict=True)):
        if n in loop.free:
            any_ = v.unknown(loop.free[n], width)
            found.append(v.plain(v.add(any_, loop.apart.get(n, 0), width)))
        elif n in loop.grows:
            found.append(grown(value, loop.grows[n], turns, width))
        else:
            found.append(value)
    return tuple(found)


def _holds(loop: Loop, values: tuple[Word, ...], path: Path) -> bool:
    """Whether values fit a loop, apart from its bounds and claims."""
    kept = {each.get_id() for each in path.conditions}
    if any(each.get_id() not in kept for each in loop.conditions):
        return False
    turns = turns_of(loop, values)
    bound: dict[str, Word] = {}
    for n, (value, now, width) in enumerate(
        zip(loop.values, values, loop.widths, strict=True)
    ):
        name = loop.free.get(n)
        if name is not None:
            if name.startswith(v.POISON) and not poisoned(now):
                return False
            start = v.subtract(now, loop.apart.get(n, 0), width)
            if not same(bound.setdefault(name, start), start):
                return False
        elif n in loop.grows:
            if not same(grown(value, loop.grows[n], turns, width), now):
                return False
        elif not same(value, now):
            return False
    return True
