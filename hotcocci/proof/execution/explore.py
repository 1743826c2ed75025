# SPDX-License-Identifier: GPL-2.0
"""Finding inputs that take a function through each of its branches.

What the emulator fills memory with is random, so a value that a branch was decided by tells
by itself where it came from. That place is then given what would decide the branch the
other way.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Argument, Input, Memory, Origin
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.trace import ENDLESS, OOPS, UNKNOWN, Seen, Trace

SEEDS = 4
# Runs that look for new branches, on one side of one function.
RUNS = 400
INSTRUCTIONS = 250_000
# Instructions of one of these runs, of which many are loops over random numbers.
LIMIT = 3_000
# How far a value may have been moved by additions on its way to a comparison, in bytes.
NEAR = 4096
# Where user pointers are pointed at: below 4 GB for compat_ptr(), each with room around it.
USER = 0x2000_0000
ROOM = 0x10_0000

# Inputs that are tried for one branch in all, and made from one run.
TRIES = 80
EACH = 12
# Of what was read, as much is taken for a factor or a base of an array.
RECENT = 48
# Sizes of elements that arrays of user space have.
FACTORS = (1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 64)
# What stands for a branch where an input was made for another reason.
START, POINTER, KEY, ENDING = 0, -1, -2, -3

Edge = tuple[int, int]


def explore(
    machine: Machine, function: Function, corpus: Sequence[Input]
) -> list[Input]:
    """Inputs that together take every way that was found.

    ``corpus`` are inputs to begin with, which are among the ones returned.
    """
    covered: set[Edge] = set()
    visited: set[int] = set()
    found = list(corpus)
    # What was tried least for a branch comes first, so that none waits for all others.
    waiting: list[tuple[int, int, Input, int]] = []
    tries: Counter[int] = Counter()
    distances: dict[int, int] = {}
    tried: set[object] = set()

    def wait(given: Input, branch: int) -> None:
        key = _key(given)
        if key not in tried and tries[branch] < TRIES:
            tried.add(key)
            tries[branch] += 1
            heapq.heappush(waiting, (tries[branch], len(tried), given, branch))

    for seed in range(SEEDS):
        wait(Input(seed, moving=seed == 3), START)
    first = [(0, 0, given, START) for given in corpus]
    runs = 0
    most = machine.instructions + INSTRUCTIONS
    while (first or waiting) and runs < RUNS and machine.instructions < most:
        _, _, given, branch = first.pop() if first else heapq.heappop(waiting)
        if sum(edge[0] == branch for edge in covered) > 1:
            continue
        trace, read = machine.run(function, given, LIMIT)
        runs += 1
        if trace.end in (OOPS, UNKNOWN):
            continue
        fresh = not trace.path <= covered or not trace.visited <= visited
        nearer = _nearer(trace, distances)
        if trace.end != ENDLESS:
            if fresh and given not in found:
                found.append(given)
            covered |= trace.path
            visited |= trace.visited
        if not (fresh or nearer):
            continue
        left = frozenset(
            branch for branch in (POINTER, ENDING, KEY) if tries[branch] < TRIES
        )
        ways = _one_way(covered | trace.path)
        left |= {branch for branch in ways if tries[branch] < TRIES}
        for other, of in _variants(given, trace, read, left):
            wait(other, of)
        if trace.end == ENDLESS and ENDING in left:
            # It went where no run that ended did: the same way, but to an end.
            # What was compared most often is what ends its loop.
            often = Counter(seen.branch for seen in trace.seen)
            loop = sorted(trace.seen, key=lambda seen: -often[seen.branch])
            again = replace(trace, seen=tuple(loop))
            for other, _ in _variants(given, again, read, _one_way(trace.path)):
                wait(other, ENDING)
    return found


def _nearer(trace: Trace, distances: dict[int, int]) -> bool:
    """Whether numbers that were compared are nearer to each other than in any run before."""
    nearer = False
    for seen in trace.seen:
        if seen.mask or not (distance := abs(seen.left - seen.right)):
            continue
        # Half as far at least, or a loop that counts would be followed to its end.
        if distance * 2 < distances.get(seen.branch, 1 << 65):
            distances[seen.branch] = distance
            nearer = True
    return nearer


def _key(given: Input) -> tuple[object, ...]:
    return given.seed, given.moving, given.keys, frozenset(given.values.items())


def _one_way(path: set[Edge] | frozenset[Edge]) -> frozenset[int]:
    """The branches of which only one way was taken."""
    ways: dict[int, int] = {}
    for branch, _ in path:
        ways[branch] = ways.get(branch, 0) + 1
    return frozenset(branch for branch, count in ways.items() if count == 1)


def _variants(
    given: Input, trace: Trace, read: Mapping[Origin, int], wanted: frozenset[int]
) -> Iterator[tuple[Input, int]]:
    """Inputs that may go another way at one of the wanted branches, and the branch."""
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
    for seen in trace.seen:
        if seen.branch not in wanted or (seen.branch, seen.following) in done:
            continue
        done.add((seen.branch, seen.following))
        # What was read last was probably read for this.
        before = dict(list(read.items())[: seen.read])
        for origin, value in islice(_other_way(seen, before), EACH):
            yield _with(given, origin, value), seen.branch


def _indexed(
    given: Input, pointer: int, at: int, read: Mapping[Origin, int]
) -> Iterator[tuple[Input, int]]:
    """A pointer that is another one and a number of elements: the number is 1 then."""
    mask = (1 << 64) - 1
    recent = _recent(read)
    for base, held in recent:
        if held >> 32 == 0:
            continue
        for index, factor, delta in _multiples((pointer - held) & mask, 8, recent):
            if index != base:
                near = _with(given, base, at - factor - delta)
                yield _with(near, index, 1), POINTER


def origins(
    value: int, size: int, read: Mapping[Origin, int]
) -> Iterator[tuple[Origin, int, int]]:
    """Where a value may come from: the place, what it held, and what was added to it since."""
    mask = (1 << 8 * size) - 1
    value &= mask
    for origin, held in read.items():
        delta = _signed(value - held, mask)
        # Small numbers are all near each other.
        if delta == 0 or (held & mask > 4 * NEAR and abs(delta) <= NEAR):
            yield origin, held, delta
        elif size == 8 and value >> 32 == 0 and value == held & 0xFFFF_FFFF:
            # compat_ptr()
            yield origin, held, 0


def _recent(read: Mapping[Origin, int]) -> list[tuple[Origin, int]]:
    """What was read last, and the arguments: what was read last was probably read for this."""
    items = list(read.items())
    arguments = [item for item in items[:-RECENT] if isinstance(item[0], Argument)]
    return [*reversed(items[-RECENT:]), *arguments]


def _multiples(
    value: int, size: int, read: Sequence[tuple[Origin, int]]
) -> Iterator[tuple[Origin, int, int]]:
    """Which places hold a number of which the value is a multiple, near enough: count * sizeof()."""
    mask = (1 << 8 * size) - 1
    if size < 4:
        return
    for origin, held in read:
        if held & mask <= NEAR:
            continue
        # As it is, and as a negative number of 32 bits.
        for number in {held, held - (held >> 31 << 32)}:
            for factor in FACTORS:
                delta = _signed(value - number * factor, mask)
                if abs(delta) <= NEAR:
                    yield origin, factor, delta


def _signed(value: int, mask: int) -> int:
    value &= mask
    return value - mask - 1 if value > mask // 2 else value


def _with(given: Input, origin: Origin, value: int) -> Input:
    if isinstance(origin, Memory):
        value &= (1 << 8 * origin.size) - 1
    return replace(given, values={**given.values, origin: value})


def _other_way(seen: Seen, read: Mapping[Origin, int]) -> Iterator[tuple[Origin, int]]:
    """Values that may decide a comparison otherwise."""
    mask = (1 << 8 * seen.size) - 1
    recent = _recent(read)
    read = dict(recent)
    if seen.mask:
        bits = seen.right if seen.right != seen.left else mask
        for origin, held, delta in origins(seen.left, seen.size, read):
            if delta == 0:
                if seen.left == seen.right:
                    yield from ((origin, 0), (origin, 1), (origin, mask))
                else:
                    yield from ((origin, held | bits), (origin, held & ~bits))
        return
    for mine, other in ((seen.left, seen.right), (seen.right, seen.left)):
        for origin, held, delta in origins(mine, seen.size, read):
            for change in (0, 1, -1):
                low = (other + change - delta) & mask
                yield origin, (held & ~mask) | low
    # sizeof() times a number; a pointer and the end of its array differ by such a product.
    for product, wanted in (
        (seen.left, seen.right),
        (seen.right, seen.left),
        (seen.left - seen.right, 0),
        (seen.right - seen.left, 0),
    ):
        for origin, factor, delta in _multiples(product & mask, seen.size, recent):
            for change in (0, 1, -1):
                yield origin, ((wanted - delta) // factor + change) & mask
