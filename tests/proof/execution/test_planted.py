# SPDX-License-Identifier: GPL-2.0
"""Wrong rewrites are refused with a trace that shows why; correct ones are not, and are proven."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted import Planted, drawn, planted, rewritten, run

from hotcocci.findings import DIFFERENT, PERMITTED, SAME
from hotcocci.proof.symbolic.answer import PROVEN, Answer


def is_proof(answer: Answer) -> bool:
    return answer.verdict == PROVEN and not answer.turns


@pytest.mark.parametrize("case", planted(), ids=lambda case: case.name)
def test_verdicts(linux_tree: Path, tmp_path: Path, case: Planted) -> None:
    results = run(linux_tree, tmp_path, case)
    executions = [each.ran for each in results]
    wanted = [each for each in results if each.ran.verdict == case.verdict]
    assert wanted, executions
    if case.verdict != DIFFERENT:
        assert not any(e.verdict == DIFFERENT for e in executions), executions
    ran = wanted[0].ran
    assert re.search(case.says, ran.detail), ran.detail
    # A trace shows no memory.
    if case.verdict == DIFFERENT and "memory differs" not in ran.detail:
        assert any("|" in line or "VIOLATION" in line for line in ran.traces)
    assert all(is_proof(each.answer) for each in wanted) is case.proven, wanted


@pytest.mark.parametrize("case", drawn(rewritten(), 2), ids=lambda case: case.name)
def test_no_correct_rewrite_is_refused(
    linux_tree: Path, tmp_path: Path, case: Planted
) -> None:
    # Some rewrites add an #if, which no single configuration sees.
    found = run(linux_tree, tmp_path, case)
    results = [each for each in found if each.ran.unseen is None]
    for each in results:
        assert each.ran.verdict in (SAME, PERMITTED), each.ran
        assert each.ran.faults, each.ran
    assert all(is_proof(each.answer) for each in results) is case.proven, results
