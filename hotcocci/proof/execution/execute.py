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
from hotcocci.proof.execution.compare import (
    Outcome,
    compare,
    is_usable,
    moved_calls,
    side_by_side,
)
from hotcocci.proof.execution.compiled import NothingToRunError, Side, side
from hotcocci.proof.execution.credentials import ASSUMED, credentials
from hotcocci.proof.execution.explore import SEEDS, Edge, explore
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
    """Both sides of one function, and what running them has shown so far.

    ``lines`` are the changed lines that have code, with the instructions that they begin with.
    All but ``runs`` counts only runs that could be compared; ``lost`` those that could not, as
    the new code did not come to an end in the emulator. ``kernel_only`` tells that the change has
    nothing to do with user memory, ``unchanged`` which line was which before.
    """

    machines: tuple[Machine, Machine]
    functions: tuple[Function, Function]
    branches: tuple[frozenset[int], frozenset[int]]
    lines: tuple[dict[int, set[int]], dict[int, set[int]]]
    guarded: frozenset[int]
    kernel_only: bool
    unchanged: Mapping[int, int]
    taken: tuple[set[Edge], set[Edge]] = field(default_factory=lambda: (set(), set()))
    reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    visited: set[int] = field(default_factory=set)
    accesses: int = 0
    runs: int = 0
    # Inputs with which both sides read the task's credentials, and came to an end
    credentials: int = 0
    faults: int = 0
    left: int = 0
    lost: int = 0
    compared: int = 0
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
    known = credentials(old.signatures, registry)
    machines = (
        Machine(processor, old.image, old.signatures, inline[0], safe, ends, known),
        Machine(processor, new.image, new.signatures, inline[1], safe, ends, known),
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
    places = [
        _places(machines[number], one, name, changed, number)
        for number, one in enumerate(sides)
    ]
    for machine, place in zip(machines, places, strict=True):
        starts = frozenset(at for several in place.lines.values() for at in several)
        machine.watched = starts | place.branches
    pair = _Pair(
        machines,
        (functions[0], functions[1]),
        (places[0].branches, places[1].branches),
        (places[0].lines, places[1].lines),
        places[1].guarded,
        changed.is_kernel_only(places[0].lines, places[1].lines),
        changed.unchanged,
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
        build.target.name,
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
    if pair.lost:
        return NOT_PROVEN, f"{pair.lost} runs that ended before could not be followed"
    if not pair.compared:
        return NOT_PROVEN, "no two runs of it could be compared"
    if not (pair.accesses or pair.credentials or pair.kernel_only):
        return NOT_PROVEN, "no run of it reached user memory"
    missed = pair.guarded - pair.visited
    if missed:
        of = len(pair.guarded)
        return NOT_PROVEN, f"{len(missed)} of {of} changed accesses were not reached"
    for side_, when in enumerate(("before", "after")):
        reached = pair.reached[side_]
        lines = sorted(
            line for line, starts in pair.lines[side_].items() if not starts & reached
        )
        if lines:
            which = ", ".join(map(str, lines))
            return NOT_PROVEN, f"{when} the change, no run reached line {which}"
        branches = pair.branches[side_] - reached
        if branches:
            of = len(pair.branches[side_])
            said = f"{len(branches)} of {of} changed branches were not reached"
            return NOT_PROVEN, f"{when} the change, {said}"
    left = [f"{pair.left} more runs with faults were left out"] if pair.left else []
    # The two sides may read them at different places, between which there are calls.
    left += [ASSUMED] if pair.credentials else []
    return (PERMITTED if pair.permitted else SAME), "; ".join(left)


@dataclass(frozen=True)
class _Places:
    """What a function has of the changed lines: branches, guarded accesses, and lines with code."""

    branches: frozenset[int]
    guarded: frozenset[int]
    lines: dict[int, set[int]]


def _places(
    machine: Machine, one: Side, name: str, changed: Changed, number: int
) -> _Places:
    lines = (changed.old, changed.new)[number]
    branches, guarded = set(), set()
    starts: dict[int, set[int]] = {}
    file, written = changed.file, changed.written(number)
    beginnings = set(one.on(file, written))
    for function in one.image.functions:
        if function.name not in (name, name + COLD):
            continue
        for address, kind in machine.listing(function):
            where, line = one.at(address)
            if line not in lines or not (where == file or where.endswith(f"/{file}")):
                continue
            if kind == BRANCH and line in written and address not in one.image.labels:
                branches.add(address)
            if address in one.image.fixups:
                guarded.add(address)
            if address in beginnings:
                starts.setdefault(line, set()).add(address)
    return _Places(frozenset(branches), frozenset(guarded), starts)


def _compared(pair: _Pair) -> tuple[str, tuple[str, ...]]:
    """Compare run by run; the first difference, and both runs of it."""
    corpus: list[Input] = []
    for machine, function in zip(pair.machines, pair.functions, strict=True):
        corpus = explore(machine, function, corpus, len(pair.guarded))
    # Code without a branch and without an access has one way only.
    corpus = corpus or [Input(seed) for seed in range(SEEDS)]
    layout = pair.machines[0].processor.layout
    # Each input once more with memory that others write to meanwhile.
    corpus += [replace(given, moving=True) for given in corpus if not given.moving]
    ran = [(given, *both) for given in corpus if (both := _both(pair, given))]
    moved = frozenset(
        name
        for given, old, new, _ in ran
        if not given.moving and {old.end, new.end} <= {RETURNED, STOPPED}
        for name in moved_calls(old, new)
    )
    planned: list[list[Input]] = []
    known: set[Edge] = set()
    for given, old, new, read in ran:
        if moved and given.moving:
            # What is read before a call that is made earlier may be read behind it now.
            continue
        outcome = compare(old, new, layout, moved, pair.unchanged)
        _count(pair, old, new, outcome)
        if outcome.difference:
            return outcome.difference, side_by_side(old, new)
        if not outcome.usable:
            continue
        ways = old.path | {(-branch, way) for branch, way in new.path}
        few = len(planned) < SAMPLED and not given.moving
        if len(planned) < FAULTED and (few or not ways <= known):
            known |= ways
            alike = _number(old) == _number(new)
            planned.append(
                [
                    plan
                    for plan in plans(given, old, read, layout)
                    # The third access of one is not that of the other where a copy stands for
                    # several: there only addresses say what faults.
                    if alike or plan.fault is None
                ]
            )
    most = pair.machines[0].instructions + INSTRUCTIONS
    # Of every input the first plan, then of every input the second: should the limit be
    # reached, each has had its share.
    for plan in (p for turn in zip_longest(*planned) for p in turn if p):
        if pair.machines[0].instructions > most:
            pair.left += 1
            continue
        both = _both(pair, plan)
        if both is None:
            continue
        old, new, _ = both
        outcome = compare(old, new, layout, moved, pair.unchanged)
        _count(pair, old, new, outcome)
        if outcome.difference:
            return outcome.difference, side_by_side(old, new)
    return "", ()


def _number(trace: Trace) -> int:
    """How many accesses a run made."""
    return sum(isinstance(event, Access) for event in trace.events)


def _both(
    pair: _Pair, given: Input
) -> tuple[Trace, Trace, Mapping[Origin, int]] | None:
    """Run both sides; nothing if the old one's run says nothing."""
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
    return old, new, read


def _count(pair: _Pair, old: Trace, new: Trace, outcome: Outcome) -> None:
    """What a comparison adds to the evidence; nothing if it said nothing."""
    pair.lost += outcome.lost
    if not outcome.usable:
        return
    pair.compared += 1
    pair.permitted |= outcome.permitted
    for number, trace in enumerate((old, new)):
        pair.taken[number].update(trace.path)
        pair.reached[number].update(trace.reached)
    pair.visited |= new.visited
    pair.accesses += _number(new)
    pair.faults += any(isinstance(e, Fault) for e in old.events)
