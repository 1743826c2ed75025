# SPDX-License-Identifier: GPL-2.0
"""Turns of a loop as one moment: what grows from turn to turn grows by an unknown number.

Two moments at the same place differ in words. Where a word grew by a number, all that grew did so
together: an index by one, a pointer by four. Other words that differ may be anything, the same
on both sides where they were the same. A word that grows may have a bound: one that stays, which
no turn takes it beyond. A moment that is of this form again is not gone on from:
that is the induction. What is forgotten only adds paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import gcd


from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.bounds import bounded, claimed, claims_of, kept, limits
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.loops import (
    WHOLE,
    Grows,
    Loop,
    Words,
    grown,
    growth_of,
    identity,
    poisoned,
    rebuilt,
    same,
    turns_of,
)
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Path
from hotcocci.proof.symbolic.values import Word

# How often one place may be put together anew.
ATTEMPTS = 8
# A loop may be entered with this many sets of known conditions; more share the first.
ENTRIES = 6


def widened(
    loops: dict[tuple[object, ...], list[Loop]],
    solver: Solver,
    joint: Joint,
    around: tuple[object, ...],
    both: tuple[Words, Words],
) -> Joint | None:
    """The moment with what came before at the same place, None if that holds it already."""
    shape = (both[0].shape, both[1].shape, around)
    values = both[0].values + both[1].values
    widths = both[0].widths + both[1].widths
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
        made = _together(known, values, joint.path)
        made = kept(made, solver, values, joint.path)
    several[number] = made
    fresh = _values(made)
    path = Path()
    bounds = [bounded(made, each, fresh) for each in made.bounds]
    claims = [claimed(made, each, fresh) for each in made.claims]
    for condition in (*made.conditions, *bounds, *claims):
        path = path.with_(condition)
    count = len(both[0].values)
    states = (
        rebuilt(joint.states[0], fresh[:count]),
        rebuilt(joint.states[1], fresh[count:]),
    )
    return replace(joint, states=states, path=path)


def _entered(
    loops: Sequence[tuple[int, int]], place: int, number: int
) -> tuple[tuple[int, int], ...]:
    """The loops that a path is in, from the outermost one, once it has come to this one."""
    outer = next((n for n, each in enumerate(loops) if each[0] == place), len(loops))
    return (*loops[:outer], (place, number))


def _which(several: Sequence[Loop], place: int, joint: Joint) -> int:
    """The number of the loop that a moment is a turn of; a new one where it was entered otherwise."""
    inside = dict(joint.loops).get(place)
    if inside is not None:
        return inside
    kept = {each.get_id() for each in joint.path.conditions}
    for number, loop in enumerate(several):
        if all(each.get_id() in kept for each in loop.conditions):
            return number
    return len(several) if len(several) < ENTRIES else 0


def _together(known: Loop, values: tuple[Word, ...], path: Path) -> Loop:
    """What two moments have in common."""
    first = known.attempts == 0
    turns = turns_of(known, values)
    grows: dict[int, Grows] = {}
    free: dict[int, str] = {}
    names: dict[tuple[object, ...], str] = {}
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
        before = known.free.get(n) or (identity(was), known.grows.get(n))
        prefix = poisoned(was) if poisoned(was) == poisoned(now) else ""
        key = (before, identity(now), prefix, width)
        free[n] = names.setdefault(
            key, f"{prefix}cut any {known.attempts} {len(names)} {width}"
        )
    kept = {each.get_id() for each in path.conditions}
    conditions = tuple(c for c in known.conditions if c.get_id() in kept)
    made = replace(known, conditions=conditions, free=free, attempts=known.attempts + 1)
    if not first and known.reference in free:
        # Nothing tells any more how often the others grew.
        for n in grows:
            free[n] = f"cut any {known.attempts} lost {n}"
        grows = {}
        made = replace(made, free=free, reference=-1)
    if not first:
        bounds = (b for b in known.bounds if b.grows in grows and b.stays not in free)
        claims = (c for c in known.claims if c.grows in grows)
        return replace(made, grows=grows, bounds=tuple(bounds), claims=tuple(claims))
    made = _in_turns(made, grows)
    # What holds at the entry may do so of the words as they are in each turn.
    entered = replace(made, conditions=known.conditions)
    return replace(made, bounds=tuple(limits(made)), claims=tuple(claims_of(entered)))


def _in_turns(loop: Loop, grows: Mapping[int, Grows]) -> Loop:
    """The loop with steps counted in those of the word that grows least."""
    if not grows:
        return loop
    unit = gcd(*(each.step for each in grows.values()))
    least = [n for n, each in grows.items() if abs(each.step) == unit]
    # What grows in a half tells less.
    least.sort(key=lambda n: grows[n].half)
    if not least:
        return replace(loop, grows=grows)
    unit = grows[least[0]].step
    steps = {n: replace(each, step=each.step // unit) for n, each in grows.items()}
    return replace(loop, grows=steps, reference=least[0])


def _values(loop: Loop) -> tuple[Word, ...]:
    """The words of any turn."""
    turns = v.unknown("cut turns", WHOLE)
    found = []
    for n, (value, width) in enumerate(zip(loop.values, loop.widths, strict=True)):
        if n in loop.free:
            found.append(v.unknown(loop.free[n], width))
        elif n in loop.grows:
            found.append(grown(value, loop.grows[n], turns, width))
        else:
            found.append(value)
    return tuple(found)


def _holds(loop: Loop, values: tuple[Word, ...], path: Path) -> bool:
    """Whether a moment is one of a loop's turns, but for its bounds."""
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
            if not same(bound.setdefault(name, now), now):
                return False
        elif n in loop.grows:
            if not same(grown(value, loop.grows[n], turns, width), now):
                return False
        elif not same(value, now):
            return False
    return True
