# SPDX-License-Identifier: GPL-2.0
"""Describe a loop by the words of both sides at its head: how they grow, and which bounds are invariant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import z3

from hotcocci.machine.code import signed
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.proof.symbolic.joint import variables
from hotcocci.proof.symbolic.memory import Order, Written
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import (
    Path,
    State,
    UnsupportedError,
    windows,
    with_windows,
)
from hotcocci.proof.symbolic.values import Word

# Width in bits of a whole word, and of a number kept in its lower half.
WHOLE, HALF = 64, 32
# Limits on the bounds and other conditions that are tried for one loop.
BOUNDS, CLAIMS = 64, 32


@dataclass(frozen=True)
class Words:
    """The words of one side in order of their locations, with widths in bits; ``shape`` is the rest."""

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    shape: tuple[object, ...]


@dataclass(frozen=True)
class Grows:
    """A word grows by ``step`` per iteration; with ``half`` its upper half is zero."""

    step: int
    half: bool = False


class Bound(NamedTuple):
    """The word ``grows`` does not pass the word ``stays``; with ``strict`` it does not reach it."""

    grows: int
    stays: int
    strict: bool


class Claim(NamedTuple):
    """A condition on the word ``grows``, expressed in its value at loop entry."""

    grows: int
    condition: z3.BoolRef


@dataclass(frozen=True)
class Loop:
    """A loop head: its words at entry, and how they grow.

    ``free`` names words that may have any value; words with the same name are equal, but for what
    ``apart`` adds. ``reference``
    is a word that grows by one per iteration, -1 if none does. ``bounds`` and ``claims`` hold in
    each iteration.
    """

    values: tuple[Word, ...]
    widths: tuple[int, ...]
    conditions: tuple[z3.BoolRef, ...]
    claims: tuple[Claim, ...] = ()
    grows: Mapping[int, Grows] = field(default_factory=dict)
    free: Mapping[int, str] = field(default_factory=dict)
    apart: Mapping[int, int] = field(default_factory=dict)
    reference: int = -1
    bounds: tuple[Bound, ...] = ()
    attempts: int = 0


def words(state: State, arch: Architecture) -> Words:
    """The words of a state: registers, stack contents, windows."""
    known = arch.registers
    values: list[Word] = list(state.registers.values())
    widths = [known.bits(register) for register in state.registers]
    pieces: dict[tuple[int, int], int] = {}
    layout = []
    for at, byte in state.stack.items():
        piece = byte.start(at, arch.layout.order), byte.size
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
        tuple(w and (w.directions, w.refused) for w in windows(state)),
        state.open,
        state.inside,
        state.faulted,
        state.touched,
        state.checked,
    )
    return Words(tuple(values), tuple(widths), shape)


def rebuilt(state: State, fresh: tuple[Word, ...], order: Order) -> State:
    """The state with other words."""
    registers = dict(zip(state.registers, fresh, strict=False))
    pieces: dict[tuple[int, int], Word] = {}
    rest = list(fresh[len(registers) :])
    stack = {}
    for at, byte in state.stack.items():
        piece = byte.start(at, order), byte.size
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


def growth_of(was: Word, now: Word, width: int) -> Grows | None:
    """How a word grew, None if not by a constant."""
    if isinstance(was, int) and isinstance(now, int):
        return Grows(signed(now - was, width))
    grown = v.plain(v.subtract(now, was, width))
    if isinstance(grown, int):
        return Grows(signed(grown, width))
    if width == WHOLE and _is_half(was) and _is_half(now):
        half = growth_of(v.extract(was, HALF - 1, 0), v.extract(now, HALF - 1, 0), HALF)
        return half and replace(half, half=True)
    return None


def _is_half(value: Word) -> bool:
    upper = v.plain(v.extract(value, WHOLE - 1, HALF))
    return isinstance(upper, int) and upper == 0


def turns_of(loop: Loop, values: tuple[Word, ...]) -> Word:
    """The number of iterations, derived from the reference word; 0 without one."""
    n = loop.reference
    if n < 0:
        return 0
    width = HALF if loop.grows[n].half else loop.widths[n]
    now, was = (v.extract(each[n], width - 1, 0) for each in (values, loop.values))
    turns = v.plain(v.subtract(now, was, width))
    return v.zero_extended(turns, width, WHOLE) if width < WHOLE else turns


def grown(value: Word, growth: Grows, turns: Word, width: int) -> Word:
    """A word after a number of iterations."""
    if growth.half:
        low = v.extract(value, HALF - 1, 0)
        found = grown(low, replace(growth, half=False), turns, HALF)
        return v.zero_extended(found, HALF, WHOLE)
    part = v.extract(turns, width - 1, 0) if width < WHOLE else turns
    return v.add(value, v.plain(v.term(part, width) * growth.step), width)


def same(one: Word, other: Word) -> bool:
    """Whether two words are equal, without asking z3."""
    one, other = v.plain(one), v.plain(other)
    if isinstance(one, int) or isinstance(other, int):
        return isinstance(one, int) and isinstance(other, int) and one == other
    if one.eq(other):
        return True
    return v.plain(one - other) == 0 if one.size() == other.size() else False


def split(value: Word) -> tuple[Word, int]:
    """A word without the constant that is added to it, and that; 0 if nothing else is there."""
    value = v.plain(value)
    if isinstance(value, int) or not z3.is_app_of(value, z3.Z3_OP_BADD):
        return value, 0
    first, *rest = value.children()
    if not z3.is_bv_value(first):
        return value, 0
    return v.plain(z3.Sum(rest)), first.as_long()


def identity(value: Word) -> tuple[bool, int]:
    """A key that is equal for identical words."""
    return (True, value) if isinstance(value, int) else (False, value.get_id())


def poisoned(value: Word) -> str:
    """The prefix of an uninitialised word's name, empty for others."""
    if not isinstance(value, int) and z3.is_const(value):
        name = str(value.decl().name())
        if name.startswith(v.POISON):
            return " ".join(name.split()[:2]) + " "
    return ""


