# SPDX-License-Identifier: GPL-2.0
"""Add up the modelled cycles of functions (hotcocci/proof/model) to what a rewrite saves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hotcocci.findings import Cycles, Saves


def saves(modelled: Iterable[Cycles]) -> Saves | None:
    """The range of cycles saved over these processors; None without any."""
    return spanning(each.before - each.after for each in modelled)


def spanning(fewer: Iterable[float]) -> Saves | None:
    """The range of these cycles; None without any."""
    known = [round(number, 1) for number in fewer]
    return Saves(min(known), max(known)) if known else None


def total(functions: Iterable[Sequence[Cycles]]) -> Saves | None:
    """The range of cycles saved by several functions of a target, each called once."""
    sums: dict[str, tuple[float, float]] = {}
    for function in functions:
        for each in function:
            before, after = sums.get(each.processor, (0.0, 0.0))
            sums[each.processor] = before + each.before, after + each.after
    return saves(Cycles(name, *both) for name, both in sums.items())


def cycles(range_: Saves) -> str:
    """A range of cycles as text: "12 to 45", or "3"."""
    least, most = f"{range_.least:.0f}", f"{range_.most:.0f}"
    return least if least == most else f"{least} to {most}"
