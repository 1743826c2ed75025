# SPDX-License-Identifier: GPL-2.0
"""Run paths with values that distinguish every bit, sign, width and field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from hotcocci.proof.execution.compare import is_usable
from hotcocci.proof.execution.inputs import Input, Memory, Origin, word
from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.pair import Pair, Ran
from hotcocci.proof.execution.trace import Access, Trace

# How many sets of values a path should be run with
ENOUGH = 16
# Limit on the locations whose values are changed
PLACES = 128
# Limits on instructions of the old side for a function, and on paths
INSTRUCTIONS = 400_000
# Limit on instructions to find the bits that a path leaves free
SEARCHED = 250_000
MOST = 40
ALL = (1 << 64) - 1
# Bits of a value to try as free: all, all but the sign, the low half, a byte, ...
MASKS = (ALL, ALL >> 33, ALL >> 48, 0xFF, 0xF, 1)
# Values at which widths, signs and comparisons go wrong
BOUNDARIES = (
    0,
    1,
    0x7F,
    0x80,
    0xFF,
    0x100,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x1_0000,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    0x1_0000_0000,
    ALL >> 1,
    1 << 63,
    ALL,
    ALL - 1,
)
# Masks of the bit numbers that have a certain bit set; together they identify every bit.
CODES = tuple(
    sum(1 << bit for bit in range(64) if bit >> number & 1) for number in range(6)
)


def path(ran: Ran) -> object:
    """The key of a path: branch outcomes and accesses on both sides."""
    _, old, new, _ = ran
    return old.path, new.path, tuple(_shape(old)), tuple(_shape(new))


def key(ran: Ran) -> object:
    """The key of a set of values."""
    return frozenset(ran[3].items())


def patterns(seed: int) -> Iterator[Sequence[int]]:
    """Sets of values, each a cycle of numbers to assign to the locations in turn."""
    yield (0,)
    yield (ALL,)
    yield (0xAAAA_AAAA_AAAA_AAAA,)
    yield (0x5555_5555_5555_5555,)
    # A sign bit at every width.
    yield (0x8000_0000_8000_8080,)
    yield (~0x8000_0000_8000_8080 & ALL,)
    for code in CODES:
        yield (code,)
        yield (~code & ALL,)
    for number in range(4):
        yield tuple(word(seed, f"values {number} {n}") for n in range(PLACES))
    for start in range(len(BOUNDARIES)):
        yield (*BOUNDARIES[start:], *BOUNDARIES[:start])
    # Each location gets a single bit, and over time every bit.
    for start in range(64):
        yield tuple(1 << (start + 7 * n) % 64 for n in range(64))


def free(pair: Pair, ran: Ran) -> dict[Origin, int]:
    """The locations whose values a path leaves free, with a mask of the free bits."""
    found: dict[Origin, int] = {}
    space = pair.machines[0].space
    places_ = [p for p in _places(ran[3]) if not _is_own(space, p)]
    waiting = [(places_, ALL)]
    for mask in MASKS:
        pinned: list[Origin] = []
        waiting = [(places, mask) for places, _ in waiting]
        while waiting:
            places, _ = waiting.pop()
            if not places:
                continue
            if _same(pair, ran, places, mask):
                found |= dict.fromkeys(places, mask)
            elif len(places) > 1:
                half = len(places) // 2
                waiting += [(places[:half], mask), (places[half:], mask)]
            else:
                pinned += places
        waiting = [(pinned, mask)]
        if len(pinned) > PLACES // 4:
            break
    return found


def inputs(ran: Ran, open_: Mapping[Origin, int], seed: int) -> Iterator[Input]:
    """The input with the free bits set to each pattern in turn."""
    given, _, _, read = ran
    for numbers in patterns(seed):
        values = dict(given.values)
        for n, (origin, mask) in enumerate(open_.items()):
            values.pop(origin, None)
            values[origin] = read[origin] & ~mask | numbers[n % len(numbers)] & mask
        yield replace(given, values=values)


def _is_own(space: AddressSpace, origin: Origin) -> bool:
    """Whether a location is per-CPU memory, which belongs to the kernel and not to the function."""
    return isinstance(origin, Memory) and space.is_percpu(origin.address)


def _places(read: Mapping[Origin, int]) -> Iterator[Origin]:
    """The locations that a run has read, without those that overlap an earlier one."""
    taken: set[int] = set()
    for count, origin in enumerate(read):
        if count >= PLACES:
            return
        if isinstance(origin, Memory):
            bytes_ = set(range(origin.address, origin.address + origin.size))
            if bytes_ & taken:
                continue
            taken |= bytes_
        yield origin


def _same(pair: Pair, ran: Ran, places: Sequence[Origin], mask: int) -> bool:
    """Whether the old code takes the same path with these bits flipped."""
    given, old, _, read = ran
    values = dict(given.values)
    for origin in places:
        values.pop(origin, None)
        values[origin] = read[origin] ^ mask & _width(origin)
    trace, others = pair.machines[0].run(
        pair.functions[0], replace(given, values=values)
    )
    pair.runs += 1
    return (
        trace.path == old.path
        and is_usable(trace)
        and list(_shape(trace)) == list(_shape(old))
        # A changed pointer leads to other locations.
        and others.keys() == read.keys()
        and trace.written.keys() == old.written.keys()
    )


def _width(origin: Origin) -> int:
    return (1 << 8 * origin.size) - 1 if isinstance(origin, Memory) else ALL


def _shape(trace: Trace) -> Iterator[tuple[str, int, int]]:
    for event in trace.events:
        if isinstance(event, Access):
            yield event.kind, event.address, len(event.data)
