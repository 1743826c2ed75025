# SPDX-License-Identifier: GPL-2.0
"""Draw one to three mutations of a function from a seeded generator."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from mutants import constant, dropped, operand, order, path, stale, width, windows
from mutants.text import Way

GENERATORS = (order, operand, width, constant, path, dropped, stale, windows)
MOST = 3
# In this many draws of ten, mutate lines the rewrite wrote, not code around them.
NEAR = 7


@dataclass(frozen=True)
class Composed:
    """A broken function, and the mutations applied to it."""

    kinds: tuple[str, ...]
    lines: tuple[str, ...]

    @property
    def digest(self) -> str:
        """A short hash of its text."""
        return hashlib.sha256("\n".join(self.lines).encode()).hexdigest()[:8]


def compose(
    draw: random.Random, right: Sequence[str], before: Sequence[str]
) -> Composed | None:
    """Break a function; ``before`` is its text before the rewrite. None if no mutation applies."""
    old = set(before)
    lines = list(right)
    kinds: list[str] = []
    for _ in range(draw.choice((1, 1, 2, MOST))):
        way = _drawn(draw, ways(lines), lines, old)
        if way is not None:
            lines = way.applied(lines)
            kinds.append(way.kind)
    if not kinds or lines == list(right):
        return None
    return Composed(tuple(kinds), tuple(lines))


def ways(lines: Sequence[str]) -> list[Way]:
    """List all single mutations of a function."""
    found = [way for generator in GENERATORS for way in generator.ways(lines)]
    return [way for way in found if way.applied(lines) != list(lines)]


def _drawn(
    draw: random.Random, found: Sequence[Way], lines: Sequence[str], old: set[str]
) -> Way | None:
    """Draw a mutation: first a category, then a kind in it, each equally likely."""
    near = [w for w in found if not old.issuperset(lines[w.start : w.end])]
    chosen = near if near and draw.randrange(10) < NEAR else list(found)
    for part in (0, 1):
        names = sorted({_part(way, part) for way in chosen})
        if not names:
            return None
        name = draw.choice(names)
        chosen = [way for way in chosen if _part(way, part) == name]
    return draw.choice(chosen)


def _part(way: Way, part: int) -> str:
    return way.kind.split(":")[0] if part == 0 else way.kind
