# SPDX-License-Identifier: GPL-2.0
"""Planted wrong rewrites are refused, each with a trace that shows why; right ones are not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted import Planted, planted, rewritten, run

from hotcocci.findings import DIFFERENT, PERMITTED, SAME


@pytest.mark.parametrize("case", planted(), ids=lambda case: case.name)
def test_verdicts(linux_tree: Path, tmp_path: Path, case: Planted) -> None:
    made = run(linux_tree, tmp_path, case)
    wanted = [e for e in made if e.verdict == case.verdict]
    assert wanted, made
    if case.verdict != DIFFERENT:
        assert not any(e.verdict == DIFFERENT for e in made), made
    assert re.search(case.says, wanted[0].detail), wanted[0].detail
    if case.verdict == DIFFERENT:
        assert any("|" in line or "VIOLATION" in line for line in wanted[0].traces)


@pytest.mark.parametrize("case", rewritten(), ids=lambda case: case.name)
def test_no_right_rewrite_is_refused(
    linux_tree: Path, tmp_path: Path, case: Planted
) -> None:
    for execution in run(linux_tree, tmp_path, case):
        assert execution.verdict in (SAME, PERMITTED), execution
        assert execution.faults, execution
