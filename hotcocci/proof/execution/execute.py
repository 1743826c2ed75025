# SPDX-License-Identifier: GPL-2.0
"""Does the new code do what the old code did? Both are run, and compared input by input."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from pathlib import Path

from hotcocci.engines.machine.calls import allowed, noreturn
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PERMITTED, SAME, Execution
from hotcocci.proof.execution.changed import Changed
from hotcocci.proof.execution.compare import compare, moved_calls, side_by_side
from hotcocci.proof.execution.compiled import NothingToRunError, Side, side
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

# Inputs of which every access is made to fault: those that go a way of their own, and some more.
FAULTED = 24
SAMPLED = 8
# Of the old side, in all runs of one function: about five seconds.
INSTRUCTIONS = 400_000
COLD = ".cold"


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
    left: int = 0
    usable: int = 0
    permitted: set[str] = field(default_factory=set)


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
    both = [frozenset(f.name for f in one.image.functions) for one in (old, new)]
    names &= both[0] & both[1]
    missing = _not_compiled(build, command.file, (old, new), changed)
    if not names and not missing:
        why = "no function of both sides has code of the changed lines"
        raise NothingToRunError(why)
    safe, ends = frozenset(allowed(build.tree)), noreturn(build.tree)
    # What was inlined on one side only is followed on the other, and what should have been.
    inline = (
        both[0] - both[1] | old.accessors(),
        both[1] - both[0] | new.accessors(),
    )
    machines = (
        Machine(processor, old.image, old.signatures, inline[0], safe, ends),
        Machine(processor, new.image, new.signatures, inline[1], safe, ends),
    )
    return (
        *missing,
        *(
            _function(build, command.file, name, (old, new), machines, changed)
            for name in sorted(names)
        ),
    )


def _not_compiled(
    build: Build, unit: str, sides: tuple[Side, Side], changed: Changed
) -> tuple[Execution, ...]:
    """The hunks with accesses that left no code on either side: nothing can be said of them."""
    target = build.target.name
    found: dict[str, Execution] = {}
    for hunk in changed.hunks:
        if not hunk.accesses:
            continue
        if sides[0].on(changed.file, hunk.old) or sides[1].on(changed.file, hunk.new):
            continue
        lines = f"lines {min(hunk.new)} to {max(hunk.new)}"
        why = f"{lines} are not compiled for {target} in this configuration"
        found.setdefault(
            hunk.function, Execution(target, unit, hunk.function, NOT_PROVEN, why)
        )
    return tuple(found.values())


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
    left = f"{pair.left} more runs with faults were left out" if pair.left else ""
    return (PERMITTED if pair.permitted else SAME), left


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
    for machine, function, branches in zip(
        pair.machines, pair.functions, pair.branches, strict=True
    ):
        corpus = explore(machine, function, corpus, branches)
    layout = pair.machines[0].processor.layout
    # Each input once more with memory that others write to meanwhile.
    corpus += [replace(given, moving=True) for given in corpus if not given.moving]
    ran = [(given, *_both(pair, given)) for given in corpus]
    moved = frozenset(
        name
        for given, old, new, _ in ran
        if _ended(old, new) and not given.moving
        for name in moved_calls(old, new)
    )
    planned: list[list[Input]] = []
    known: set[Edge] = set()
    for given, old, new, read in ran:
        if moved and given.moving:
            # What is read before a call that is made earlier may be read behind it now.
            continue
        outcome = compare(old, new, layout, moved)
        if outcome.difference:
            return outcome.difference, side_by_side(old, new)
        if not outcome.usable:
            continue
        pair.permitted |= outcome.permitted
        ways = old.path | {(-branch, way) for branch, way in new.path}
        few = len(planned) < SAMPLED and not given.moving
        if len(planned) < FAULTED and (few or not ways <= known):
            known |= ways
            planned.append(list(plans(given, old, read, layout)))
    most = pair.machines[0].instructions + INSTRUCTIONS
    # Of every input the first plan, then of every input the second: should the limit be
    # reached, each has had its share.
    for plan in (p for turn in zip_longest(*planned) for p in turn if p):
        if pair.machines[0].instructions > most:
            pair.left += 1
            continue
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
    if _ended(old, new):
        pair.usable += 1
        pair.taken[0].update(old.path)
        pair.taken[1].update(new.path)
        pair.visited |= new.visited
        pair.accesses += sum(isinstance(e, Access) for e in new.events)
        pair.faults += any(isinstance(e, Fault) for e in old.events)
    return old, new, read


def _ended(old: Trace, new: Trace) -> bool:
    """Whether both runs came to an end that a kernel knows."""
    return {old.end, new.end} <= {RETURNED, STOPPED}
