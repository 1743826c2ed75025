# SPDX-License-Identifier: GPL-2.0
"""Model the cycles of a counted path: all of its instructions, and what is dear in addition.

How many instructions a cycle finishes comes from llvm-mca, for the path's own instructions, where it
is installed and knows the processor. It knows of no fetching, so the processor's usual rate is the
limit, and is taken where llvm-mca knows nothing.

Caches are warm, branches predicted and loads independent, so that a path with a long chain of loads
takes longer than modelled; benchmarks/results/by-hand.md compares the model with native runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hotcocci.findings import Cost, Count, Cycles
from hotcocci.machine.costs.processor import Processor
from hotcocci.machine.costs.processors import PROCESSORS

# Instructions per cycle before and after; None if not known.
Rates = tuple[float | None, float | None]
NO_RATES: Mapping[str, Rates] = MappingProxyType({})
# Bytes of a copy, whose size machine code rarely shows. Most sizes cost the same.
SIZE = 16


def cycles(count: Count, processor: Processor, rate: float | None = None) -> float:
    """The core cycles that a path takes on a processor.

    ``rate`` is how many of its instructions llvm-mca finds in a cycle.
    """
    usual = processor.rate.cycles
    switch = (processor.open.cycles + processor.close.cycles) / 2
    return (
        count.instructions / min(rate or usual, usual)
        + count.switches * switch
        + count.fences * processor.fence.cycles
        + count.calls * processor.call.cycles
        + count.returns * processor.thunk.cycles
        + count.copies * processor.copies.of(SIZE)
    )


def modelled(
    before: Cost, after: Cost, target: str, rates: Mapping[str, Rates] = NO_RATES
) -> tuple[Cycles, ...]:
    """The cycles before and after on each processor of a target; empty if a path is unknown.

    ``rates`` are those of the two paths, by processor.
    """
    paths = before.success, after.success
    if paths[0] is None or paths[1] is None:
        return ()
    found = []
    for each in (p for p in PROCESSORS if target in p.targets):
        old, new = rates.get(each.name, (None, None))
        if old is None or new is None:
            # Both sides by the same measure.
            old = new = None
        took = cycles(paths[0], each, old), cycles(paths[1], each, new)
        before_, after_ = (round(number, 1) for number in took)
        found.append(Cycles(each.name, before_, after_, each.mainstream))
    return tuple(found)
