# SPDX-License-Identifier: GPL-2.0
"""The verdict of both engines combined, and when it holds back a rewrite."""

from __future__ import annotations

import pytest

from hotcocci.errors import AGAIN
from hotcocci.findings import (
    DIFFERENT,
    NOT_PROVEN,
    PERMITTED,
    PROVEN,
    SAME,
    Execution,
)
from hotcocci.proof.acceptance import speaks_against
from hotcocci.proof.judged import combined
from hotcocci.proof.symbolic.answer import Answer


def ran(verdict: str) -> Execution:
    return Execution("x86-64", "a.c", "f", verdict, "seen", permitted=("on a fault",))


def test_a_proof_needs_no_run() -> None:
    for verdict in (SAME, PERMITTED, NOT_PROVEN):
        found = combined(ran(verdict), Answer("proven", paths=3, assumed=("so",)))
        assert (found.verdict, found.detail) == (PROVEN, "")
        assert (found.permitted, found.assumed, found.paths) == ((), ("so",), 3)


def test_loops_left_early_are_not_a_proof() -> None:
    found = combined(ran(SAME), Answer("proven", paths=3, turns=3))
    assert found.verdict == SAME
    assert found.detail == "proven for all inputs only up to 3 loop iterations; seen"


def test_a_difference_that_no_run_shows_is_not_proven() -> None:
    found = combined(ran(SAME), Answer("differs", "the result was 1, now 2"))
    assert found.verdict == NOT_PROVEN
    assert found.detail == "may differ: the result was 1, now 2"


def test_an_unknown_answer_keeps_the_verdict_of_the_runs() -> None:
    found = combined(ran(SAME), Answer("unknown", "port I/O"))
    assert (found.verdict, found.detail) == (
        SAME,
        "not proven for all inputs: port I/O; seen",
    )


def test_the_reason_for_all_inputs_comes_first() -> None:
    doubt = ran(NOT_PROVEN)
    found = combined(doubt, Answer("differs", "the result was 1, now 2"))
    assert found.detail == "may differ: the result was 1, now 2; seen"
    found = combined(doubt, Answer("unknown", "port I/O"))
    assert found.detail == "not proven for all inputs: port I/O; seen"


def test_a_failure_of_the_machine_comes_last() -> None:
    """The cache drops an answer whose reason ends so."""
    for verdict in (SAME, NOT_PROVEN):
        found = combined(ran(verdict), Answer("unknown", f"out of memory: {AGAIN}"))
        assert found.detail.startswith("seen; ")
        assert found.detail.endswith(AGAIN)


def test_runs_are_no_evidence_for_an_instruction_that_is_not_modelled() -> None:
    answer = Answer("unknown", "port I/O", unmodelled="'invlpg byte ptr []'")
    found = combined(ran(SAME), answer)
    assert found.verdict == NOT_PROVEN
    assert speaks_against(found, sampled=True, unproven=False)
    assert "invlpg" in found.detail


@pytest.mark.parametrize(
    ("verdict", "sampled", "unproven", "refused"),
    [
        (PROVEN, False, False, False),
        (SAME, False, False, True),
        (SAME, True, False, False),
        (PERMITTED, True, False, False),
        (NOT_PROVEN, True, False, True),
        (NOT_PROVEN, False, True, False),
        (DIFFERENT, True, True, True),
    ],
)
def test_verdicts_that_refuse(
    verdict: str, sampled: bool, unproven: bool, refused: bool
) -> None:
    assert speaks_against(ran(verdict), sampled, unproven) is refused
