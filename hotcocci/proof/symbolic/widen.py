# SPDX-License-Identifier: GPL-2.0
"""Turns of a loop as one moment: what grows from turn to turn grows by an unknown number.

Two moments at the same place differ in words. Where a word grew by a number, all that grew did so
together: an index by one, a pointer by four. Other words that differ may be anything, the same
on both sides where they were the same. A word that grows may have a bound: one that stays, which
no turn takes it beyond. A moment that is of this form again is not gone on from:
that is the induction. What is forgotten only adds paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import gcd
from typing import NamedTuple

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import Registers
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.memory import Written
from hotcocci.proof.symbolic.same import variables
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import (
    Path,
    State,
    UnsupportedError,
    windows,
    with_windows,
)
from hotcocci.proof.symbolic.values import Word

# How often one place may be put together anew.
ATTEMPTS = 8
# Names of variables that nobody wrote stay what they are: same.py.
POISON = "poison "
# Ways into a loop that are told apart by what is known there.
ENTRIES = 6
# Bounds, and conditions of other kinds, that are tried at one place.
BOUNDS, CLAIMS = 64, 32
# Bits of the largest word, and of a number that is kept in the lower half of one.
WHOLE, HALF = 64, 32


@dataclass(frozen=True)
class Words:
    """The words of one side in an order of their places, and the places."""

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    shape: tuple[object, ...]


@dataclass(frozen=True)
class Grows:
    """A word grows by ``step`` for each turn; ``half`` tells that its upper half is zero."""

    step: int
    half: bool = False


class Bound(NamedTuple):
    """The word numbered ``grows`` does not go beyond the one numbered ``stays``; with ``strict`` not even there."""

    grows: int
    stays: int
    strict: bool


class Claim(NamedTuple):
    """A condition on the word numbered ``grows``, as it was when the loop began."""

    grows: int
    condition: z3.BoolRef


@dataclass(frozen=True)
class Loop:
    """A place where paths come by: the words there, and how they grow.

    ``grows`` has the words that do. ``free`` has a name for each that may be anything: words of one
    name are equal. ``reference`` is a word that grows by one a turn, -1 if none grows. ``bounds``
    are what words that grow do not go beyond, ``claims`` what holds of them in each turn.
    """

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    conditions: tuple[z3.BoolRef, ...]
    claims: tuple[Claim, ...] = ()
    grows: Mapping[int, Grows] = field(default_factory=dict)
    free: Mapping[int, str] = field(default_factory=dict)
    reference: int = -1
    bounds: tuple[Bound, ...] = ()
    attempts: int = 0


def words(state: State, known: Registers) -> Words:
    """The words of a state: registers, what the stack holds, the window."""
    values: list[Word] = list(state.registers.values())
    widths = [known.bits(register) for register in state.registers]
    pieces: dict[tuple[int, int], int] = {}
    layout = []
    for at, byte in state.stack.items():
        piece = (at - byte.index, byte.size)
        if piece not in pieces:
            pieces[piece] = len(values)
            values.append(byte.value)
            widths.append(8 * byte.size)
        layout.append((at, piece))
    for window in windows(state):
        if window is not None:
            values += [window.start, window.length]
            widths += [known.width, known.width]
    shape = (
        state.pc,
        tuple(state.registers),
        tuple(layout),
        tuple(window and window.directions for window in windows(state)),
        state.open,
        state.inside,
        state.faulted,
        state.touched,
    )
    return Words(tuple(values), tuple(widths), shape)


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
        made = _kept(known, solver, values, joint.path)
        if (made.bounds, made.claims) == (known.bounds, known.claims):
            return None
    elif known.attempts >= ATTEMPTS:
        return joint
    else:
        made = _together(known, values, joint.path)
        made = _kept(made, solver, values, joint.path)
    several[number] = made
    fresh = _values(made)
    path = Path()
    bounds = [_bounded(made, each, fresh) for each in made.bounds]
    claims = [_claimed(made, each, fresh) for each in made.claims]
    for condition in (*made.conditions, *bounds, *claims):
        path = path.with_(condition)
    count = len(both[0].values)
    states = (
        _rebuilt(joint.states[0], fresh[:count]),
        _rebuilt(joint.states[1], fresh[count:]),
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
    turns = _turns(known, values)
    grows: dict[int, Grows] = {}
    free: dict[int, str] = {}
    names: dict[tuple[object, ...], str] = {}
    for n, (was, now, width) in enumerate(
        zip(known.values, values, known.widths, strict=True)
    ):
        if n not in known.free:
            growth = known.grows.get(n)
            if growth is None and _same(was, now):
                continue
            step = _growth(was, now, width) if first else growth
            if step is not None and (
                first or _same(_grown(was, step, turns, width), now)
            ):
                grows[n] = step
                continue
        before = known.free.get(n) or (_id(was), known.grows.get(n))
        prefix = _poison(was) if _poison(was) == _poison(now) else ""
        key = (before, _id(now), prefix, width)
        free[n] = names.setdefault(
            key, f"{prefix}cut any {known.attempts} {len(names)} {width}"
        )
    kept = {each.get_id() for each in path.conditions}
    conditions = tuple(c for c in known.conditions if c.get_id() in kept)
    made = replace(known, conditions=conditions, free=free, attempts=known.attempts + 1)
    if not first:
        bounds = (b for b in known.bounds if b.grows in grows and b.stays not in free)
        claims = (c for c in known.claims if c.grows in grows)
        return replace(made, grows=grows, bounds=tuple(bounds), claims=tuple(claims))
    made = _in_turns(made, grows)
    # What holds at the entry may do so of the words as they are in each turn.
    found = islice(_claims(replace(made, conditions=known.conditions)), CLAIMS)
    return replace(made, bounds=tuple(_limits(made)), claims=tuple(found))


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


def _limits(loop: Loop) -> Iterator[Bound]:
    """Words that grow, each with those that might be the last that it comes to."""
    growing = {
        (_id(loop.values[n]), each): n
        for n, each in loop.grows.items()
        if loop.widths[n] >= HALF
    }
    staying = {
        _id(value): n
        for n, value in enumerate(loop.values)
        if n not in loop.grows and n not in loop.free
        if not isinstance(value, int) and not _poison(value)
    }
    pairs = [
        (n, m)
        for n in growing.values()
        for m in staying.values()
        if loop.widths[n] == loop.widths[m]
    ]
    for n, m in pairs[:BOUNDS]:
        start, last = loop.values[n], loop.values[m]
        distance = v.plain(v.subtract(last, start, loop.widths[n]))
        # What lies elsewhere is no bound.
        if not set(variables(start)) & set(variables(distance)):
            yield Bound(n, m, True)
            yield Bound(n, m, False)


def _claims(loop: Loop) -> Iterator[Claim]:
    """What was known of words that grow, before they grew."""
    growing = {_id(loop.values[n]): n for n in loop.grows}
    for n in growing.values():
        start = loop.values[n]
        if isinstance(start, int):
            continue
        mine = set(variables(start))
        for condition in loop.conditions:
            if set(variables(condition)) == mine:
                yield Claim(n, condition)


def _kept(loop: Loop, solver: Solver, values: tuple[Word, ...], path: Path) -> Loop:
    """The loop with those bounds and claims that hold at a moment."""

    def holds(condition: z3.BoolRef) -> bool:
        try:
            return not solver.possible(path, v.settled(z3.Not(condition)))
        except UnsupportedError:
            # z3 gave up: it is no more than not known.
            return False

    bounds: list[Bound] = []
    for bound in loop.bounds:
        # What is below is not beyond either.
        below = bounds and bounds[-1] == bound._replace(strict=True)
        if not below and holds(_bounded(loop, bound, values)):
            bounds.append(bound)
    claims = [c for c in loop.claims if holds(_claimed(loop, c, values))]
    return replace(loop, bounds=tuple(bounds), claims=tuple(claims))


def _bounded(loop: Loop, bound: Bound, values: tuple[Word, ...]) -> z3.BoolRef:
    """That a word is within its bound: as far from where it began at most."""
    n, m, strict = bound
    growth = loop.grows[n]
    width = HALF if growth.half else loop.widths[n]
    start, now, last = (
        v.extract(each, width - 1, 0) for each in (loop.values[n], values[n], values[m])
    )
    if growth.step < 0:
        done, most = v.subtract(start, now, width), v.subtract(start, last, width)
    else:
        done, most = v.subtract(now, start, width), v.subtract(last, start, width)
    if strict:
        return v.truth(v.below(done, most, width))
    return v.truth(v.negation(v.below(most, done, width)))


def _claimed(loop: Loop, claim: Claim, values: tuple[Word, ...]) -> z3.BoolRef:
    """A claim of the words at a moment."""
    n = claim.grows
    start, now = loop.values[n], values[n]
    assert not isinstance(start, int), "a claim is made of what is not known"
    return z3.substitute(claim.condition, (start, v.term(now, start.size())))


def _id(value: Word) -> tuple[bool, int]:
    return (True, value) if isinstance(value, int) else (False, value.get_id())


def _growth(was: Word, now: Word, width: int) -> Grows | None:
    """By what number a word grew, None if by none."""
    if isinstance(was, int) and isinstance(now, int):
        return Grows(v.signed(now - was, width))
    grown = v.plain(v.subtract(now, was, width))
    if isinstance(grown, int):
        return Grows(v.signed(grown, width))
    if width == WHOLE and _is_half(was) and _is_half(now):
        half = _growth(v.extract(was, HALF - 1, 0), v.extract(now, HALF - 1, 0), HALF)
        return half and replace(half, half=True)
    return None


def _is_half(value: Word) -> bool:
    upper = v.plain(v.extract(value, WHOLE - 1, HALF))
    return isinstance(upper, int) and upper == 0


def _turns(loop: Loop, values: tuple[Word, ...]) -> Word:
    """How often a loop was gone through, told by the word that grows by one."""
    n = loop.reference
    if n < 0:
        return 0
    width = HALF if loop.grows[n].half else loop.widths[n]
    now, was = (v.extract(each[n], width - 1, 0) for each in (values, loop.values))
    turns = v.plain(v.subtract(now, was, width))
    return v.zero_extended(turns, width, WHOLE) if width < WHOLE else turns


def _values(loop: Loop) -> tuple[Word, ...]:
    """The words of any turn."""
    turns = v.unknown("cut turns", WHOLE)
    found = []
    for n, (value, width) in enumerate(zip(loop.values, loop.widths, strict=True)):
        if n in loop.free:
            found.append(v.unknown(loop.free[n], width))
        elif n in loop.grows:
            found.append(_grown(value, loop.grows[n], turns, width))
        else:
            found.append(value)
    return tuple(found)


def _poison(value: Word) -> str:
    """How the name of a word begins that nobody wrote, empty for another."""
    if not isinstance(value, int) and z3.is_const(value):
        name = str(value.decl().name())
        if name.startswith(POISON):
            return " ".join(name.split()[:2]) + " "
    return ""


def _grown(value: Word, growth: Grows, turns: Word, width: int) -> Word:
    if growth.half:
        low = v.extract(value, HALF - 1, 0)
        found = _grown(low, replace(growth, half=False), turns, HALF)
        return v.zero_extended(found, HALF, WHOLE)
    part = v.extract(turns, width - 1, 0) if width < WHOLE else turns
    return v.add(value, v.plain(v.term(part, width) * growth.step), width)


def _holds(loop: Loop, values: tuple[Word, ...], path: Path) -> bool:
    """Whether a moment is one of a loop's turns, but for its bounds."""
    kept = {each.get_id() for each in path.conditions}
    if any(each.get_id() not in kept for each in loop.conditions):
        return False
    turns = _turns(loop, values)
    bound: dict[str, Word] = {}
    for n, (value, now, width) in enumerate(
        zip(loop.values, values, loop.widths, strict=True)
    ):
        name = loop.free.get(n)
        if name is not None:
            if name.startswith(POISON) and not _poison(now):
                return False
            if not _same(bound.setdefault(name, now), now):
                return False
        elif n in loop.grows:
            if not _same(_grown(value, loop.grows[n], turns, width), now):
                return False
        elif not _same(value, now):
            return False
    return True


def _same(one: Word, other: Word) -> bool:
    one, other = v.plain(one), v.plain(other)
    if isinstance(one, int) or isinstance(other, int):
        return isinstance(one, int) and isinstance(other, int) and one == other
    if one.eq(other):
        return True
    return v.plain(one - other) == 0 if one.size() == other.size() else False


def _rebuilt(state: State, fresh: tuple[Word, ...]) -> State:
    """A state with other words."""
    registers = dict(zip(state.registers, fresh, strict=False))
    pieces: dict[tuple[int, int], Word] = {}
    rest = list(fresh[len(registers) :])
    stack = {}
    for at, byte in state.stack.items():
        piece = (at - byte.index, byte.size)
        if piece not in pieces:
            pieces[piece] = rest.pop(0)
        stack[at] = Written(pieces[piece], byte.size, byte.index)
    made = [
        window and replace(window, start=rest.pop(0), length=rest.pop(0))
        for window in windows(state)
    ]
    return replace(
        with_windows(state, made), registers=registers, stack=stack, forks={}
    )