def limits(loop: Loop) -> Iterator[Bound]:
    """Candidate bounds: each growing word with each word that stays the same."""
    growing = {
        (identity(loop.values[n]), each): n
        for n, each in loop.grows.items()
        if loop.widths[n] >= HALF
    }
    staying = {
        identity(value): n
        for n, value in enumerate(loop.values)
        if n not in loop.grows and n not in loop.free
        if not isinstance(value, int) and not poisoned(value)
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
        # Words of another object are no bound.
        if not set(variables(start)) & set(variables(distance)):
            yield Bound(n, m, True)
            yield Bound(n, m, False)


def claims_of(loop: Loop, top: int) -> Iterator[Claim]:
    """Candidate claims: conditions on growing words that held before the loop, and user space below ``top``.

    A pointer that each iteration accesses user memory with stays there, as it cannot step over the hole.
    """
    return islice(_claims(loop, top), CLAIMS)


def _claims(loop: Loop, top: int) -> Iterator[Claim]:
    growing = {identity(loop.values[n]): n for n in loop.grows}
    for n in growing.values():
        start = loop.values[n]
        if isinstance(start, int):
            continue
        if start.size() == loop.widths[n] == WHOLE:
            yield Claim(n, z3.ULE(start, top))
        mine = set(variables(start))
        for condition in loop.conditions:
            if set(variables(condition)) == mine:
                yield Claim(n, condition)


def kept(loop: Loop, solver: Solver, values: tuple[Word, ...], path: Path) -> Loop:
    """The loop with only those bounds and claims that hold for these values on this path."""

    def holds(condition: z3.BoolRef) -> bool:
        try:
            return not solver.possible(path, v.settled(z3.Not(condition)))
        except UnsupportedError:
            # z3 gave up, so the condition is not known to hold.
            return False

    bounds: list[Bound] = []
    for bound in loop.bounds:
        # A strict bound implies the other one.
        below = bounds and bounds[-1] == bound._replace(strict=True)
        if not below and holds(bounded(loop, bound, values)):
            bounds.append(bound)
    claims = [c for c in loop.claims if holds(claimed(loop, c, values))]
    return replace(loop, bounds=tuple(bounds), claims=tuple(claims))


def bounded(loop: Loop, bound: Bound, values: tuple[Word, ...]) -> z3.BoolRef:
    """The condition that a word has moved no further from its start than its bound."""
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


def claimed(loop: Loop, claim: Claim, values: tuple[Word, ...]) -> z3.BoolRef:
    """The claim as a condition on the current values."""
    n = claim.grows
    start, now = loop.values[n], values[n]
    assert not isinstance(start, int), "a claim is made of what is not known"
    return z3.substitute(claim.condition, (start, v.term(now, start.size())))
