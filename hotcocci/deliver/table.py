# SPDX-License-Identifier: GPL-2.0
"""The gains of a patch as a small table for a commit message: before -> after, per target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotcocci.findings import Gain, Saves
from hotcocci.output.gains import SAVED
from hotcocci.output.gains import saved as saved_text
from hotcocci.plural import count
from hotcocci.saves import total
from hotcocci.proof.worth import EXPENSIVE, saved

# A figure and its column title. All but the size are fields of Count.
INSTRUCTIONS = ("instructions", "instructions")
SWITCHES = ("switches", "opens/closes")
COLUMNS = (INSTRUCTIONS, SWITCHES, ("calls", "calls"), ("fences", "fences"))
LOADS = ("loads", "loads")
SIZE = ("size", "bytes")
ALL = (*COLUMNS, LOADS, SIZE)
# Functions shown per target; the others are summed in one line.
SHOWN = 12
WIDTH = 75

# Each figure before and after
Figures = Mapping[str, tuple[int, int]]
Column = tuple[str, str]


@dataclass(frozen=True)
class _Row:
    """A row of a table: a function or several, and the cycles saved where they are modelled."""

    name: str
    figures: Figures
    saves: Saves | None


def table(gains: Sequence[Gain]) -> list[str]:
    """Return lines of at most 75 columns: per target its functions, best first, and their sum.

    Counts are for the non-faulting path, bytes for the whole function; functions whose path is unknown
    are listed below.
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
        known = _known([gain for gain in gains if gain.target == target])
        if known:
            name = f"{target}, {count(len(known), 'function')}"
            own = [gain for gain in gains if gain.target == target]
            rows.append(_Row(name, _total(known), total(g.cycles for g in own)))
    return _laid_out("", rows)


def is_gain(gains: Sequence[Gain]) -> bool:
    """Whether the sums of a table show a gain on one of its targets.

    Instructions count first, with calls, opens and closes, and fences as `hotcocci.proof.worth` weighs
    them, then loads, then bytes.
    """
    for target in dict.fromkeys(gain.target for gain in gains):
        known = _known([gain for gain in gains if gain.target == target])
        fewer = {what: old - new for what, (old, new) in _total(known).items()}
        expensive = fewer["switches"] + fewer["calls"] + fewer["fences"]
        weighed = fewer["instructions"] + (EXPENSIVE - 1) * expensive
        if (weighed, fewer["loads"], fewer["size"]) > (0, 0, 0):
            return True
    return False


def _of_target(target: str, gains: Sequence[Gain]) -> list[str]:
    ordered = sorted(
        gains, key=lambda g: (-(saved(g.before, g.after) or 0), g.function)
    )
    known = [(g, figures) for g in ordered if (figures := _figures(g)) is not None]
    rows = [_Row(f"{g.function}()", figures, g.saves) for g, figures in known[:SHOWN]]
    rest = known[SHOWN:]
    if rest:
        rows.append(_sum(f"{len(rest)} more", rest))
    if len(known) > 1:
        rows.append(_sum("total", known))
    unknown = [f"{gain.function}()" for gain in ordered if _figures(gain) is None]
    return [
        *_laid_out(target, rows),
        *(f"{target}: not counted: {name}" for name in unknown),
    ]


def _sum(name: str, known: Sequence[tuple[Gain, Figures]]) -> _Row:
    """One row for several functions."""
    figures = _total([figures for _, figures in known])
    return _Row(name, figures, total(gain.cycles for gain, _ in known))


def _columns(rows: Sequence[Figures]) -> list[Column]:
    """Return the columns with a figure, and those of loads and bytes where they matter.

    They do if they got worse, or if nothing else changed. Loads also do if no window is opened or
    closed.
    """
    columns = [c for c in COLUMNS if any(n for row in rows for n in row[c[0]])]

    def changes(column: Column) -> bool:
        return any(row[column[0]][0] != row[column[0]][1] for row in rows)

    for column in (LOADS, SIZE):
        worse = any(row[column[0]][1] > row[column[0]][0] for row in rows)
        plain = column is LOADS and SWITCHES not in columns
        idle = not any(map(changes, columns))
        if worse or (changes(column) and (plain or idle)):
            columns.append(column)
    return columns


def _known(gains: Sequence[Gain]) -> list[Figures]:
    return [figures for gain in gains if (figures := _figures(gain)) is not None]


def _figures(gain: Gain) -> Figures | None:
    """The figures of a function, None if its path is unknown."""
    before, after = gain.before.success, gain.after.success
    if before is None or after is None:
        return None
    counts = {
        what: (int(getattr(before, what)), int(getattr(after, what)))
        for what, _ in ALL
        if what != SIZE[0]
    }
    return {**counts, SIZE[0]: (gain.before.size, gain.after.size)}


def _total(rows: Sequence[Figures]) -> Figures:
    return {
        what: (sum(row[what][0] for row in rows), sum(row[what][1] for row in rows))
        for what, _ in ALL
    }


def _laid_out(head: str, rows: Sequence[_Row]) -> list[str]:
    """Align the columns; a name that is too long gets a line of its own."""
    if not rows:
        return []
    columns = _columns([row.figures for row in rows])
    cells = [[title for _, title in columns]]
    cells += [[_change(*row.figures[what]) for what, _ in columns] for row in rows]
    if any(row.saves for row in rows):
        cells[0].append(SAVED)
        for shown, row in zip(cells[1:], rows, strict=True):
            shown.append(saved_text(row.saves))
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    room = WIDTH - sum(width + 2 for width in widths)
    names = [head, *(row.name for row in rows)]
    room = min(room, max(map(len, names)))
    lines = []
    for name, shown in zip(names, cells, strict=True):
        if len(name) > room:
            lines.append(name)
            name = ""
        figures = (
            cell.rjust(width + 2) for cell, width in zip(shown, widths, strict=True)
        )
        lines.append(name.ljust(room) + "".join(figures))
    return lines


def _change(before: int, after: int) -> str:
    return str(before) if before == after else f"{before} -> {after}"
