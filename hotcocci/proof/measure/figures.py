# SPDX-License-Identifier: GPL-2.0
"""Compare the timed turns of both sides, in cycles and nanoseconds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from hotcocci.proof.measure.runner import Turn

TSC = "TSC"
CORE = "core"
# What the turns of one side took: the loop with the calls, and the loop alone.
_Side = tuple[list[float], list[float]]


@dataclass(frozen=True)
class Figure:
    """The minimum and median of all turns, and the quartiles as the spread."""

    least: float
    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Timing:
    """What one call takes before and after, and saves, with one stand-in and variant.

    The loop around the calls is subtracted. ``saved.least`` is the difference of the minima; the
    rest of it is of differences of turns that followed each other. Cycles are those of the core if
    the kernel permits a counter, else of the time stamp counter, as ``unit`` says; ``ratio`` is how
    many core cycles one of the latter was.
    """

    stand_in: str
    thunks: bool
    hardened: bool
    unit: str
    ratio: float
    before: Figure
    after: Figure
    saved: Figure
    before_ns: Figure
    after_ns: Figure
    saved_ns: Figure


@dataclass(frozen=True)
class Measured:
    """What was measured of one function, or why nothing was.

    ``holder`` is the function that was called: the function itself, or the one that it is inlined
    into. ``accesses`` are the changed user accesses of the path and of the function, before and
    after; ``calls`` are the calls answered by stubs, ``dropped`` the privileged instructions left
    out, both before and after; ``restored`` are the words of memory restored before each call.
    """

    unit: str
    function: str
    holder: str = ""
    why: str = ""
    accesses: tuple[int, int, int, int] = (0, 0, 0, 0)
    calls: tuple[int, int] = (0, 0)
    dropped: tuple[str, ...] = ()
    timings: tuple[Timing, ...] = ()


def timing(
    stand_in: str,
    thunks: bool,
    hardened: bool,
    old: Sequence[Turn],
    new: Sequence[Turn],
) -> Timing:
    """Summarise the turns of both sides, which alternated."""
    core = all(turn.core for turn in (*old, *new))
    cycles = [
        ([t.core for t in turns], [t.empty[2] for t in turns])
        if core
        else ([t.tsc for t in turns], [t.empty[0] for t in turns])
        for turns in (old, new)
    ]
    ns = [([t.ns for t in turns], [t.empty[1] for t in turns]) for turns in (old, new)]
    return Timing(
        stand_in,
        thunks,
        hardened,
        CORE if core else TSC,
        round(median(turn.ratio for turn in (*old, *new)), 2),
        *_three(*cycles),
        *_three(*ns),
    )


def _three(before: _Side, after: _Side) -> tuple[Figure, Figure, Figure]:
    first, second = _least(before), _least(after)
    old, new = _net(before), _net(after)
    both = [a - b for a, b in zip(old, new, strict=True)]
    return (
        _figure(old, first),
        _figure(new, second),
        _figure(both, first - second),
    )


def _least(side: _Side) -> float:
    """The quickest turn without the quickest loop: where only one of them was disturbed, as by a
    change of the clock, the difference to the median can be negative."""
    whole, empty = side
    return min(whole) - min(empty)


def _net(side: _Side) -> list[float]:
    """The calls without the loop; its median, as single turns are interrupted."""
    whole, empty = side
    return [each - median(empty) for each in whole]


def _figure(values: Sequence[float], least: float) -> Figure:
    low, _, high = quantiles(values, n=4)
    return Figure(*(round(v, 2) for v in (least, median(values), low, high)))
