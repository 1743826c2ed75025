# SPDX-License-Identifier: GPL-2.0
"""Prove that two functions do the same for all inputs, or find a difference."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import z3

from hotcocci.errors import AGAIN
from hotcocci.proof.objects.altered import other_data
from hotcocci.proof.objects.compiled import ASSUMED, CURRENT
from hotcocci.proof.objects.image import Function, Image
from hotcocci.proof.objects.processor import passed
from hotcocci.proof.objects.signatures import Value
from hotcocci.proof.symbolic import values as v
from hotcocci.proof.symbolic.access import Stable
from hotcocci.proof.symbolic.architecture import Architecture
from hotcocci.proof.symbolic.calls import truths
from hotcocci.proof.symbolic.code import Block, Code, Liveness, helpers
from hotcocci.proof.symbolic.cut import Cuts
from hotcocci.proof.symbolic.example import example
from hotcocci.proof.symbolic.joint import Context, Different, Joint
from hotcocci.proof.symbolic.memory import Terms, Written, stored
from hotcocci.proof.symbolic.permitting import require_reports
from hotcocci.proof.symbolic.prover import (
    DIFFERS,
    PROVEN,
    UNKNOWN,
    Answer,
    Memory,
    Question,
)
from hotcocci.proof.symbolic.search import search
from hotcocci.proof.symbolic.solver import MEMORY, Solver
from hotcocci.proof.symbolic.state import Path, State, UnsupportedError
from hotcocci.proof.symbolic.values import Word

# What z3 may use
MEGABYTES = 4096
LEAK = "old and new code copy the same uninitialised bytes to user memory"
SETTLED = "what the old code reads again is what READ_ONCE() returned just before"
STACKED = 4


def for_all(
    question: Question,
    functions: tuple[Function, Function],
    sites: tuple[frozenset[int], frozenset[int]],
    effort: int,
) -> Answer:
    """Compare old and new code of a function for all inputs.

    ``sites`` are the user accesses on changed lines, by side, or calls of routines that make them: these must be
    compared. ``effort`` limits the work (solver.py).
    """
    old, new = (side.image for side in question.sides)
    data = other_data(old, new, functions[0].name)
    if data:
        return Answer(UNKNOWN, f"the contents of {data} changed")
    # z3 takes numbers as decimal text, and a page of memory is a number of 9,865 digits.
    sys.set_int_max_str_digits(0)
    return equivalent(question, functions, sites, effort)


def equivalent(
    question: Question,
    functions: tuple[Function, Function],
    sites: tuple[frozenset[int], frozenset[int]],
    effort: int,
) -> Answer:
    """The same, where the data that they load is."""
    left, arch = effort, question.processor
    top = arch.layout.top
    sp = top - arch.convention.frame
    # Shared by all attempts.
    blocks: tuple[dict[int, Block], dict[int, Block]] = ({}, {})
    known: list[Liveness] = []

    def codes() -> tuple[Code, Code]:
        terms = Terms(arch.registers.width, arch.layout.order)
        start = sp + arch.convention.stack
        old, new = (
            Code(question, number, terms, start, blocks[number]) for number in (0, 1)
        )
        return old, new

    def attempt(cuts: Cuts | None) -> Answer:
        nonlocal left
        before = _peak()
        z3.set_param("memory_max_size", MEGABYTES)
        try:
            solver = Solver(min(left, effort // 3))
            try:
                return compared(cuts, solver)
            finally:
                left -= solver.spent
        except (z3.Z3Exception, MemoryError) as error:
            return Answer(UNKNOWN, _failure(error, before))

    def compared(cuts: Cuts | None, solver: Solver) -> Answer:
        both = codes()
        if not known:
            known.extend(Liveness(code) for code in both)
        signature = both[0].signatures.of(functions[0].name)
        result = Value(8) if signature is None else signature.result
        stable = Stable(_current(both[0].image, arch), question.credentials, arch.task)
        names = functions[0].name, functions[1].name
        live = known[0], known[1]
        context = Context(both, solver, stable, names, top, result, live)
        old, new = (_start(*each, sp) for each in zip(both, functions, strict=True))
        try:
            found = search(context, Joint((old, new), path=_given(context)), cuts)
        except Different as different:
            if cuts is not None:
                raise UnsupportedError(str(different)) from different
            given = example(context, different)
            return Answer(DIFFERS, str(different), example=given)
        _require_reached(context, sites, found.paths)
        _require_untold(context)
        require_reports(context)
        notes = context.notes | ({LEAK} if context.leaks else set())
        notes |= {ASSUMED} if context.stable.read else set()
        return replace(found, assumed=tuple(sorted(notes)))

    # What was read last is no part of what paths are merged by.
    ways = WAYS[-1:] if question.settles else WAYS
    answer = _tried(attempt, lambda: left > 0, ways)
    if _looks_up(question, answer):
        if not question.looks_up:
            known_too = replace(question, looks_up=True)
            return equivalent(known_too, functions, sites, effort // 2)
        # In a run, a table has its own contents.
        answer = replace(answer, example=None)
    if answer.verdict == PROVEN and not answer.turns or question.settles:
        return answer
    called = helpers(codes(), functions) - {functions[0].name}
    if called:
        # What they answer may matter, such as a length that they have checked.
        old, new = (names | called for names in question.inline)
        deeper = replace(question, inline=(old, new))
        within = equivalent(deeper, functions, sites, effort // 2)
        if within.verdict == PROVEN and not within.turns:
            return within
    own = range(functions[0].start, functions[0].end)
    if answer.verdict == DIFFERS and any(at in own for at in codes()[0].image.volatile):
        settled = replace(question, settles=True)
        found = equivalent(settled, functions, sites, effort // 2)
        if found.verdict == PROVEN and not found.turns:
            return replace(found, assumed=tuple(sorted({*found.assumed, SETTLED})))
    return answer


def _looks_up(question: Question, answer: Answer) -> bool:
    """Whether a difference depends on the contents of constant tables."""
    images = [side.image for side in question.sides]
    values = answer.example.values if answer.example else {}
    places = [each.address for each in values if isinstance(each, Memory)]
    return any(image.is_constant(place) for image in images for place in places)


def _given(context: Context) -> Path:
    """What compilers take for granted of the arguments."""
    path, convention = Path(), context.arch.convention
    both = (
        code.signatures.of(name)
        for code, name in zip(context.codes, context.names, strict=True)
    )
    old, new = (passed(convention, each) if each else () for each in both)
    for each in old if old == new else ():
        for number in each.words[:1]:
            word = z3.BitVec(f"argument {number}", context.width)
            for truth in truths(context.arch, each.value, word):
                path = path.with_(truth)
    return path


def _require_reached(
    context: Context, sites: tuple[frozenset[int], frozenset[int]], paths: int
) -> None:
    """Raise UnsupportedError unless the changed accesses were compared: else nothing is proven."""
    if not paths:
        raise UnsupportedError("no path reaches its end")
    of_sides = zip(context.codes, sites, context.reached, strict=True)
    for when, (code, wanted, reached) in zip(
        ("before", "after"), of_sides, strict=True
    ):
        missed = {code.line(site) for site in wanted - reached}
        if missed:
            where = ", ".join(f"line {line}" for line in sorted(missed))
            why = f"{when} the change, no compared path makes the access at {where}"
            raise UnsupportedError(why)


def _require_untold(context: Context) -> None:
    """Raise UnsupportedError if a store skipped after a fault may depend on that fault.

    It must have stored the same words in a path without a fault.
    """
    for site, words in context.stopped.items():
        if not words <= context.stored.get(site, set()):
            line = context.codes[0].line(site)
            raise UnsupportedError(
                f"the data that line {line} stores after a fault may depend on the fault"
            )


# Ways to merge paths, cheapest first.
WAYS: tuple[Callable[[], Cuts | None], ...] = (
    partial(Cuts, widens=True),
    partial(Cuts, keeps=True, widens=True),
    partial(Cuts, keeps=True, widens=True, forgets=True),
    Cuts,
    partial(Cuts, keeps=True),
    # No merging.
    lambda: None,
)


def _tried(
    attempt: Callable[[Cuts | None], Answer],
    may_go_on: Callable[[], bool],
    ways: Sequence[Callable[[], Cuts | None]] = WAYS,
) -> Answer:
    """Return the cheapest proof that holds.

    A difference counts only without merging. A proof limited to some loop iterations is the last resort.
    """
    said = Answer(UNKNOWN, "nothing was tried")
    bounded: Answer | None = None
    again: Answer | None = None
    for way in ways:
        if not may_go_on():
            break
        cuts = way()
        try:
            answer = attempt(cuts)
            if answer.verdict == DIFFERS:
                said = answer
            elif not answer.turns:
                return answer
            else:
                bounded = bounded or answer
        except UnsupportedError as error:
            said = Answer(UNKNOWN, str(error))
            # It may hold on a faster machine, so what other ways leave open is no answer.
            again = again or (said if str(error).endswith(AGAIN) else None)
    if again is not None and said.verdict == UNKNOWN:
        return again
    return bounded or said


def _failure(error: z3.Z3Exception | MemoryError, before: float) -> str:
    """Why z3 failed. For lack of memory, it reached its own limit, or the machine has no more.

    Only the first says something about the code, and only if the `_peak` ``before`` was below the limit.
    """
    if isinstance(error, z3.Z3Exception) and MEMORY not in str(error):
        return f"z3: {error}"
    # At its limit z3 aborts when it frees a solver, as that takes memory, too.
    z3.set_param("memory_max_size", 0)
    if before < MEGABYTES <= _peak():
        return f"too much work: z3 needs over {MEGABYTES} MB"
    return f"out of memory: {AGAIN}"


def _peak() -> float:
    """The most memory that z3 had in this process, in megabytes."""
    return float(z3.Solver().statistics().get_key_value("max memory"))


def _current(image: Image, arch: Architecture) -> frozenset[int]:
    """The addresses of the pointer to the current task."""
    symbols, base = image.registry.symbols, arch.layout.percpu - arch.layout.outside
    return frozenset(base + symbols[name] for name in CURRENT if name in symbols)


def _start(code: Code, function: Function, sp: int) -> State:
    """The state at function entry: arguments are unknown and equal on both sides."""
    arch, width = code.arch, code.terms.width
    registers: dict[int, Word] = arch.start(code.side)
    for number, register in enumerate(arch.registers.arguments):
        registers[register] = v.unknown(f"argument {number}", width)
    registers[arch.registers.sp] = sp
    size = width // 8
    stack: dict[int, Written] = {}
    if arch.registers.link is not None:
        registers[arch.registers.link] = arch.layout.end
    else:
        stack = stored({}, sp, arch.layout.end, size, code.terms.order)
    for number in range(STACKED):
        word = v.unknown(f"argument {len(arch.registers.arguments) + number}", width)
        at = sp + arch.convention.stack + number * size
        stack = stored(stack, at, word, size, code.terms.order)
    return State(function.start, registers, stack)
