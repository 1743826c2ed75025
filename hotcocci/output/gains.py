# SPDX-License-Identifier: GPL-2.0
"""Print what rewrites save, as a text table and as a summary line."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.findings import Count, Gain, Saves
from hotcocci.plural import count
from hotcocci.saves import cycles, total

COUNTED = ("instructions", "calls", "switches", "fences")
LOADS = "loads"
WORDS = {"switches": "user access opened or closed:"}
OPENS = "opens/closes"
# Titles of columns
TITLES = {"switches": OPENS}
SAVED = "cycles saved"
UNKNOWN = "?"


def table(gains: Sequence[Gain]) -> list[str]:
    """Return a header and a line per function and target.

    Counts are for the non-faulting path, bytes for the whole function. Opens and
    closes are of user access. "?" marks a function whose path could not be determined.
    """
    cells = rows(gains)
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def rows(gains: Sequence[Gain]) -> list[tuple[str, ...]]:
    """Return the cells of the table, header first; empty without gains.

    There is a column for loads only if the number of loads changes in some function, and one for
    cycles only if they are modelled for some function.
    """
    counted = (*COUNTED, LOADS) if any(map(_loads_change, gains)) else COUNTED
    modelled = (SAVED,) if any(gain.saves for gain in gains) else ()
    titles = (TITLES.get(name, name) for name in counted)
    head = ("function", "target", *titles, "bytes", *modelled)
    found = [(*_row(gain, counted), saved(gain.saves)) for gain in gains]
    return [head, *(row[: len(head)] for row in found)] if gains else []


def summary(gains: Sequence[Gain]) -> list[str]:
    """One line per target: sums over all functions whose non-faulting path is known."""
    lines = []
    for target in dict.fromkeys(gain.target for gain in gains):
        own = [gain for gain in gains if gain.target == target]
        paths = [(g.before.success, g.after.success) for g in own]
        known = [(b, a) for b, a in paths if b is not None and a is not None]
        counted = (*COUNTED, LOADS) if any(map(_loads_change, own)) else COUNTED
        sums = ", ".join(
            f"{WORDS.get(name, name)} {sum(getattr(b, name) for b, _ in known)} -> "
            f"{sum(getattr(a, name) for _, a in known)}"
            for name in counted
        )
        more = f"; path unknown in {len(own) - len(known)} more"
        sizes = sum(g.before.size for g in own), sum(g.after.size for g in own)
        if sizes[0] != sizes[1]:
            sums += f", bytes {sizes[0]} -> {sizes[1]}"
        range_ = total(gain.cycles for gain in own)
        modelled = f", cycles saved {saved(range_)}" if range_ else ""
        lines.append(
            f"non-faulting path on {target}, {count(len(known), 'function')}: {sums}{modelled}"
            + (more if len(known) < len(own) else "")
        )
    return lines


def saved(saves: Saves | None) -> str:
    """A range of cycles as text: "12 to 45", "3", or "?"."""
    return UNKNOWN if saves is None else cycles(saves)


def _loads_change(gain: Gain) -> bool:
    before, after = gain.before.success, gain.after.success
    return before is not None and after is not None and before.loads != after.loads


def _row(gain: Gain, counted: Sequence[str]) -> tuple[str, ...]:
    before, after = gain.before.success, gain.after.success
    figures = (_change(_figure(before, name), _figure(after, name)) for name in counted)
    size = _change(str(gain.before.size), str(gain.after.size))
    return (gain.function, gain.target, *figures, size)


def _figure(count: Count | None, name: str) -> str:
    return UNKNOWN if count is None else str(getattr(count, name))


def _change(before: str, after: str) -> str:
    return before if before == after else f"{before} -> {after}"
