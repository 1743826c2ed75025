# SPDX-License-Identifier: GPL-2.0
"""Run copies between two objects with objects that overlap.

Callers may exclude that, so a difference there is a doubt and no proof that the sides differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hotcocci.proof.execution.branch_inputs import origins
from hotcocci.proof.execution.compare import compare
from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.execution.pair import Pair, Ran, both

# How far apart the objects begin, in bytes, and the most runs for a function.
APART = (8, -8, 1, -1)
RUNS = 16


def overlapping(pair: Pair, whole: Sequence[Ran]) -> None:
    """Note a doubt if the sides differ where the ends of a copy that only one makes overlap."""
    layout = pair.machines[0].processor.layout
    made = (each for ran in whole for each in _inputs(pair, ran))
    for (given, apart), _ in zip(made, range(RUNS)):
        ran = both(pair, given)
        if ran is None:
            continue
        outcome = compare(*ran[1:3], layout, pair.permissions)
        if outcome.difference:
            what = f"if source and destination of a copy are {abs(apart)} bytes apart"
            pair.doubts.append(f"{what}, {outcome.difference}")
            return


def _inputs(pair: Pair, ran: Ran) -> Iterator[tuple[Input, int]]:
    """The input of a run with the destination of a copy moved to its source, and how far from it."""
    given, old, new, read = ran
    size = pair.machines[0].processor.layout.pointer
    space = pair.machines[0].space
    for target, source, length in sorted(old.moved ^ new.moved):
        if space.is_stack(target) or space.is_stack(source):
            continue
        for apart in APART:
            for origin, _, delta in origins(target, size, read):
                if abs(apart) < length:
                    at = source + apart - delta
                    yield replace(given, values={**given.values, origin: at}), apart
