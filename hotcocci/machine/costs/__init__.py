# SPDX-License-Identifier: GPL-2.0
"""Model the cycles of a counted path on processors that are not at hand: processors/ and accesses/ have the figures.

A path takes the time of all of its instructions, and of what is dear in addition. How many instructions a
cycle finishes comes from llvm-mca, for the path's own instructions, where it is installed and knows the
processor. It knows of no fetching, so the processor's usual rate is the limit, and is taken where llvm-mca
knows nothing.

Caches are warm, branches predicted and loads independent, so that a path with a long chain of loads
takes longer than modelled; benchmarks/results/by-hand.md compares the model with native runs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

import tomllib

from hotcocci.findings import READ, READ_WRITE, WRITE, Cost, Count, Cycles
from hotcocci.records import rebuilt

# Instructions per cycle before and after; None if not known.
Rates = tuple[float | None, float | None]
NO_RATES: Mapping[str, Rates] = MappingProxyType({})
# Bytes of a copy, whose size machine code rarely shows. Most sizes cost the same.
SIZE = 16
# One data file per processor, and one per target.
PROCESSORS, ACCESSES = (
    Path(__file__).with_name(name) for name in ("processors", "accesses")
)


@dataclass(frozen=True)
class Processor:
    """One processor, with warm caches and predicted branches.

    ``order`` is its place in lists. ``targets`` are the kernels that run on it, ``mca`` is its name for
    llvm-mca, empty if that does not know it. ``rate`` is how many instructions of a usual path it finishes
    per cycle; all other costs are in addition to that. ``open`` and ``close`` are of user access, ``call``
    of a call with its return, ``thunk`` of a return by the thunk that the kernel selects for it by default,
    0 if none. ``copies`` are the cycles that a ``rep movs`` or its replacement adds, by length: bytes up to which,
    and cycles; the last also count for longer ones, and the instructions of the routine as such. ``mainstream`` is whether it is of those that most kernels run on: servers and PCs of 2019 or
    later.
    """

    name: str
    order: int
    targets: tuple[str, ...]
    mca: str
    rate: float
    open: float
    close: float
    fence: float
    call: float
    thunk: float
    copies: tuple[tuple[int, float], ...]
    mainstream: bool = True


@cache
def processors() -> tuple[Processor, ...]:
    """The processors that costs are modelled for."""
    found = (
        rebuilt(Processor, tomllib.loads(path.read_text(encoding="utf-8")))
        for path in PROCESSORS.glob("*.toml")
    )
    return tuple(sorted(found, key=lambda each: each.order))


@lru_cache
def costs_of(target: str, scopes: bool, windows: bool = True) -> Mapping[str, Count]:
    """The cost of each form of user access on a target, as compiled from whole kernels.

    A form is the name of an access, of what opens a window (with what closes it), or of a copy; after a
    blank the bytes of a copy of a structure, or the direction of a masked window. A later access costs
    less than the first, as the compiler keeps what they share: these are of the second one. ``scopes`` is
    set for trees with scoped windows. Where nothing is masked, a masked window is a classic one. Without
    ``windows`` of the target in the tree, include/linux/uaccess.h makes of them access_ok() and __get_user().
    """
    text = (ACCESSES / f"{target}.toml").read_text(encoding="utf-8")
    listed = tomllib.loads(text)["scoped" if scopes else "classic"]
    counts = {form: Count(*figures) for form, figures in listed.items()}
    ways = {
        READ: "user_read_access",
        WRITE: "user_write_access",
        READ_WRITE: "user_access",
    }
    masked = {
        f"masked_user_access_begin {way}": counts[f"{name}_begin"]
        for way, name in ways.items()
    }
    found = {**masked, **counts}
    if windows:
        return found
    return {form: found[_without_windows(form)] for form in found}


def _without_windows(form: str) -> str:
    """The form that include/linux/uaccess.h makes of one where an architecture has no windows."""
    if form.startswith("unsafe_"):
        return form.replace("unsafe_", "__")
    return "access_ok" if re.match(r"\w*(?:_begin|scoped_)", form) else form


def cycles(count: Count, processor: Processor, rate: float | None = None) -> float:
    """The core cycles that a path takes on a processor.

    ``rate`` is how many of its instructions llvm-mca finds in a cycle.
    """
    usual = processor.rate
    switch = (processor.open + processor.close) / 2
    fitting = (cost for most, cost in processor.copies if most >= SIZE)
    copy = next(fitting, processor.copies[-1][1])
    return (
        count.instructions / min(rate or usual, usual)
        + count.switches * switch
        + count.fences * processor.fence
        + count.calls * processor.call
        + count.returns * processor.thunk
        + count.copies * copy
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
    for each in (p for p in processors() if target in p.targets):
        old, new = rates.get(each.name, (None, None))
        if old is None or new is None:
            # Both sides by the same measure.
            old = new = None
        took = cycles(paths[0], each, old), cycles(paths[1], each, new)
        before_, after_ = (round(number, 1) for number in took)
        found.append(Cycles(each.name, before_, after_, each.mainstream))
    return tuple(found)
