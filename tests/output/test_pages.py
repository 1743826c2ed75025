# SPDX-License-Identifier: GPL-2.0
"""docs/rules/ matches the rulebook."""

from pathlib import Path

import pytest

from hotcocci.output.pages import example, pages
from hotcocci.rules.rulebook import RULES
from hotcocci.rules.rulebook import rule as by_code

ROOT = Path(__file__).resolve().parents[2]


def test_pages_are_up_to_date():
    generated = pages(ROOT / "kernel-fixtures")
    there = {p.name: p.read_text() for p in (ROOT / "docs/rules").glob("*.md")}
    assert there == generated, "run.py rules --pages docs/rules"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.code)
def test_every_rule_has_an_example_of_what_it_finds_and_of_what_is_right(rule):
    lines = example(rule).splitlines()
    assert lines[0].startswith(f"From `kernel-fixtures/{rule.code}/")
    code = lines[lines.index("```diff") + 1 : -1]
    assert {"-", "+"} & {line[:1] for line in code}


def test_the_example_of_a_window_rule_is_its_broken_function():
    shown = example(by_code("UW02"))
    assert "\n-\t\treturn -EINVAL;\n" in shown and "\n+\t\tgoto out;\n" in shown
    assert "_clean" not in shown and "want" not in shown
