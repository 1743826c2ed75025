# SPDX-License-Identifier: GPL-2.0
"""Guess bounds and conditions on the words that grow in a loop, and keep those that are invariant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import z3

from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.compare_words import variables
from hotcocci.proof.symbolic.loops import (
    HALF,
    WHOLE,
    Bound,
    Claim,
    Loop,
    identity,
    poisoned,
)
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Path, UnsupportedError
from hotcocci.proof.symbolic.values import Word

# Limits on the bounds and other conditions that are tried for one loop.
BOUNDS, CLAIMS = 64, 32


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
