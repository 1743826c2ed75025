# SPDX-License-Identifier: GPL-2.0
"""Learn from fault-free runs where loads are stored, and which accesses a window covers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hotcocci.proof.execution.inputs import Input, Memory
from hotcocci.proof.execution.address_names import Names
from hotcocci.proof.execution.pair import Pair, Ran, faulted
from hotcocci.proof.execution.partial_copies import differing
from hotcocci.proof.execution.trace import LOAD, RETURNED, STOPPED, Access, Trace

# XOR masks that change loaded words.
FLIPS = (0xFFFF_FFFF_FFFF_FFFF, 0x1, 0x8080_8080_8080_8080)
# How many runs to use: those with the most loads.
MOST = 12
# Limit on the bytes of a copy that are examined.
COPIED = 512


def windows(ran: Iterable[Ran]) -> tuple[frozenset[str], ...]:
    """The names of the bytes that each window or copy of the new code accesses."""
    found: dict[frozenset[str], None] = {}
    for _, _, new, _ in ran:
        if faulted(new) or new.end != RETURNED:
            continue
        names = Names(new)
        by_window: dict[tuple[int, int], set[str]] = {}
        for number, event in enumerate(new.events):
            if not isinstance(event, Access) or not (event.window or event.block):
                continue
            key = (event.window, 0) if event.window else (0, number)
            bytes_ = by_window.setdefault(key, set())
            for at in range(
                event.address, event.address + min(len(event.data), COPIED)
            ):
                bytes_ |= names.of(at)
        found |= dict.fromkeys(frozenset(each) for each in by_window.values())
    return tuple(found)


def destinations(pair: Pair, ran: Iterable[Ran]) -> dict[str, frozenset[str]]:
    """The names of the kernel bytes that depend on each load of the old code.

    Each load is repeated with other values; a run that then takes another path is ignored.
    """
    usable = [each for each in ran if not faulted(each[1]) and each[1].end == RETURNED]
    usable.sort(key=lambda each: -sum(1 for _ in _loads(each[1])))
    found: dict[str, set[str]] = {}
    for given, old, _, _ in usable[:MOST]:
        names = Names(old)
        for load in _loads(old):
            bytes_ = {
                name
                for flip in FLIPS
                for at in _depending(pair, given, old, load, flip)
                for name in names.of(at)
            }
            for name in names.of(load.address):
                found.setdefault(name, set()).update(bytes_)
    return {name: frozenset(bytes_) for name, bytes_ in found.items()}


def _loads(trace: Trace) -> Iterator[Access]:
    for event in trace.events:
        if isinstance(event, Access) and event.kind == LOAD:
            yield event


def _depending(
    pair: Pair, given: Input, old: Trace, load: Access, flip: int
) -> set[int]:
    """The addresses that are written differently if a load returns a different value."""
    machine = pair.machines[0]
    order = machine.processor.layout.order
    values = dict(given.values)
    for start in range(0, min(len(load.data), COPIED), 8):
        data = load.data[start : start + 8]
        where = Memory(load.address + start, len(data))
        values.pop(where, None)
        values[where] = int.from_bytes(data, order) ^ flip & (1 << 8 * len(data)) - 1
    other, _ = machine.run(pair.functions[0], replace(given, values=values))
    pair.runs += 1
    if other.end not in (RETURNED, STOPPED) or other.path != old.path:
        return set()
    return differing(old.written, other.written)
