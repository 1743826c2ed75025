# SPDX-License-Identifier: GPL-2.0
"""Mutations that reorder statements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Unit, Way, neighbours

CALL = re.compile(r"\b(?!if\b|sizeof\b|return\b|while\b|for\b|switch\b)[a-z_]\w*\(")
ACCESS = re.compile(
    r"\b(?:unsafe_\w+_user|__?(?:get|put)_user|[gp][eu]t_user|copy_\w+_user)\("
)
# Move a statement over at most this many others.
FAR = 4


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield swapped neighbours, and calls or accesses moved over several others."""
    pairs = neighbours(lines)
    after = {a.start: b for a, b in pairs}
    for first, second in pairs:
        yield _swapped("order: neighbours", lines, [first, second], later=True)
    for first in [pair[0] for pair in pairs]:
        row = [first]
        while row[-1].start in after and len(row) <= FAR:
            row.append(after[row[-1].start])
            if len(row) > 2:
                if kind := _kind(first, row[1:]):
                    yield _swapped(kind, lines, row, later=True)
                if kind := _kind(row[-1], row[:-1]):
                    yield _swapped(kind, lines, row, later=False)


def _kind(moved: Unit, over: Sequence[Unit]) -> str:
    """Name the kind of a move; empty for an uninteresting one."""
    others = "\n".join(unit.text for unit in over)
    if ACCESS.search(moved.text) and CALL.search(ACCESS.sub("", others)):
        return "order: access over call"
    if CALL.search(moved.text) and ACCESS.search(others):
        return "order: call over access"
    return ""


def _swapped(kind: str, lines: Sequence[str], row: Sequence[Unit], later: bool) -> Way:
    """Move the first statement after the others, or the last one before them."""
    moved, kept = (row[0], row[1:]) if later else (row[-1], row[:-1])
    order = [*kept, moved] if later else [moved, *kept]
    texts = [line for unit in order for line in lines[unit.start : unit.end]]
    return Way(kind, row[0].start, row[-1].end, tuple(texts))
