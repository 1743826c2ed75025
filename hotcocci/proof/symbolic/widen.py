# SPDX-License-Identifier: GPL-2.0
"""Turns of a loop as one moment: what grows from turn to turn grows by an unknown number.

Two moments at the same place differ in words. Where a word grew by a number, all that grew did so
together: an index by one, a pointer by four. Other words that differ may be anything, the same
on both sides where they were the same. A moment that is of this form again is not gone on from:
that is the induction. What is forgotten only adds paths.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import gcd

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import Registers
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.memory import Written
from hotcocci.proof.symbolic.state import Path, State
from hotcocci.proof.symbolic.values import Word

# How often one place may be put together anew.
ATTEMPTS = 6
# Bits of the number of turns.
TURNS = 64
# Names of variables that nobody wrote stay what they are: same.py.
POISON = "poison "


@dataclass(frozen=True)
class Words:
    """The words of one side in an order of their places, and the places."""

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    shape: tuple[object, ...]


@dataclass(frozen=True)
class Loop:
    """A place where paths come by: the words there, and how they grow.

    ``grows`` has a factor for each word, 0 for those that stay; ``free`` has a name for each that
    may be anything: words of one name are equal. ``reference`` is a word that grows by one turn,
    -1 if none grows.
    """

    values: tuple[Word, ...]
    conditions: tuple[z3.BoolRef, ...]
    grows: tuple[int, ...] = ()
    free: Mapping[int, str] = field(default_factory=dict)
    reference: int = -1
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
    window = state.window
    if window is not None:
        values += [window.start, window.length]
        widths += [known.width, known.width]
    shape = (
        state.pc,
        tuple(state.registers),
        tuple(layout),
        window and window.directions,
        state.open,
        state.inside,
        state.faulted,
        state.touched,
    )
    return Words(tuple(values), tuple(widths), shape)


def widened(
    loops: dict[tuple[object, ...], Loop],
    joint: Joint,
    around: tuple[object, ...],
    both: tuple[Words, Words],
) -> Joint | None:
    """The moment with what came before at the same place, None if that holds it already."""
    shape = (both[0].shape, both[1].shape, around)
    values = both[0].values + both[1].values
    widths = both[0].widths + both[1].widths
    known = loops.get(shape)
    if known is None:
        loops[shape] = Loop(values, joint.path.conditions)
        return joint
    if known.grows and _holds(known, values, widths, joint.path):
        return None
    if known.attempts >= ATTEMPTS:
        return joint
    made = _together(known, values, widths, joint.path)
    loops[shape] = made
    fresh = _values(made, widths)
    path = Path()
    for condition in made.conditions:
        path = path.with_(condition)
    count = len(both[0].values)
    states = (
        _rebuilt(joint.states[0], fresh[:count]),
        _rebuilt(joint.states[1], fresh[count:]),
    )
    return replace(joint, states=states, path=path)


def _together(
    known: Loop, values: tuple[Word, ...], widths: tuple[int, ...], path: Path
) -> Loop:
    """What two moments have in common."""
    first = known.attempts == 0
    growth: dict[int, int] = {}
    free: dict[int, str] = {}
    names: dict[tuple[object, ...], str] = {}
    for n, (was, now, width) in enumerate(
        zip(known.values, values, widths, strict=True)
    ):
        step = _growth(was, now, width)
        settled = n not in known.free and not (known.grows and known.grows[n])
        if settled and step == 0:
            continue
        if settled and first and step is not None:
            growth[n] = step
            continue
        before = known.free.get(n) or (_id(was), known.grows[n] if known.grows else 0)
        prefix = _poison(was) if _poison(was) == _poison(now) else ""
        key = (before, _id(now), prefix, width)
        free[n] = names.setdefault(
            key, f"{prefix}cut any {known.attempts} {len(names)} {width}"
        )
    unit = gcd(*growth.values()) if growth else 0
    reference = next((n for n, g in growth.items() if abs(g) == unit), -1)
    if reference >= 0 and growth[reference] < 0:
        unit = -unit
    kept = {each.get_id() for each in path.conditions}
    return Loop(
        known.values,
        tuple(c for c in known.conditions if c.get_id() in kept),
        tuple(growth[n] // unit if n in growth else 0 for n in range(len(values))),
        free,
        reference,
        known.attempts + 1,
    )


def _id(value: Word) -> tuple[bool, int]:
    return (True, value) if isinstance(value, int) else (False, value.get_id())


def _growth(was: Word, now: Word, width: int) -> int | None:
    """By what number a word grew, None if by none."""
    if isinstance(was, int) and isinstance(now, int):
        return v.signed(now - was, width)
    grown = v.plain(v.subtract(now, was, width))
    return v.signed(grown, width) if isinstance(grown, int) else None


def _values(loop: Loop, widths: tuple[int, ...]) -> tuple[Word, ...]:
    """The words of any turn."""
    turns = v.unknown("cut turns", TURNS)
    return tuple(
        v.unknown(loop.free[n], width)
        if n in loop.free
        else _grown(value, loop.grows[n], turns, TURNS, width)
        for n, (value, width) in enumerate(zip(loop.values, widths, strict=True))
    )


def _poison(value: Word) -> str:
    """How the name of a word begins that nobody wrote, empty for another."""
    if not isinstance(value, int) and z3.is_const(value):
        name = str(value.decl().name())
        if name.startswith(POISON):
            return " ".join(name.split()[:2]) + " "
    return ""


def _grown(value: Word, factor: int, turns: Word, bits: int, width: int) -> Word:
    """A word after so many turns, a number of ``bits``."""
    if not factor:
        return value
    part = v.extract(turns, width - 1, 0) if width < bits else turns
    return v.add(value, v.plain(v.term(part, width) * factor), width)


def _holds(
    loop: Loop, values: tuple[Word, ...], widths: tuple[int, ...], path: Path
) -> bool:
    """Whether a moment is one of a loop's turns."""
    kept = {each.get_id() for each in path.conditions}
    if any(each.get_id() not in kept for each in loop.conditions):
        return False
    turns: Word = 0
    bits = TURNS
    if loop.reference >= 0:
        n = loop.reference
        bits = widths[n]
        turns = v.plain(v.subtract(values[n], loop.values[n], widths[n]))
        # How many turns there were is known of as many bits as it has.
        if any(g and w > widths[n] for g, w in zip(loop.grows, widths, strict=True)):
            return False
    bound: dict[str, Word] = {}
    for n, (value, now, width) in enumerate(
        zip(loop.values, values, widths, strict=True)
    ):
        name = loop.free.get(n)
        if name is not None:
            if name.startswith(POISON) and not _poison(now):
                return False
            if not _same(bound.setdefault(name, now), now):
                return False
        elif not _same(_grown(value, loop.grows[n], turns, bits, width), now):
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
    window = state.window
    if window is not None:
        window = replace(window, start=rest[0], length=rest[1])
    return replace(state, registers=registers, stack=stack, window=window, forks={})
