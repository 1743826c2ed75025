# SPDX-License-Identifier: GPL-2.0
"""The verdict on a function from all of its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from hotcocci.plural import count
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME
from hotcocci.proof.execution.credentials import ASSUMED
from hotcocci.proof.execution.pair import Pair
from hotcocci.proof.execution.trace import is_error
from hotcocci.proof.execution.values import ENOUGH

WHEN = ("before", "after")
# More names than this are summarised as a number.
LISTED = 3


def verdict(pair: Pair, difference: str) -> tuple[str, str]:
    """Return the verdict and its detail; ``difference`` is the first one found, or empty."""
    if difference:
        return DIFFERENT, difference
    why = _unproven(pair)
    if why:
        return NOT_PROVEN, why
    return (PERMITTED if pair.permitted else SAME), "; ".join(_notes(pair))


def _unproven(pair: Pair) -> str:
    """Why the runs do not cover the change; empty if they do."""
    if pair.lost:
        return f"{count(pair.lost, 'run')} completed with the old code but not with the new code"
    if not pair.compared:
        return "no run could be compared"
    if not (pair.accesses or pair.credentials or pair.kernel_only):
        return "no run accessed user memory"
    if pair.doubts:
        return pair.doubts[0]
    if pair.unknown:
        return f"the arguments to {', '.join(sorted(pair.unknown))} are unknown"
    silent = {result for result in pair.reports & pair.answers if not is_error(result)}
    if silent:
        what = min(silent) or "nothing"
        return f"after a fault memory differs, but it returns {what} as without one"
    if any(places.sites for places in pair.places) and not pair.values:
        return "no run without a fault reached a changed access"
    for side, places in enumerate(pair.places):
        reached, when = pair.reached[side], WHEN[side]
        for seen, how in ((pair.done, "succeeded"), (pair.failed, "faulted")):
            missed = places.sites - seen[side]
            if missed:
                of, where = len(places.sites), _lines_of(pair, side, missed)
                return f"{when} the change, {len(missed)} of {of} accesses never {how}: {where}"
        lines = [n for n, starts in places.lines.items() if not starts & reached]
        if lines:
            return f"{when} the change, no run reached {_lines(lines)}"
        branches = places.branches - reached
        if branches:
            of = len(places.branches)
            missing = f"{len(branches)} of {of} changed branches"
            return f"{when} the change, no run reached {missing}"
        ways = Counter(branch for branch, _ in pair.taken[side])
        one_way = sum(ways[branch] < 2 for branch in places.branches)
        if one_way:
            of = len(places.branches)
            said = f"{one_way} of {of} changed branches only ever went one way"
            return f"{when} the change, {said}"
        once = {s for s in places.loops if max(pair.turns[side].get(s, {0})) < 2}
        if once:
            where = _lines_of(pair, side, once)
            return (
                f"{when} the change, no run made two iterations of the loop at {where}"
            )
    return ""


def _notes(pair: Pair) -> list[str]:
    """The limits of a comparison that found no difference."""
    notes = []
    if pair.left:
        runs = count(pair.left, "run")
        notes.append(f"{runs} with a fault skipped at the instruction limit")
    # Old and new code may read the credentials at different points, with calls in between.
    notes += [ASSUMED] if pair.credentials else []
    few = [sets for sets in pair.values.values() if sets < ENOUGH]
    if few:
        of = count(len(pair.values), "path")
        notes.append(
            f"{len(few)} of {of} ran with fewer than {ENOUGH} sets of values "
            f"(as few as {min(few)})"
        )
    if pair.kept:
        notes.append(f"not written after a fault: {_some(pair.kept)}")
    if pair.leaks:
        notes.append(
            "old and new code copy uninitialised bytes to user memory: "
            f"{_some(pair.leaks)}"
        )
    if pair.undefined:
        notes.append("the old code depends on uninitialised memory")
    return notes


def _some(names: Collection[str]) -> str:
    chosen = sorted(names, key=lambda name: (len(name), name))
    more = [f"{len(chosen) - LISTED} more"] if len(chosen) > LISTED else []
    return ", ".join([*chosen[:LISTED], *more])


def _lines_of(pair: Pair, side: int, sites: Collection[int]) -> str:
    return _lines({pair.places[side].numbers[site] for site in sites})


def _lines(numbers: Collection[int]) -> str:
    listed = ", ".join(map(str, sorted(numbers)))
    return f"line{'' if len(numbers) == 1 else 's'} {listed}"
