# SPDX-License-Identifier: GPL-2.0
"""What a symbolic answer says of a function."""

import pytest

from hotcocci.errors import AGAIN
from hotcocci.findings import NOT_PROVEN, PROVEN
from hotcocci.proof.symbolic.prover import Answer
from hotcocci.proof.work import stated


def test_a_proof_has_its_assumptions():
    answer = Answer("proven", paths=3, permitted=("a",), assumed=("so",))
    found = stated("x86-64", "a.c", "f", answer)
    assert (found.verdict, found.detail, found.paths) == (PROVEN, "", 3)
    assert (found.permitted, found.assumed) == (("a",), ("so",))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Answer("proven", paths=3, turns=3), "proven only up to 3 loop iterations"),
        (
            Answer("differs", "the result was 1, now 2"),
            "may differ: the result was 1, now 2",
        ),
        # The cache drops an answer whose reason ends so.
        (Answer("unknown", f"out of memory: {AGAIN}"), f"out of memory: {AGAIN}"),
    ],
)
def test_all_else_is_not_proven(answer, says):
    found = stated("x86-64", "a.c", "f", answer)
    assert (found.verdict, found.detail) == (NOT_PROVEN, says)
