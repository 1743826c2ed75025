# SPDX-License-Identifier: GPL-2.0
"""What rewrites buy, as a table of text and as a line."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.findings import Count, Gain
from hotcocci.output.text import count

COUNTED = ("instructions", "calls", "switches", "fences")
LOADS = "loads"
UNKNOWN = "?"


def table(gains: Sequence[Gain]) -> list[str]:
    """A line for each function and target: what runs where nothing fails, and the bytes in all.

    Switches are opens and closes of user access; a question mark stands for what could not be told.
    """
    told = rows(gains)
    widths = [max(map(len, column)) for column in zip(*told, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in told]


def rows(gains: Sequence[Gain]) -> list[tuple[str, ...]]:
    """The cells of the table, beginning with its head; nothing where there are no gains.

    Loads are told of where a function makes fewer or more of them than before.
    """
    counted = (*COUNTED, LOADS) if any(map(_loads_change, gains)) else COUNTED
    head = ("function", "target", *counted, "bytes")
    return [head, *(_row(gain, counted) for gain in gains)] if gains else []


def summary(gains: Sequence[Gain]) -> list[str]:
    """A line for each target: the sums over all functions whose path could be told."""
    lines = []
    for target in dict.fromkeys(gain.target for gain in gains):
        own = [gain for gain in gains if gain.target == target]
        told = [(g.before.success, g.after.success) for g in own]
        known = [(b, a) for b, a in told if b is not None and a is not None]
        counted = (*COUNTED, LOADS) if any(map(_loads_change, own)) else COUNTED
        sums = ", ".join(
            f"{sum(getattr(b, name) for b, _ in known)} {name} become "
            f"{sum(getattr(a, name) for _, a in known)}"
            for name in counted
        )
        more = f"; {len(own) - len(known)} more could not be told"
        lines.append(
            f"where nothing fails on {target}, {count(len(known), 'function')}: {sums}"
            + (more if len(known) < len(own) else "")
        )
    return lines


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
