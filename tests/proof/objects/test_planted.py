# SPDX-License-Identifier: GPL-2.0
"""Wrong rewrites are not proven, most with a run that shows why; correct ones are."""

import re

import pytest
from planted import is_drawn, planted, rewritten
from together import together

from hotcocci.findings import DIFFERENT, NOT_PROVEN, PROVEN

# Half of the time of all
SLOWEST = ("masked-refusal", "division-overflows")
X86 = [case for case in planted("x86") if case.name not in SLOWEST]
SLOW = [case for case in planted("x86") if case.name in SLOWEST]


@pytest.mark.parametrize("case", [*together(X86), *together(SLOW, slow=True)])
def test_verdicts_on_x86(case, found):
    found = tuple(each for each in found if each.unseen is None)
    # clang warns of some, too.
    others = tuple(e for e in found if not e.detail.startswith("clang, which"))
    unlike = [each for each in others if each.verdict != PROVEN]
    assert found and (case.verdict == PROVEN) == (not unlike), found
    assert all(case.says in each.detail for each in unlike or found), found
    if case.permits:
        assert set(found[0].permitted) == set(case.permits.split("; "))
    assert case.assumes in ("", *found[0].assumed), found


# Of those with one verdict and message, most take one way through the comparison.
PLANTED = planted()
FIRST = {(case.verdict, case.says): case for case in reversed(PLANTED)}.values()
USUAL = [
    case
    for case in PLANTED
    if (case in FIRST or is_drawn(case, 10)) and case.name not in SLOWEST
]
OTHERS = [case for case in PLANTED if case not in USUAL]


@pytest.mark.parametrize("case", [*together(USUAL), *together(OTHERS, slow=True)])
def test_verdicts(case, found):
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
DRAWN = [c for c in REWRITTEN if c.verdict == PROVEN and is_drawn(c, 6)]
REST = [c for c in REWRITTEN if c not in DRAWN]


@pytest.mark.parametrize("case", [*together(DRAWN), *together(REST, slow=True)])
def test_correct_rewrites_are_proven(case, found):
    # Some rewrites add an #if, which no single configuration sees.
    found = tuple(each for each in found if each.unseen is None)
    assert DIFFERENT not in {each.verdict for each in found}, found
    assert all(each.verdict == PROVEN for each in found) is (case.verdict == PROVEN)
