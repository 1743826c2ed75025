# SPDX-License-Identifier: GPL-2.0
"""docs/rules/ matches the rulebook."""

from hotcocci.output.pages import pages
from tests.shared import ROOT


def test_pages_are_up_to_date():
    generated = pages(ROOT / "kernel-fixtures")
    there = {p.name: p.read_text() for p in (ROOT / "docs/rules").glob("*.md")}
    assert there == generated, "run.py rules --pages docs/rules"
