# SPDX-License-Identifier: GPL-2.0
"""Advice is reported once per helper, violations each by themselves."""

from __future__ import annotations

from hotcocci.findings import SPATCH
from hotcocci.pipeline.violations import checked_rules, per_cause
from hotcocci.windows.merge import Violation


def found(rule: str, line: int, message: str) -> Violation:
    return Violation(rule, "fs/a.c", line, "f", message, (SPATCH,))


def test_one_line_per_helper() -> None:
    several = [
        found("UW07", 3, "pack() is not __always_inline"),
        found("UW02", 4, "no end"),
        found("UW02", 5, "no end"),
        found("UW07", 6, "pack() is not __always_inline"),
        found("UW07", 7, "swap() is not __always_inline"),
    ]
    assert sorted((v.line, v.message) for v in per_cause(several)) == [
        (3, "pack() is not __always_inline (2 such calls)"),
        (4, "no end"),
        (5, "no end"),
        (7, "swap() is not __always_inline"),
    ]


def test_advice_is_asked_for() -> None:
    assert "UW07" not in checked_rules([], hygiene=False)
    assert "UW07" in checked_rules([], hygiene=True)
    assert checked_rules(["UW07"], hygiene=False) == {"UW07"}
