# SPDX-License-Identifier: GPL-2.0
"""The old and new code of one function, and the evidence collected by running both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.proof.execution.compare import Outcome, is_usable
from hotcocci.proof.execution.explore import Edge
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Input, Origin
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.permissions import Permissions
from hotcocci.proof.execution.places import Places
from hotcocci.proof.permitted import REPORTED
from hotcocci.proof.execution.trace import RETURNED, STOPPED, Access, Fault, Trace

# One run of both sides: input, old trace, new trace, and the origin of the old side's values.
Ran = tuple[Input, Trace, Trace, Mapping[Origin, int]]


@dataclass
class Pair:
    """Both sides of one function, and the evidence so far.

    ``kernel_only``: the change contains no user access. ``lost`` counts runs whose new code did not complete; everything else but ``runs`` counts
    only runs that could be compared.

    ``done`` and ``failed`` are the accesses that succeeded and faulted, by side and instruction;
    ``turns`` has how often each succeeded in one fault-free run. ``leaks`` names user bytes that
    were stored from uninitialised memory; ``undefined``: the old code's path depends on such
    memory. ``values`` counts the sets of values per path. ``kept`` names destinations that were not
    written after a fault. ``answers`` are the results of runs without a fault, ``reports`` those of
    runs with a difference that callers need to know of.
    """

    machines: tuple[Machine, Machine]
    functions: tuple[Function, Function]
    places: tuple[Places, Places]
    kernel_only: bool
    permissions: Permissions = Permissions()
    refuted: set[int] = field(default_factory=set)
    taken: tuple[set[Edge], set[Edge]] = field(default_factory=lambda: (set(), set()))
    reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    done: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    failed: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    turns: tuple[dict[int, set[int]], dict[int, set[int]]] = field(
        default_factory=lambda: ({}, {})
    )
    accesses: int = 0
    runs: int = 0
    # Inputs with which both sides completed and read the task's credentials
    credentials: int = 0
    faults: int = 0
    left: int = 0
    lost: int = 0
    compared: int = 0
    permitted: set[str] = field(default_factory=set)
    kept: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    reports: set[str] = field(default_factory=set)
    leaks: set[str] = field(default_factory=set)
    undefined: bool = False
    doubts: list[str] = field(default_factory=list)
    unknown: set[str] = field(default_factory=set)
    values: Counter[object] = field(default_factory=Counter)


def both(pair: Pair, given: Input) -> Ran | None:
    """Run both sides with an input; None if the old run cannot be compared."""
    old, read = pair.machines[0].run(pair.functions[0], given)
    pair.runs += 1
    if not is_usable(old):
        return None
    new, others = pair.machines[1].run(pair.functions[1], given)
    pair.runs += 1
    pair.credentials += {old.end, new.end} <= {RETURNED, STOPPED} and all(
        machine.credentials is not None and machine.credentials.read(machine.space, of)
        for machine, of in zip(pair.machines, (read, others), strict=True)
    )
    return given, old, new, read


def number(trace: Trace) -> int:
    """The number of user accesses of a run."""
    return sum(isinstance(event, Access) for event in trace.events)


def faulted(trace: Trace) -> bool:
    """Whether a user access faulted in a run."""
    return any(isinstance(event, Fault) for event in trace.events)


def add(pair: Pair, old: Trace, new: Trace, outcome: Outcome) -> None:
    """Add a comparison to the evidence, unless it was unusable."""
    pair.lost += outcome.lost
    if not outcome.usable:
        return
    pair.compared += 1
    pair.permitted |= outcome.permitted
    pair.kept |= outcome.left
    if outcome.permitted & REPORTED:
        pair.reports.add(old.result)
    elif not faulted(old):
        pair.answers.add(old.result)
    pair.doubts += [outcome.doubt] if outcome.doubt else []
    for side, trace in enumerate((old, new)):
        pair.taken[side].update(trace.path)
        pair.reached[side].update(trace.reached)
        pair.done[side].update(trace.done)
        pair.failed[side].update(trace.failed)
        pair.unknown |= trace.unknown
        if not faulted(trace):
            for site in pair.places[side].sites:
                turns = trace.done.get(site, 0)
                pair.turns[side].setdefault(site, set()).add(turns)
    pair.accesses += number(new)
    pair.faults += faulted(old)
