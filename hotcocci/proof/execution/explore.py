# SPDX-License-Identifier: GPL-2.0
"""Find inputs that take a function through each of its branches.

The emulator fills memory with random values, so the value that decided a branch identifies where it
was read. That location is then set to a value that decides the branch the other way.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, islice

from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Input, Memory, Origin
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.branch_inputs import (
    Choices,
    chosen_ways,
    learn,
    multiples,
    origins,
    other_ways,
    recent_first,
)
from hotcocci.proof.execution.trace import ENDLESS, OOPS, UNKNOWN, Trace

SEEDS = 4
# Limit on runs for one side of one function, and how much each access adds to it.
RUNS = 400
MORE = 20
INSTRUCTIONS = 250_000
# Limit for one of these runs; many loop over random numbers.
LIMIT = 3_000
# Where user pointers are moved: below 4 GB for compat_ptr(), each with this much room.
USER = 0x2000_0000
ROOM = 0x10_0000

# Limits on inputs tried for one branch, and on those made from one run.
TRIES = 80
EACH = 12
# How many to make from each run that found something new once the queue is empty.
DEEPER = 96
# Limit on new combinations of succeeding and faulting accesses.
OUTCOMES = 48
# Limit on runs followed because they bring a comparison nearer by less than half.
STEPS = 4
# Used in place of a branch for inputs made for another reason.
START, POINTER, KEY, ENDING = 0, -1, -2, -3

Edge = tuple[int, int]


def explore(
    machine: Machine, function: Function, corpus: Sequence[Input], accesses: int = 0
) -> list[Input]:
    """Return inputs that together cover every branch outcome that was found.

    The result starts with ``corpus``. ``accesses`` is the number of changed accesses to reach,
    which raises the limits.
    """
    limit = RUNS + MORE * accesses
    most_tries = TRIES + 4 * accesses
    covered: set[Edge] = set()
    visited: set[int] = set()
    outcomes: set[object] = set()
    found = list(corpus)
    # A priority queue: the branch with the fewest tries goes first, so that none starves.
    waiting: list[tuple[int, int, Input, int]] = []
    tries: Counter[int] = Counter()
    distances: dict[int, int] = {}
    steps: Counter[int] = Counter()
    tried: set[object] = set()
    order = count()
    # Runs that found something new, kept for a second, deeper pass.
    known: list[tuple[Input, Trace, dict[Origin, int]]] = []
    choices: Choices = {}

    def wait(given: Input, branch: int) -> None:
        key = _key(given)
        if key not in tried and tries[branch] < most_tries:
            tried.add(key)
            tries[branch] += 1
            heapq.heappush(waiting, (tries[branch], next(order), given, branch))

    for seed in range(SEEDS):
        wait(Input(seed, moving=seed == 3), START)
    first = [(0, 0, given, START) for given in corpus]
    runs = 0
    most = machine.instructions + INSTRUCTIONS + accesses * LIMIT
    while runs < limit and machine.instructions < most:
        while known and not (first or waiting):
            earlier, ran, had = known.pop(0)
            left = frozenset(
                b for b in _one_way(covered | ran.path) if tries[b] < most_tries
            )
            for made, of in variants(earlier, ran, had, left, choices, DEEPER):
                wait(made, of)
        if not (first or waiting):
            break
        _, _, given, branch = first.pop() if first else heapq.heappop(waiting)
        if sum(edge[0] == branch for edge in covered) > 1:
            # It was not run; another branch may still need it.
            tried.discard(_key(given))
            continue
        trace, read = machine.run(function, given, LIMIT)
        runs += 1
        if trace.end in (OOPS, UNKNOWN):
            continue
        learn(choices, trace)
        fresh = not trace.path <= covered or not trace.visited <= visited
        # Without branches, only this shows that more accesses succeed than before.
        # The ways of static branches are no branch outcomes either.
        outcome = frozenset(trace.done), trace.failed, given.keys & trace.keys
        fresh = fresh or (outcome not in outcomes and len(outcomes) < OUTCOMES)
        nearer = _nearer(trace, distances, steps)
        if trace.end != ENDLESS:
            if fresh and given not in found:
                found.append(given)
            covered |= trace.path
            visited |= trace.visited
            outcomes.add(outcome)
            if fresh:
                known.append((given, trace, read))
        if not (fresh or nearer):
            continue
        left = frozenset(
            branch for branch in (POINTER, ENDING, KEY) if tries[branch] < most_tries
        )
        ways = _one_way(covered | trace.path)
        left |= {branch for branch in ways if tries[branch] < most_tries}
        for other, of in variants(given, trace, read, left, choices):
            wait(other, of)
        if trace.end == ENDLESS and ENDING in left:
            # It took a path that no finished run took: find the same path with an end. The branch
            # compared most often probably ends the loop.
            often = Counter(seen.branch for seen in trace.seen)
            loop = sorted(trace.seen, key=lambda seen: -often[seen.branch])
            again = replace(trace, seen=tuple(loop))
            one_way = _one_way(trace.path)
            for other, _ in variants(given, again, read, one_way, choices):
                wait(other, ENDING)
    return found


def _nearer(trace: Trace, distances: dict[int, int], steps: Counter[int]) -> bool:
    """Whether a comparison's operands are closer than in any earlier run.

    ``steps`` counts by branch how often they came closer by less than half.
    """
    nearer = False
    for seen in trace.seen:
        if seen.mask or not (distance := abs(seen.left - seen.right)):
            continue
        known = distances.get(seen.branch, 1 << 65)
        if distance >= known:
            continue
        # Require half the distance, or a counting loop would be followed to its end. A maximum of
        # several numbers needs a small step for each.
        if distance * 2 >= known:
            steps[seen.branch] += 1
        if distance * 2 < known or steps[seen.branch] <= STEPS:
            distances[seen.branch] = distance
            nearer = True
    return nearer


def _key(given: Input) -> tuple[object, ...]:
    return given.seed, given.moving, given.keys, frozenset(given.values.items())


def _one_way(path: set[Edge] | frozenset[Edge]) -> frozenset[int]:
    """The branches with only one outcome taken."""
    ways: dict[int, int] = {}
    for branch, _ in path:
        ways[branch] = ways.get(branch, 0) + 1
    return frozenset(branch for branch, count in ways.items() if count == 1)


def variants(
    given: Input,
    trace: Trace,
    read: Mapping[Origin, int],
    wanted: frozenset[int],
    choices: Choices,
    each: int = EACH,
) -> Iterator[tuple[Input, int]]:
    """Inputs that may change the outcome of one of the wanted branches, with that branch."""
    pointers = dict.fromkeys(trace.pointers) if POINTER in wanted else {}
    for number, pointer in enumerate(pointers):
        if USER <= pointer < USER + 64 * ROOM:
            continue
        at = USER + (len(given.values) % 32 + 1) * ROOM + 64 * number
        single = list(origins(pointer, 8, read))
        for origin, _, delta in single:
            yield _with(given, origin, at - delta), POINTER
        if not single:
            yield from _indexed(given, pointer, at, read)
    for key in sorted(trace.keys) if KEY in wanted else ():
        yield replace(given, keys=given.keys ^ {key}), KEY
    done: set[Edge] = set()
    chosen = chosen_ways(trace, read, choices)
    for seen in trace.seen:
        if seen.branch not in wanted or (seen.branch, seen.following) in done:
            continue
        done.add((seen.branch, seen.following))
        # Values read last were probably read for this branch.
        before = dict(list(read.items())[: seen.read])
        ways = islice(other_ways(seen, before), each)
        # Each branch starts at a different choice, so that together they try all.
        start = seen.branch % len(chosen) if chosen else 0
        turned = chosen[start:] + chosen[:start]
        for changes in (*ways, *islice(turned, each)):
            made = given
            for origin, value in changes:
                made = _with(made, origin, value)
            yield made, seen.branch


def _indexed(
    given: Input, pointer: int, at: int, read: Mapping[Origin, int]
) -> Iterator[tuple[Input, int]]:
    """Try to split a pointer into a base and an index of elements, and set the index to 1."""
    mask = (1 << 64) - 1
    recent = recent_first(read)
    for base, held in recent:
        if held >> 32 == 0:
            continue
        for index, factor, delta in multiples((pointer - held) & mask, 8, recent):
            if index != base:
                near = _with(given, base, at - factor - delta)
                yield _with(near, index, 1), POINTER


def _with(given: Input, origin: Origin, value: int) -> Input:
    if isinstance(origin, Memory):
        value &= (1 << 8 * origin.size) - 1
    return replace(given, values={**given.values, origin: value})
