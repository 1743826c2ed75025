# SPDX-License-Identifier: GPL-2.0
"""The verdict on a function: the symbolic engine's, with a counter-example that the emulator confirms."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution
from hotcocci.plural import count
from hotcocci.proof.execution.image import Function
from hotcocci.proof.execution.replay import Replay
from hotcocci.proof.symbolic.answer import DIFFERS, Answer
from hotcocci.proof.symbolic.answer import PROVEN as FOR_ALL
from hotcocci.proof.symbolic.prover import Question, for_all


def judged(
    question: Question,
    unit: str,
    functions: tuple[Function, Function],
    sites: tuple[frozenset[int], frozenset[int]],
    replay: Replay | None,
    effort: int,
) -> Execution:
    """Compare a function of a compiled file for all inputs.

    A difference counts only if the emulator confirms it, as the model of the symbolic engine allows
    more than can happen; else, or without a ``replay``, the function is not proven. ``sites`` are the
    user accesses on changed lines, by side; ``effort`` limits the work.
    """
    answer = for_all(question, functions, sites, effort)
    found = stated(question.target, unit, functions[0].name, answer)
    if found.verdict == PROVEN or replay is None:
        return found
    seen = replay.of(functions, answer.example)
    if seen is None:
        return found
    detail, traces = seen
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
