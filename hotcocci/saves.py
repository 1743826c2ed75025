# SPDX-License-Identifier: GPL-2.0
"""Add up the modelled cycles of functions (hotcocci/proof/model) to what a rewrite saves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hotcocci.findings import Cycles, Saves


def saves(modelled: Iterable[Cycles]) -> Saves | None:
    """The range of cycles saved over these processors; None without any."""
    fewer = [round(each.before - each.after, 1) for each in modelled]
    return Saves(min(fewer), max(fewer)) if fewer else None


def total(functions: Iterable[Sequence[Cycles]]) -> Saves | None:
    """The range of cycles saved by several functions of a target, each called once."""
    sums: dict[str, tuple[float, float]] = {}
    for function in functions:
        for each in function:
            before, after = sums.get(each.processor, (0.0, 0.0))
            sums[each.processor] = before + each.before, after + each.after
    return saves(Cycles(name, *both) for name, both in sums.items())
