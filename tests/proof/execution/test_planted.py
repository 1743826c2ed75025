# SPDX-License-Identifier: GPL-2.0
"""Wrong rewrites are not proven, most with a run that shows why; correct ones are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from planted import Planted, drawn, planted, rewritten, run

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN


@pytest.mark.parametrize("case", drawn(planted(), 3))
def test_verdicts(linux_tree: Path, tmp_path: Path, case: Planted) -> None:
    found = run(linux_tree, tmp_path, case)
    verdicts = {each.verdict for each in found}
    worst = next(v for v in (DIFFERENT, NOT_PROVEN, PROVEN) if v in verdicts)
    assert worst == case.verdict, found
    assert any(
        each.verdict == worst and re.search(case.says, each.detail) for each in found
    ), found
    for each in found:
        # A trace shows no memory.
        if each.verdict == DIFFERENT and "memory differs" not in each.detail:
            assert any("|" in line or "VIOLATION" in line for line in each.traces)


@pytest.mark.parametrize("case", drawn(rewritten(), 8))
def test_correct_rewrites_are_proven(
    linux_tree: Path, tmp_path: Path, case: Planted
) -> None:
    # Some rewrites add an #if, which no single configuration sees.
    found = [e for e in run(linux_tree, tmp_path, case) if e.unseen is None]
    assert DIFFERENT not in {each.verdict for each in found}, found
    assert all(each.verdict == PROVEN for each in found) is (case.verdict == PROVEN)
