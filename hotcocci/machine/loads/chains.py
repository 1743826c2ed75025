# SPDX-License-Identifier: GPL-2.0
"""Combine a function's loads into chains, and the cache lines that they touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from hotcocci.machine.elf import Address
from hotcocci.machine.loads.steps import Load

LINE = 64
NO_SHARES: Mapping[Address, float] = MappingProxyType({})


@dataclass(frozen=True)
class Chain:
    """Loads of which each waits for the one before.

    ``others`` are the names of further loads that wait for the last but one.
    """

    loads: tuple[Load, ...]
    others: tuple[str, ...]


@dataclass(frozen=True)
class Touched:
    """The members of one structure that loads read, by the cache line that they are in.

    Lines count from the start of the structure, which is taken to begin on one.
    """

    record: str
    lines: Mapping[int, tuple[str, ...]]


def chains(
    loads: Sequence[Load], least: int, shares: Mapping[Address, float] = NO_SHARES
) -> list[Chain]:
    """The chains of at least ``least`` loads: those with the hottest load first, then the longest.

    There is one for each load that no other waits for: the longest that ends there, with no load
    twice, and one way round each loop. ``shares`` says how hot each load is.
    """
    by_address = {load.address: load for load in loads}
    waited = {address for load in loads for address in load.after}
    longest = _longest(by_address)
    alike: dict[tuple[str, ...], list[tuple[Load, ...]]] = {}
    for load in loads:
        chain = longest[load.address]
        if load.address not in waited and len(chain) >= least:
            alike.setdefault(tuple(map(_step, chain[:-1])), []).append(chain)
    found = []
    for same in alike.values():
        first, *rest = sorted(same, key=lambda each: -shares.get(each[-1].address, 0.0))
        names = dict.fromkeys(c[-1].name for c in rest if c[-1].name)
        names.pop(first[-1].name, None)
        found.append(Chain(first, tuple(names)))

    def order(each: Chain) -> tuple[float, int, Address]:
        hottest = max(shares.get(load.address, 0.0) for load in each.loads)
        return -hottest, -len(each.loads), each.loads[-1].address

    return sorted(found, key=order)


def _step(load: Load) -> str:
    return f"{load.record}.{load.path}" if load.record else str(load.address)


def _longest(loads: Mapping[Address, Load]) -> dict[Address, tuple[Load, ...]]:
    """The longest chain to each load, without what closes a loop where a search first meets it."""
    done: dict[Address, tuple[Load, ...]] = {}
    begun: set[Address] = set()
    for start in loads:
        todo = [start]
        while todo:
            load = loads[todo[-1]]
            before = [a for a in sorted(load.after) if a in loads]
            new = [a for a in before if a not in begun]
            if load.address not in begun:
                begun.add(load.address)
                todo += new
                continue
            todo.pop()
            ways = (done[a] for a in before if a in done)
            done.setdefault(load.address, (*max(ways, key=len, default=()), load))
    return done


def touched(loads: Sequence[Load]) -> list[Touched]:
    """The structures that loads read, those with most lines first."""
    found: dict[str, dict[int, dict[str, None]]] = {}
    for load in loads:
        if load.record:
            lines = found.setdefault(load.record, {})
            lines.setdefault(load.offset // LINE, {})[load.path] = None
    made = [
        Touched(record, {line: tuple(lines[line]) for line in sorted(lines)})
        for record, lines in found.items()
    ]
    return sorted(made, key=lambda each: (-len(each.lines), each.record))
