# SPDX-License-Identifier: GPL-2.0
"""Combine a function's loads into chains, and the cache lines that they touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotcocci.engines.loads.steps import Load
from hotcocci.engines.machine.elf import Address

LINE = 64


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


def chains(loads: Sequence[Load], least: int) -> list[Chain]:
    """The longest chain that ends at each load that no other waits for, of at least ``least`` loads.

    A load in a loop that waits for itself counts once. The longest come first.
    """
    by_address = {load.address: load for load in loads}
    known: dict[Address, tuple[Load, ...]] = {}
    waited = {address for load in loads for address in load.after}
    alike: dict[tuple[str, ...], list[tuple[Load, ...]]] = {}
    for load in loads:
        if load.address not in waited:
            chain = _longest(load, by_address, known, frozenset())
            if len(chain) >= least:
                alike.setdefault(tuple(map(_step, chain[:-1])), []).append(chain)
    found = []
    for first, *rest in alike.values():
        names = dict.fromkeys(c[-1].name for c in rest if c[-1].name)
        names.pop(first[-1].name, None)
        found.append(Chain(first, tuple(names)))
    return sorted(found, key=lambda each: (-len(each.loads), each.loads[-1].address))


def _step(load: Load) -> str:
    return f"{load.record}.{load.path}" if load.record else str(load.address)


def _longest(
    load: Load,
    loads: Mapping[Address, Load],
    known: dict[Address, tuple[Load, ...]],
    around: frozenset[Address],
) -> tuple[Load, ...]:
    if load.address in known:
        return known[load.address]
    inside = around | {load.address}
    before: tuple[Load, ...] = ()
    for address in sorted(load.after - inside):
        if address in loads:
            chain = _longest(loads[address], loads, known, inside)
            if len(chain) > len(before):
                before = chain
    chain = (*before, load)
    if not load.after & around:
        known[load.address] = chain
    return chain


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
