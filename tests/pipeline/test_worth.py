# SPDX-License-Identifier: GPL-2.0
"""Which compiled function is that of a finding."""

from __future__ import annotations

import pytest

from hotcocci.findings import Cost, Count, Finding, Gain
from hotcocci.saves import is_of

FINDING = Finding(
    "UA101", "fs/a.c", 1, 1, "f", "", None, "x", None, "rewrite", "safe", None
)
COST = Cost(None, Count(10, 0, 0, 0), 40)


@pytest.mark.parametrize(
    ("function", "own"),
    [
        ("f", True),
        ("__do_sys_f", True),
        ("__do_compat_sys_f", True),
        ("____f", True),
        ("compat_f", False),
        ("__f", False),
        ("f_sys_g", False),
    ],
)
def test_the_function_of_a_finding(function: str, own: bool) -> None:
    assert is_of(Gain("x86-64", FINDING.file, function, COST, COST), FINDING) == own
