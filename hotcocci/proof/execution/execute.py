# SPDX-License-Identifier: GPL-2.0
"""Does the new code do what the old code did? Both are run, and compared input by input."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME, Execution
from hotcocci.proof.execution.compare import compare, moved_calls, side_by_side
from hotcocci.proof.execution.compiled import ExecutionError, Side, side
from hotcocci.proof.execution.explore import Edge, explore
from hotcocci.proof.execution.faults import plans
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.inputs import Input, Origin
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.processor import BRANCH, Processor
from hotcocci.proof.execution.space import Registry
from hotcocci.proof.execution.trace import RETURNED, STOPPED, Access, Fault, Trace
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command

# Inputs of which every access is made to fault, and runs of one function in all.
FAULTED = 24
RUNS = 3000
COLD = ".cold"


@dataclass(frozen=True)
class Changed:
    """The lines of a file that differ, before and after, by number."""

    file: str
    old: frozenset[int]
    new: frozenset[int]


@dataclass
class _Pair:
    """Both sides of one function, and what running them has shown so far."""

    machines: tuple[Machine, Machine]
    functions: tuple[Function, Function]
    branches: tuple[frozenset[int], frozenset[int]]
    guarded: frozenset[int]
    taken: tuple[set[Edge], set[Edge]] = field(default_factory=lambda: (set(), set()))
    visited: set[int] = field(default_factory=set)
    accesses: int = 0
    runs: int = 0
    faults: int = 0
    usable: int = 0
    permitted: set[str] = field(default_factory=set)


def changed_lines(file: str, old: str, new: str) -> Changed:
    """The lines that a change touches; where lines are only added or only gone, their neighbours."""
    before, after = old.splitlines(), new.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    was: set[int] = set()
    now: set[int] = set()
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            was |= set(range(a + 1, b + 1)) or {a, a + 1}
            now |= set(range(c + 1, d + 1)) or {c, c + 1}
    return Changed(file, frozenset(was), frozenset(now))


def execute(
    build: Build,
    command: Command,
    places: tuple[Path, Path],
    scratch: Path,
    changed: Changed,
    processor: Processor,
) -> tuple[Execution, ...]:
    """Run every function that a change touches, as one file is compiled.

    ``places`` are overlays of the tree, before and after. Raises ExecutionError where nothing can
    be run, and BuildError if there is no compiler.
    """
    registry = Registry(processor.layout)
    old, new = (
        side(build, command, place, scratch / f"{name}.o", processor, registry)
        for place, name in zip(places, ("old", "new"), strict=True)
    )
    names = _functions(old, changed.file, changed.old)
    names |= _functions(new, changed.file, changed.new)
    both = [{f.name for f in one.image.functions} for one in (old, new)]
    names &= both[0] & both[1]
    if not names:
        raise ExecutionError("no function of both sides has code of the changed lines")
    # What was inlined on one side only is followed on the other.
    machines = (
        Machine(processor, old.image, old.signatures, frozenset(both[0] - both[1])),
        Machine(processor, new.image, new.signatures, frozenset(both[1] - both[0])),
    )
    return tuple(
        _function(build, command.file, name, (old, new), machines, changed)
        for name in sorted(names)
    )


def _functions(one: Side, file: str, lines: Collection[int]) -> set[str]:
    """The functions that hold code of these lines, inlined or not."""
    found = (one.image.function_at(address) for address in one.on(file, lines))
    return {f.name.removesuffix(COLD) for f in found if f is not None}


def _function(
    build: Build,
    unit: str,
    name: str,
    sides: tuple[Side, Side],
    machines: tuple[Machine, Machine],
    changed: Changed,
) -> Execution:
    functions = [
        next(f for f in one.image.functions if f.name == name) for one in sides
    ]
    target = build.target.name
    lines = (changed.old, changed.new)
    branches, guarded = [], frozenset[int]()
    for number, one in enumerate(sides):
        found, covered = _places(
            machines[number], one, name, changed.file, lines[number]
        )
        branches.append(found)
        guarded = covered
    pair = _Pair(
        machines, (functions[0], functions[1]), (branches[0], branches[1]), guarded
    )
    difference, traces = _compared(pair)
    counts = tuple(
        count
        for number in (0, 1)
        for count in (
            len({e for e in pair.taken[number] if e[0] in pair.branches[number]}),
            2 * len(pair.branches[number]),
        )
    )
    verdict, detail = _verdict(pair, difference)
    return Execution(
        target,
        unit,
        name,
        verdict,
        detail,
        pair.runs,
        pair.faults,
        (counts[0], counts[1], counts[2], counts[3]),
        tuple(sorted(pair.permitted)),
        traces,
    )


def _verdict(pair: _Pair, difference: str) -> tuple[str, str]:
    if difference:
        return DIFFERENT, difference
    if not pair.usable:
        return NOT_PROVEN, "no run of it ended"
    if not pair.accesses:
        return NOT_PROVEN, "no run of it reached user memory"
    missed = pair.guarded - pair.visited
    if missed:
        of = len(pair.guarded)
        return NOT_PROVEN, f"{len(missed)} of {of} changed accesses were not reached"
    return (PERMITTED if pair.permitted else SAME), ""


def _places(
    machine: Machine, one: Side, name: str, file: str, lines: frozenset[int]
) -> tuple[frozenset[int], frozenset[int]]:
    """The branches of a function on changed lines, and its guarded accesses there."""
    branches, guarded = set(), set()
    for function in one.image.functions:
        if function.name not in (name, name + COLD):
            continue
        for address, kind in machine.listing(function):
            where, line = one.at(address)
            if line not in lines or not (where == file or where.endswith(f"/{file}")):
                continue
            if kind == BRANCH and address not in one.image.labels:
                branches.add(address)
            if address in one.image.fixups:
                guarded.add(address)
    return frozenset(branches), frozenset(guarded)


def _compared(pair: _Pair) -> tuple[str, tuple[str, ...]]:
    """Compare run by run; the first difference, and both runs of it."""
    corpus: list[Input] = []
    for number in (0, 1):
        corpus = explore(
            pair.machines[number],
            pair.functions[number],
            corpus,
            pair.branches[number],
        )
    interesting: list[tuple[Input, Trace, Mapping[Origin, int], frozenset[str]]] = []
    layout = pair.machines[0].processor.layout
    known: set[Edge] = set()
    for given in corpus:
        old, new, read = _both(pair, given)
        outcome = compare(old, new, layout)
        if outcome.difference:
            return outcome.difference, side_by_side(old, new)
        if not outcome.usable:
            continue
        pair.permitted |= outcome.permitted
        fresh = old.path | {(-a, b) for a, b in new.path}
        if not fresh <= known or len(interesting) < FAULTED // 3:
            known |= fresh
            interesting.append((given, old, read, moved_calls(old, new)))
    for given, trace, read, moved in interesting[:FAULTED]:
        for plan in plans(given, trace, read, layout):
            if pair.runs > RUNS:
                return "", ()
            old, new, _ = _both(pair, plan)
            outcome = compare(old, new, layout, moved)
            if outcome.difference:
                return outcome.difference, side_by_side(old, new)
            pair.permitted |= outcome.permitted
    return "", ()


def _both(pair: _Pair, given: Input) -> tuple[Trace, Trace, Mapping[Origin, int]]:
    old, read = pair.machines[0].run(pair.functions[0], given)
    new, _ = pair.machines[1].run(pair.functions[1], given)
    pair.runs += 2
    ended = (RETURNED, STOPPED)
    if old.end in ended and new.end in ended:
        pair.usable += 1
        pair.taken[0].update(old.path)
        pair.taken[1].update(new.path)
        pair.visited |= new.visited
        pair.accesses += sum(isinstance(e, Access) for e in new.events)
        pair.faults += any(isinstance(e, Fault) for e in old.events)
    return old, new, read
