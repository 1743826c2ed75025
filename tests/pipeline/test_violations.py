# SPDX-License-Identifier: GPL-2.0
"""The rules that are checked."""

from __future__ import annotations

from hotcocci.pipeline.violations import checked_rules


def test_advice_is_asked_for() -> None:
    assert "UW07" not in checked_rules([], hygiene=False)
    assert "UW07" in checked_rules([], hygiene=True)
    assert checked_rules(["UW07"], hygiene=False) == {"UW07"}
