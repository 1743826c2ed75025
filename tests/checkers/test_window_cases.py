# SPDX-License-Identifier: GPL-2.0
"""The window cases themselves: enough of them, each with a clean twin."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from window_cases import WindowCase, read_window_cases

from hotcocci.rules.rulebook import WINDOW_RULES

CASES = read_window_cases(compiling=False)
SPELLINGS = 3
HEADER = re.compile(r"^[a-z][\w *]*?\b(\w+)\([^;{]*\)\n\{", re.MULTILINE)


@pytest.mark.parametrize("code", [rule.code for rule in WINDOW_RULES if rule.engines])
def test_each_rule_has_three_violations(code: str) -> None:
    broken = Counter(c.name for c in CASES if code in {mark[1] for mark in c.marks})
    assert len(broken) >= SPELLINGS


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_functions_are_named_after_the_file(case: WindowCase) -> None:
    name = case.name.replace("-", "_")
    text = case.path.read_text()
    functions = HEADER.findall(text)
    structures = re.findall(r"^struct (\w+) \{", text, re.MULTILINE)
    assert functions
    assert [f for f in (*functions, *structures) if not f.startswith(name)] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_broken_function_has_a_clean_twin(case: WindowCase) -> None:
    text = case.path.read_text()
    headers = [
        (text.count("\n", 0, m.start()) + 1, m[1]) for m in HEADER.finditer(text)
    ]
    names = [name for _, name in headers]
    assert bool(case.marks) is bool(case.rules)
    assert not case.rules or [name for name in names if name.endswith("_clean")]
    for line, code, _ in case.marks:
        within = [name for start, name in headers if start <= line][-1]
        assert not within.endswith("_clean"), f"{code} in line {line}"
