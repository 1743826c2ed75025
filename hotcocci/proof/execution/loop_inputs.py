# SPDX-License-Identifier: GPL-2.0
"""Find inputs that run loops once and several times, without a fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from hotcocci.proof.execution.explore import POINTER, variants
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Input, Origin
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.places import Places
from hotcocci.proof.execution.trace import ENDLESS, OOPS, RETURNED, UNKNOWN, Trace

# Limit on runs of one side, and on those kept to continue from.
RUNS = 240
KEPT = 12
EACH = 24
LIMIT = 3_000
# Values up to this may be an iteration count.
SMALL = 16
ONCE, SEVERAL = 1, 2


def more_turns(
    machine: Machine, function: Function, places: Places, corpus: Sequence[Input]
) -> list[Input]:
    """Inputs, in addition to ``corpus``, that iterate loops around accesses once and several times."""
    if not places.loops:
        return []
    found: list[Input] = []
    known: set[tuple[int, int]] = set()
    wanted = {(site, turns) for site in places.loops for turns in (ONCE, SEVERAL)}
    ran: list[tuple[int, Input, Trace, dict[Origin, int]]] = []
    for given in corpus:
        _run(machine, function, places, given, known, ran)
    tried = {_key(given) for given in corpus}
    runs = 0
    while ran and runs < RUNS and not wanted <= known:
        ran.sort(key=lambda each: each[0])
        _, given, trace, read = ran.pop()
        del ran[:-KEPT]
        # The last comparison decides whether there is another iteration.
        often = replace(trace, seen=tuple(reversed(trace.seen)))
        branches = frozenset(seen.branch for seen in trace.seen) | {POINTER}
        others = (made for made, _ in variants(given, often, read, branches, {}, EACH))
        for made in chain(_counted(given, read), others):
            if _key(made) in tried or runs >= RUNS:
                continue
            tried.add(_key(made))
            runs += 1
            if _run(machine, function, places, made, known, ran):
                found.append(made)
    return found


def _counted(given: Input, read: Mapping[Origin, int]) -> Iterator[Input]:
    """The input with each small number increased, as it may be an iteration count."""
    for more in (1, 2):
        for origin, held in read.items():
            if held & 0xFFFF_FFFF <= SMALL:
                yield replace(given, values={**given.values, origin: held + more})


def _run(
    machine: Machine,
    function: Function,
    places: Places,
    given: Input,
    known: set[tuple[int, int]],
    ran: list[tuple[int, Input, Trace, dict[Origin, int]]],
) -> bool:
    """Run an input and record it; return whether a loop iterates as in no run before."""
    trace, read = machine.run(function, given, LIMIT)
    if trace.end in (OOPS, UNKNOWN):
        return False
    turns = {site: trace.done.get(site, 0) for site in places.loops}
    # An endless run may be one value away from one that ends.
    far = sum(min(count, SEVERAL) for count in turns.values())
    ran.append((far - (trace.end == ENDLESS), given, trace, read))
    if trace.end != RETURNED or trace.failed:
        return False
    now = {(site, min(count, SEVERAL)) for site, count in turns.items()} - known
    known |= now
    return any(count for _, count in now)


def _key(given: Input) -> object:
    return given.seed, given.moving, given.keys, frozenset(given.values.items())
