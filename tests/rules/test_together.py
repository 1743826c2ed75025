# SPDX-License-Identifier: GPL-2.0
"""Which rewrites stay out because one that goes with them does not pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hotcocci.findings import WORTH, Edit, Finding, Rewrite
from hotcocci.rules.offer import NO_GAIN, Refusal, left_alone

PLACE = Finding(
    "UA101", "kernel/a.c", 1, 2, "f", "run", 3, "p", "read", "rewrite", "safe", None
)
DEARER = Refusal(NO_GAIN, "the rewrite costs more than it saves")
BROKEN = Refusal("failed-proof", "checkpatch failed")


def made(rule: str, function: str, at: int, file: str = "kernel/a.c") -> Rewrite:
    found = replace(PLACE, rule=rule, function=function, file=file, line=at)
    return Rewrite(found, (Edit(at, at + 1, "x"),), "A", "classic")


@pytest.mark.parametrize("why", [DEARER, BROKEN])
def test_a_function_changes_as_a_whole(why: Refusal) -> None:
    own, other = made("UA101", "f", 10), made("UA101", "f", 20)
    found = left_alone([own], {other: why})
    assert found[own].reason == why.reason
    assert found[own].message == f"f() at line 20 stays as it is: {why.message}"
    assert not left_alone([made("UA201", "f", 10)], {other: why})
    assert not left_alone([made("UA101", "g", 10)], {other: why})


def test_copies_of_cold_code_change_together_or_not() -> None:
    other = made("UA201", "f", 20)
    assert left_alone([made("UA201", "g", 10)], {other: DEARER})
    assert not left_alone([made("UA201", "g", 10)], {other: BROKEN})


def test_hot_code_changes_alone() -> None:
    cold = made("UA201", "g", 10)
    hot = replace(cold, finding=replace(cold.finding, band=WORTH))
    assert not left_alone([hot], {made("UA201", "f", 20): DEARER})
