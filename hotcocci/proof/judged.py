# SPDX-License-Identifier: GPL-2.0
"""What both engines say of a function: the emulator of some inputs, the symbolic one of all."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, SAMPLED, Execution
from hotcocci.proof.boot.outcome import TARGET as BOOTED
from hotcocci.proof.symbolic.prover import DIFFERS, Answer, Question, for_all
from hotcocci.proof.symbolic.prover import PROVEN as FOR_ALL


def judged(ran: Execution, question: Question) -> Execution:
    """The verdict on a function that was run.

    A difference that was seen stands. One that only the symbolic engine finds is no proof that
    the code differs, as its model allows more than happens; neither is the code proven then.
    """
    if ran.verdict == DIFFERENT:
        return ran
    functions = [
        next(f for f in side.image.functions if f.name == ran.function)
        for side in question.sides
    ]
    return combined(ran, for_all(question, (functions[0], functions[1])))


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
    why = f"not for all inputs: {answer.what}"
    if answer.verdict == FOR_ALL:
        # A limit of the loop's own may come later.
        why = f"for all inputs only as long as loops take up to {answer.turns} turns"
    detail = "; ".join(each for each in (ran.detail, why) if each)
    return replace(ran, detail=detail)
