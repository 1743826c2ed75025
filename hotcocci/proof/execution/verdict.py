# SPDX-License-Identifier: GPL-2.0
"""What the runs of a function say all together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME
from hotcocci.proof.execution.credentials import ASSUMED
from hotcocci.proof.execution.pair import Pair
from hotcocci.proof.execution.values import ENOUGH

WHEN = ("before", "after")
# Names of bytes that are told one by one.
TOLD = 3


def verdict(pair: Pair, difference: str) -> tuple[str, str]:
    """The verdict, and what there is to say of it."""
    if difference:
        return DIFFERENT, difference
    why = _unproven(pair)
    if why:
        return NOT_PROVEN, why
    return (PERMITTED if pair.permitted else SAME), "; ".join(_told(pair))


def _unproven(pair: Pair) -> str:
    """Why the runs say too little; empty if they do not."""
    if pair.lost:
        return f"{pair.lost} runs that ended before could not be followed"
    if not pair.compared:
        return "no two runs of it could be compared"
    if not (pair.accesses or pair.credentials or pair.kernel_only):
        return "no run of it reached user memory"
    if pair.doubts:
        return pair.doubts[0]
    if pair.unknown:
        return f"what is given to {', '.join(sorted(pair.unknown))} is not known"
    if any(places.sites for places in pair.places) and not pair.values:
        return "no run without a fault reached a changed access"
    for side, places in enumerate(pair.places):
        reached, when = pair.reached[side], WHEN[side]
        for seen, how in ((pair.done, "made"), (pair.failed, "seen to fault")):
            missed = places.sites - seen[side]
            if missed:
                of, lines = len(places.sites), _lines(pair, side, missed)
                return (
                    f"{when} the change, {len(missed)} of {of} accesses were not {how}: "
                    f"line {lines}"
                )
        lines_ = sorted(n for n, starts in places.lines.items() if not starts & reached)
        if lines_:
            which = ", ".join(map(str, lines_))
            return f"{when} the change, no run reached line {which}"
        branches = places.branches - reached
        if branches:
            of = len(places.branches)
            said = f"{len(branches)} of {of} changed branches were not reached"
            return f"{when} the change, {said}"
        ways = Counter(branch for branch, _ in pair.taken[side])
        one_way = sum(ways[branch] < 2 for branch in places.branches)
        if one_way:
            of = len(places.branches)
            said = f"{one_way} of {of} changed branches were taken one way only"
            return f"{when} the change, {said}"
        once = {s for s in places.loops if max(pair.turns[side].get(s, {0})) < 2}
        if once:
            lines = _lines(pair, side, once)
            return (
                f"{when} the change, no run went through the loop of line {lines} twice"
            )
    return ""


def _told(pair: Pair) -> list[str]:
    """What a reader has to know of runs in which nothing differs."""
    told = [f"{pair.left} more runs with faults were left out"] if pair.left else []
    # The two sides may read them at different places, between which there are calls.
    told += [ASSUMED] if pair.credentials else []
    few = [count for count in pair.values.values() if count < ENOUGH]
    if few:
        told.append(
            f"{len(few)} of {len(pair.values)} paths were run with fewer than {ENOUGH} "
            f"sets of values ({min(few)})"
        )
    if pair.kept:
        told.append(f"not zeroed: {_some(pair.kept)}")
    if pair.leaks:
        told.append(
            "before as after, user memory gets bytes that the function does not "
            f"initialise: {_some(pair.leaks)}"
        )
    if pair.undefined:
        told.append("what it does depends on memory that nobody initialised")
    return told


def _some(names: Collection[str]) -> str:
    chosen = sorted(names, key=lambda name: (len(name), name))
    more = [f"{len(chosen) - TOLD} more"] if len(chosen) > TOLD else []
    return ", ".join([*chosen[:TOLD], *more])


def _lines(pair: Pair, side: int, sites: Collection[int]) -> str:
    numbers = {pair.places[side].numbers[site] for site in sites}
    return ", ".join(map(str, sorted(numbers)))
