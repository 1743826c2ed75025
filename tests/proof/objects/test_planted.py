# SPDX-License-Identifier: GPL-2.0
"""Wrong rewrites are not proven, most with a run that shows why; correct ones are."""

from __future__ import annotations

import re

import pytest
from planted import Planted, is_drawn, planted, rewritten
from together import together

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN, Execution


@pytest.mark.parametrize("case", together(planted()))
def test_verdicts(case: Planted, found: tuple[Execution, ...]) -> None:
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


# What cannot be proven takes any effort, and most of the others are alike: each wrong one above runs.
REWRITTEN = rewritten()
DRAWN = [c for c in REWRITTEN if c.verdict == PROVEN and is_drawn(c, 4)]
REST = [c for c in REWRITTEN if c not in DRAWN]


@pytest.mark.parametrize("case", [*together(DRAWN), *together(REST, slow=True)])
def test_correct_rewrites_are_proven(
    case: Planted, found: tuple[Execution, ...]
) -> None:
    # Some rewrites add an #if, which no single configuration sees.
    found = tuple(each for each in found if each.unseen is None)
    assert DIFFERENT not in {each.verdict for each in found}, found
    assert all(each.verdict == PROVEN for each in found) is (case.verdict == PROVEN)
