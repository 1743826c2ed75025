# SPDX-License-Identifier: GPL-2.0
"""Run the old and the new code of every changed function and compare them input by input."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from hotcocci.engines.machine.elf import COLD
from hotcocci.findings import NOT_PROVEN, Execution
from hotcocci.proof.execution.altered import (
    Object,
    altered,
    altered_data,
    elsewhere,
    misplaced,
    specialised,
)
from hotcocci.proof.execution.changed import Changed
from hotcocci.proof.execution.compiled import (
    CompiledUnit,
    NothingToRunError,
    Side,
    side,
)
from hotcocci.proof.execution.credentials import credentials
from hotcocci.proof.execution.effects import observed
from hotcocci.proof.execution.machine import Machine
from hotcocci.proof.execution.pair import Pair
from hotcocci.proof.execution.places import places as find_places
from hotcocci.proof.execution.runs import compared, replayed
from hotcocci.proof.execution.space import Registry
from hotcocci.proof.execution.verdict import verdict
from hotcocci.proof.judged import Replay, judged
from hotcocci.proof.symbolic.prover import Question

# The user accesses of the changed lines, before and after.
Sites = tuple[frozenset[int], frozenset[int]]


def execute(
    unit: CompiledUnit,
    changed: Changed,
    unseen: Sequence[Execution] = (),
    judge: Callable[[Execution, Question, Sites, Replay], Execution] = judged,
) -> tuple[Execution, ...]:
    """Compare every function that a change touches in one compilation.

    ``unseen`` are the changed lines that no comparison shows; ``judge`` turns the result of the runs
    into the final verdict. Raises ExecutionError where nothing can be run.
    """
    processor, safe, ends = unit.processor, unit.safe, unit.ends
    registry = Registry(processor.layout)
    old, new = (
        side(unit, number, registry, changed.aligned.original(number))
        for number in (0, 1)
    )
    both = [frozenset(f.name for f in one.image.functions) for one in (old, new)]
    # Step into functions that only the other side inlined, and into accessors.
    inline = (
        both[0] - both[1] | old.accessors(),
        both[1] - both[0] | new.accessors(),
    )
    known = credentials(old.signatures, registry, unit.changers)
    question = Question(
        unit.target,
        (old, new),
        inline,
        processor,
        safe,
        ends,
        known,
    )
    machines = (
        Machine(
            processor,
            old.image,
            old.signatures,
            inline[0],
            safe,
            ends,
            known,
            old.through,
        ),
        Machine(
            processor,
            new.image,
            new.signatures,
            inline[1],
            safe,
            ends,
            known,
            new.through,
        ),
    )
    names = _functions(old, changed.file, changed.old)
    names |= _functions(new, changed.file, changed.new)
    objects = [
        Object(one.image, machine.listing)
        for one, machine in zip((old, new), machines, strict=True)
    ]
    names |= altered(objects[0], objects[1])
    names &= both[0] & both[1]
    missing = (
        *unseen,
        *_beyond_code(unit.target, unit.file, (old, new)),
    )
    if not names and not missing:
        why = "no function present before and after has code for the changed lines"
        raise NothingToRunError(why)
    for machine, one in zip(machines, (old, new), strict=True):
        every = one.image.functions
        machine.observed = observed(one.at, one.volatile, machine.listing, every)
    found = list(missing)
    for name in sorted(names):
        ran, pair = _function(unit, name, (old, new), machines, changed)
        sites = pair.places[0].sites, pair.places[1].sites
        found.append(judge(ran, question, sites, partial(replayed, pair)))
    return tuple(found)


def _beyond_code(
    target: str, unit: str, sides: tuple[Side, Side]
) -> Iterator[Execution]:
    """A NOT_PROVEN result for each change that runs of functions do not see."""
    old, new = sides[0].image, sides[1].image
    for function, why in misplaced(old, new).items():
        yield Execution(target, unit, function, NOT_PROVEN, why)
    function = specialised(old, new)
    if function:
        why = f"{function}() runs other code on processors with other features"
        yield Execution(target, unit, "", NOT_PROVEN, why)
    why = elsewhere(old, new)
    if why:
        yield Execution(target, unit, "", NOT_PROVEN, why)
    section = altered_data(old, new)
    if section:
        why = f"the contents of {section} changed"
        yield Execution(target, unit, "", NOT_PROVEN, why)


def _functions(one: Side, file: str, lines: Collection[int]) -> set[str]:
    """The functions whose code, inlined or not, comes from these lines."""
    found = (one.image.function_at(address) for address in one.on(file, lines))
    return {f.name.removesuffix(COLD) for f in found if f is not None}


def _function(
    unit: CompiledUnit,
    name: str,
    sides: tuple[Side, Side],
    machines: tuple[Machine, Machine],
    changed: Changed,
) -> tuple[Execution, Pair]:
    functions = [
        next(f for f in one.image.functions if f.name == name) for one in sides
    ]
    places = [
        find_places(machines[number], one, name, changed, number)
        for number, one in enumerate(sides)
    ]
    for machine, place in zip(machines, places, strict=True):
        starts = frozenset(at for several in place.lines.values() for at in several)
        machine.watched = starts | place.branches
    pair = Pair(
        machines,
        (functions[0], functions[1]),
        (places[0], places[1]),
        changed.is_kernel_only(places[0].lines, places[1].lines),
    )
    difference, traces = compared(pair)
    counts = tuple(
        count
        for number, place in enumerate(places)
        for count in (
            len({e for e in pair.taken[number] if e[0] in place.branches}),
            2 * len(place.branches),
        )
    )
    said, detail = verdict(pair, difference)
    ran = Execution(
        unit.target,
        unit.file,
        name,
        said,
        detail,
        pair.runs,
        pair.faults,
        (counts[0], counts[1], counts[2], counts[3]),
        tuple(sorted(pair.permitted)),
        traces,
        len(pair.values),
        min(pair.values.values(), default=0),
    )
    return ran, pair
