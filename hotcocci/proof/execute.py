# SPDX-License-Identifier: GPL-2.0
"""Compare the old and the new code of every changed function.

The symbolic engine decides; a counter-example of its is confirmed by the emulator, or not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution
from hotcocci.machine.elf import COLD
from hotcocci.plural import count
from hotcocci.proof.changed import Changed
from hotcocci.proof.objects.altered import (
    altered,
    altered_data,
    elsewhere,
    misplaced,
    noted,
    other_data,
    specialised,
)
from hotcocci.proof.objects.compiled import (
    CompiledUnit,
    NothingToRunError,
    Side,
    side,
)
from hotcocci.proof.objects.credentials import credentials
from hotcocci.proof.objects.image import Function, Registry
from hotcocci.proof.objects.processor import Processor, listing
from hotcocci.proof.replay.compare import difference, side_by_side
from hotcocci.proof.replay.machine import TARGET, run
from hotcocci.proof.symbolic.answer import DIFFERS, Answer
from hotcocci.proof.symbolic.answer import PROVEN as FOR_ALL
from hotcocci.proof.symbolic.prover import EFFORT, Question, for_all


def execute(
    unit: CompiledUnit,
    changed: Changed,
    unseen: Sequence[Execution] = (),
    effort: int = EFFORT,
) -> tuple[Execution, ...]:
    """Compare every function that a change touches in one compilation.

    ``unseen`` are the changed lines that no comparison shows; ``effort`` limits the work on one
    function. Raises ExecutionError where nothing can be compared.
    """
    processor = unit.processor
    registry = Registry(processor.layout)
    old, new = (
        side(unit, number, registry, changed.aligned.original(number))
        for number in (0, 1)
    )
    both = [{f.name: f for f in one.image.functions} for one in (old, new)]
    question = Question(
        unit.target,
        (old, new),
        # Step into functions that only the other side inlined, and into accessors.
        (
            frozenset(both[0].keys() - both[1].keys()) | old.accessors(),
            frozenset(both[1].keys() - both[0].keys()) | new.accessors(),
        ),
        processor,
        unit.safe,
        unit.ends,
        credentials(old.signatures, unit.changers),
    )
    names = _functions(old, changed.file, changed.old)
    names |= _functions(new, changed.file, changed.new)
    different = altered(processor, old.image, new.image)
    names |= different
    names &= both[0].keys() & both[1].keys()
    missing = (
        *unseen,
        *_beyond_code(unit.target, unit.file, (old, new)),
    )
    if not names and not missing:
        why = "no function present before and after has code for the changed lines"
        raise NothingToRunError(why)
    found = list(missing)
    # Where data changed, a run may differ in addresses alone.
    replays = not altered_data(old.image, new.image)
    lines = changed.old, changed.new
    for name in sorted(names):
        if name not in different and _is_same(name, old, new):
            found.append(Execution(unit.target, unit.file, name, PROVEN))
            continue
        sites = (
            _sites(processor, old, name, changed.file, lines[0]),
            _sites(processor, new, name, changed.file, lines[1]),
        )
        functions = both[0][name], both[1][name]
        found.append(judged(question, unit.file, functions, sites, replays, effort))
    return tuple(found)


def _is_same(name: str, old: Side, new: Side) -> bool:
    """Whether a function whose code is the same means the same by what gcc, and we, say of its instructions."""
    return (
        noted(old.image, name) == noted(new.image, name)
        and old.signatures.of(name) == new.signatures.of(name)
        and not other_data(old.image, new.image, name)
    )


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


def _sites(
    processor: Processor, one: Side, name: str, file: str, lines: Collection[int]
) -> frozenset[int]:
    """The user accesses of a function on these lines, or calls of routines that make them."""
    image, found = one.image, set()
    for function in image.functions:
        if function.name not in (name, name + COLD):
            continue
        for address, step in listing(processor, image, function):
            if address in image.fixups or step.target in image.routines:
                where, line = one.at(address)
                if line in lines and f"/{where}".endswith(f"/{file}"):
                    found.add(address)
    return frozenset(found)


def judged(
    question: Question,
    unit: str,
    functions: tuple[Function, Function],
    sites: tuple[frozenset[int], frozenset[int]],
    replays: bool,
    effort: int,
) -> Execution:
    """Compare a function of a compiled file for all inputs.

    A difference counts only if the emulator confirms it, as the model of the symbolic engine allows
    more than can happen; else, or unless it ``replays``, the function is not proven. ``sites`` are the
    user accesses on changed lines, by side; ``effort`` limits the work.
    """
    answer = for_all(question, functions, sites, effort)
    found = stated(question.target, unit, functions[0].name, answer)
    example = answer.example
    if example is None or not replays or question.target != TARGET:
        return found
    old, new = (run(question, n, functions[n], example) for n in (0, 1))
    detail = difference(old, new)
    if not detail:
        return found
    traces = side_by_side(old, new)
    return replace(found, verdict=DIFFERENT, detail=detail, traces=traces)


def stated(target: str, unit: str, name: str, answer: Answer) -> Execution:
    """A symbolic answer as the verdict on a function."""
    if answer.verdict == FOR_ALL and not answer.turns:
        return Execution(
            *(target, unit, name, PROVEN),
            permitted=answer.permitted,
            assumed=answer.assumed,
            paths=answer.paths,
        )
    why = answer.what
    if answer.verdict == DIFFERS:
        why = f"may differ: {why}"
    elif answer.verdict == FOR_ALL:
        # The loop may run longer than the paths that were followed.
        why = f"proven only up to {count(answer.turns, 'loop iteration')}"
    return Execution(target, unit, name, NOT_PROVEN, why)
