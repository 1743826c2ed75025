# SPDX-License-Identifier: GPL-2.0
"""The gains of a patch as a small table for a commit message: before -> after, per target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hotcocci.findings import Count, Gain
from hotcocci.plural import count
from hotcocci.proof.worth import saved

# A field of Count and its column title.
INSTRUCTIONS = ("instructions", "instructions")
SWITCHES = ("switches", "opens/closes")
COLUMNS = (INSTRUCTIONS, SWITCHES, ("calls", "calls"), ("fences", "fences"))
LOADS = ("loads", "loads")
# Functions shown per target; the others are summed in one line.
SHOWN = 12
WIDTH = 75
NOTHING = Count(0, 0, 0, 0)

Sides = tuple[Count, Count]
Column = tuple[str, str]


def table(gains: Sequence[Gain]) -> list[str]:
    """Return lines of at most 75 columns: per target its functions, best first, and their sum.

    Counts are for the non-faulting path; functions whose path is unknown are listed below.
    """
    lines: list[str] = []
    for target in dict.fromkeys(gain.target for gain in gains):
        own = [gain for gain in gains if gain.target == target]
        lines += [*([""] if lines else []), *_of_target(target, own)]
    return lines


def totals(gains: Sequence[Gain]) -> list[str]:
    """Return a line per target: the sums over all functions whose path is known."""
    rows = []
    for target in dict.fromkeys(gain.target for gain in gains):
        known = [g for g in gains if g.target == target and _sides(g) is not None]
        if known:
            rows.append((f"{target}, {count(len(known), 'function')}", total(known)))
    return _laid_out("", rows, _columns([sides for _, sides in rows]))


def total(gains: Sequence[Gain]) -> Sides:
    """Return the sums before and after over all functions whose path is known."""
    before = after = NOTHING
    for gain in gains:
        sides = _sides(gain)
        if sides is not None:
            before, after = _sum(before, sides[0]), _sum(after, sides[1])
    return before, after


def _of_target(target: str, gains: Sequence[Gain]) -> list[str]:
    ordered = sorted(
        gains, key=lambda g: (-(saved(g.before, g.after) or 0), g.function)
    )
    known = [(g, sides) for g in ordered if (sides := _sides(g)) is not None]
    rows = [(f"{gain.function}()", sides) for gain, sides in known[:SHOWN]]
    rest = [gain for gain, _ in known[SHOWN:]]
    if rest:
        rows.append((f"{len(rest)} more", total(rest)))
    if len(known) > 1:
        rows.append(("total", total(gains)))
    unknown = [f"{gain.function}()" for gain in ordered if _sides(gain) is None]
    return [
        *_laid_out(target, rows, _columns([sides for _, sides in known])),
        *(f"{target}: not counted: {name}" for name in unknown),
    ]


def _columns(rows: Sequence[Sides]) -> list[Column]:
    """Return the columns with a figure; loads only if they change and no window is opened or closed."""
    columns = [
        c for c in COLUMNS if any(getattr(side, c[0]) for both in rows for side in both)
    ]
    if SWITCHES not in columns and any(b.loads != a.loads for b, a in rows):
        columns.append(LOADS)
    return columns


def _sides(gain: Gain) -> Sides | None:
    before, after = gain.before.success, gain.after.success
    return None if before is None or after is None else (before, after)


def _laid_out(
    head: str, rows: Sequence[tuple[str, Sides]], columns: Sequence[Column]
) -> list[str]:
    """Align the columns; a name that is too long gets a line of its own."""
    if not rows:
        return []
    cells = [[title for _, title in columns]]
    cells += [
        [_change(*(getattr(s, what) for s in both)) for what, _ in columns]
        for _, both in rows
    ]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = WIDTH - sum(width + 2 for width in widths)
    room = min(room, max(len(name) for name in (head, *(name for name, _ in rows))))
    lines = []
    for name, row in zip((head, *(name for name, _ in rows)), cells, strict=True):
        if len(name) > room:
            lines.append(name)
            name = ""
        figures = (
            cell.rjust(width + 2) for cell, width in zip(row, widths, strict=True)
        )
        lines.append(name.ljust(room) + "".join(figures))
    return lines


def _change(before: int, after: int) -> str:
    return str(before) if before == after else f"{before} -> {after}"


def _sum(one: Count, other: Count) -> Count:
    return replace(
        one,
        instructions=one.instructions + other.instructions,
        calls=one.calls + other.calls,
        switches=one.switches + other.switches,
        fences=one.fences + other.fences,
        loads=one.loads + other.loads,
    )
