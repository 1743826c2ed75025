# SPDX-License-Identifier: GPL-2.0
"""Find the branches, user accesses and lines of a function that a change touches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.engines.machine.elf import COLD
from hotcocci.proof.execution.changed import Changed
from hotcocci.proof.execution.compiled import Side
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.processor import BRANCH, Step


@dataclass(frozen=True)
class Places:
    """The instructions of one side of a function that the change touches.

    ``branches`` are conditional branches. ``sites`` are user accesses, or calls of routines that
    make them. ``lines`` maps changed lines with code to their first instructions, ``numbers`` maps
    sites to lines. ``loops`` are the sites inside a loop, ``written`` those on lines that differ
    themselves, not only adjacent ones.
    """

    branches: frozenset[int]
    sites: frozenset[int]
    lines: dict[int, set[int]]
    numbers: dict[int, int] = field(default_factory=dict)
    loops: frozenset[int] = frozenset()
    written: frozenset[int] = frozenset()


def places(
    machine: Machine, one: Side, name: str, changed: Changed, number: int
) -> Places:
    """Find the places of one side: 0 before the change, 1 after it."""
    lines = (changed.old, changed.new)[number]
    branches: set[int] = set()
    sites: dict[int, int] = {}
    starts: dict[int, set[int]] = {}
    code: dict[int, Step] = {}
    file, written = changed.file, changed.written(number)
    beginnings = set(one.on(file, written))
    for function in one.image.functions:
        if function.name not in (name, name + COLD):
            continue
        for address, step in machine.listing(function):
            code[address] = step
            where, line = one.at(address)
            if line not in lines or not (where == file or where.endswith(f"/{file}")):
                continue
            if (
                step.kind == BRANCH
                and line in written
                and address not in one.image.labels
            ):
                branches.add(address)
            if address in one.image.fixups or step.target in one.image.routines:
                sites[address] = line
            if address in beginnings:
                starts.setdefault(line, set()).add(address)
    loops = frozenset(s for s in sites if _returns_to(s, code))
    own = frozenset(site for site, line in sites.items() if line in written)
    return Places(frozenset(branches), frozenset(sites), starts, sites, loops, own)


def _returns_to(site: int, code: Mapping[int, Step]) -> bool:
    """Whether control flow can lead from an instruction back to it."""
    seen: set[int] = set()
    waiting = [site]
    while waiting:
        at = waiting.pop()
        step = code.get(at)
        if step is None:
            continue
        following = [] if step.ends else [at + max(step.length, 1)]
        following += [step.target] if step.target else []
        if site in following:
            return True
        waiting += [each for each in following if each not in seen]
        seen.update(following)
    return False
