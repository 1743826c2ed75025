# SPDX-License-Identifier: GPL-2.0
"""docs/rules/ matches the rulebook."""

from __future__ import annotations

from pathlib import Path

from hotcocci.output.pages import pages
from hotcocci.rules.rulebook import RULES

ROOT = Path(__file__).resolve().parents[2]


def test_pages_are_up_to_date() -> None:
    generated = pages(ROOT / "kernel-fixtures")
    there = {p.name: p.read_text() for p in (ROOT / "docs/rules").glob("*.md")}
    assert there == generated, "run.py rules --pages docs/rules"


def test_every_rule_has_a_page_and_a_row() -> None:
    generated = pages(ROOT / "kernel-fixtures")
    for rule in RULES:
        assert generated[f"{rule.code}.md"].startswith(f"# {rule.code}: {rule.title}\n")
        assert f"[{rule.code}]({rule.code}.md)" in generated["README.md"]


def test_a_page_shows_a_case_and_a_refusal() -> None:
    page = pages(ROOT / "kernel-fixtures")["UA101.md"]
    assert "+\tif (!user_write_access_begin(u, sizeof(*u)))\n" in page
    assert "want:" not in page and "Title:" not in page
    assert "- `double-fetch`: " in page
    assert "in `double-fetch.c`: the value that was checked is fetched again." in page
