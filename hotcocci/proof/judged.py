# SPDX-License-Identifier: GPL-2.0
"""What both engines say of a function: the emulator of some inputs, the symbolic one of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from hotcocci.output.text import count
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, SAMPLED, Execution
from hotcocci.proof.boot.outcome import TARGET as BOOTED
from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.symbolic.prover import DIFFERS, Answer, Question, for_all
from hotcocci.proof.symbolic.prover import PROVEN as FOR_ALL


# Runs inputs, and tells the first difference and both runs of it, None if there is none.
Replay = Callable[[Iterable[Input]], tuple[str, tuple[str, ...]] | None]
# Runs of one example, which does not say all that an input has.
SEEDS = 8


def judged(
    ran: Execution,
    question: Question,
    sites: tuple[frozenset[int], frozenset[int]],
    replay: Replay,
) -> Execution:
    """The verdict on a function that was run.

    A difference that was seen stands. One that the symbolic engine finds is run: only what is
    seen there is a difference, as its model allows more than happens. The code is not proven then.
    """
    if ran.verdict == DIFFERENT:
        return ran
    functions = [
        next(f for f in side.image.functions if f.name == ran.function)
        for side in question.sides
    ]
    answer = for_all(question, (functions[0], functions[1]), sites)
    if answer.example is not None:
        seen = replay(examples(answer.example))
        if seen is not None:
            detail, traces = seen
            return replace(ran, verdict=DIFFERENT, detail=detail, traces=traces)
    return combined(ran, answer)


def examples(given: Input) -> list[Input]:
    """An example with several values for what it leaves open."""
    still = [replace(given, seed=seed) for seed in range(SEEDS)]
    return [*still, *(replace(each, moving=True) for each in still)]


def speaks_against(execution: Execution, sampled: bool, unproven: bool) -> bool:
    """Whether a verdict keeps a change from being taken.

    ``sampled`` takes what did the same on all inputs that were tried, ``unproven`` also what
    could not be compared. A booted kernel is one more witness: there only a difference counts.
    """
    if execution.verdict == DIFFERENT:
        return True
    if execution.verdict == PROVEN or execution.target == BOOTED or unproven:
        return False
    return not (sampled and execution.verdict in SAMPLED)


def combined(ran: Execution, answer: Answer) -> Execution:
    """The verdict of runs and of an answer for all inputs."""
    if answer.verdict == FOR_ALL and not answer.turns:
        return replace(
            ran,
            verdict=PROVEN,
            detail="",
            permitted=answer.permitted,
            assumed=answer.assumed,
            paths=answer.paths,
        )
    if answer.verdict == DIFFERS:
        detail = f"may differ: {answer.what}"
        return replace(ran, verdict=NOT_PROVEN, detail=detail)
    why = f"not proven for all inputs: {answer.what}"
    if answer.verdict == FOR_ALL:
        # The loop may run longer than the paths that were followed.
        iterations = count(answer.turns, "loop iteration")
        why = f"proven for all inputs only up to {iterations}"
    detail = "; ".join(each for each in (ran.detail, why) if each)
    return replace(ran, detail=detail)
