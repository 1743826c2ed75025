# SPDX-License-Identifier: GPL-2.0
"""Combine the verdicts of both engines: the emulator for some inputs, the symbolic one for all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from hotcocci.errors import AGAIN
from hotcocci.plural import count
from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution
from hotcocci.proof.execution.inputs import Input
from hotcocci.proof.symbolic.answer import DIFFERS, Answer
from hotcocci.proof.symbolic.answer import PROVEN as FOR_ALL
from hotcocci.proof.symbolic.prover import Question, for_all


# Runs inputs; returns the first difference and both runs, None if there is no difference.
Replay = Callable[[Iterable[Input]], tuple[str, tuple[str, ...]] | None]
# How many seeds to run a counter-example with, as it does not set everything.
SEEDS = 8


def judged(
    ran: Execution,
    question: Question,
    sites: tuple[frozenset[int], frozenset[int]],
    replay: Replay,
) -> Execution:
    """Return the final verdict on a function that was run.

    A difference seen in the emulator stands. One found by the symbolic engine is replayed and
    counts only if the emulator confirms it, as the model allows more than can happen; else the
    function is not proven.
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
    """A counter-example with several seeds for what it does not set."""
    still = [replace(given, seed=seed) for seed in range(SEEDS)]
    return [*still, *(replace(each, moving=True) for each in still)]


def combined(ran: Execution, answer: Answer) -> Execution:
    """The verdict from the runs and the symbolic answer."""
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
        # Notes on runs that agree do not matter then.
        doubt = ran.detail if ran.verdict == NOT_PROVEN else ""
        detail = _joined(f"may differ: {answer.what}", doubt)
        return replace(ran, verdict=NOT_PROVEN, detail=detail)
    why = f"not proven for all inputs: {answer.what}"
    if answer.verdict == FOR_ALL:
        # The loop may run longer than the paths that were followed.
        iterations = count(answer.turns, "loop iteration")
        why = f"proven for all inputs only up to {iterations}"
    detail = _joined(why, ran.detail)
    if answer.unmodelled:
        # The runs do not show its effect, so that they are no evidence.
        detail = f"runs do not show what {answer.unmodelled} does; {detail}"
        return replace(ran, verdict=NOT_PROVEN, detail=detail)
    return replace(ran, detail=detail)


def _joined(*reasons: str) -> str:
    """The reasons in this order, but failures of the machine last: the cache knows them by the end."""
    machine_last = sorted(filter(None, reasons), key=lambda why: why.endswith(AGAIN))
    return "; ".join(machine_last)
