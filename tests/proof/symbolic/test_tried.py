# SPDX-License-Identifier: GPL-2.0
"""A way to a proof that the machine was too slow for is not forgotten."""

from hotcocci.errors import AGAIN
from hotcocci.proof.symbolic.cut import Cuts
from hotcocci.proof.symbolic.equivalence import _tried
from hotcocci.proof.symbolic.prover import UNKNOWN, Answer
from hotcocci.proof.symbolic.state import UnsupportedError

SLOW = f"over 60 s: {AGAIN}"


def tried(*reasons: str) -> Answer:
    """What is said after ways that end with these reasons, and then one that says the last again."""
    left = list(reasons)

    def attempt(_: Cuts | None) -> Answer:
        raise UnsupportedError(left.pop(0) if len(left) > 1 else left[0])

    return _tried(attempt, lambda: True)


def test_a_lack_of_time_is_said_whatever_other_ways_say():
    answer = tried(SLOW, "a size with too many values")
    assert (answer.verdict, answer.what) == (UNKNOWN, SLOW)


def test_what_the_code_is_too_hard_for_is_said_itself():
    assert tried("a size with too many values").what == "a size with too many values"
