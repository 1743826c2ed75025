# SPDX-License-Identifier: GPL-2.0
"""Rules are found by code, and entry, script and cases agree."""

import re
from pathlib import Path

import pytest

from hotcocci.output import pages
from hotcocci.rules.entry import SHARED
from hotcocci.rules.offer import NO_GAIN
from hotcocci.rules.rulebook import (
    NAMES,
    REASONS,
    REWRITE_RULES,
    RULES,
    implementation_of,
)

ROOT = Path(__file__).resolve().parents[2]
MARK = re.compile(r"/\* want(?: \w+)?: (\w+) report ([\w-]+) ")

each_rewrite = pytest.mark.parametrize("rule", REWRITE_RULES, ids=lambda r: r.code)


def test_the_code_matches_the_name_of_the_package():
    assert {rule.code for rule in REWRITE_RULES} == set(NAMES)


def test_a_reason_has_one_meaning():
    own = [reason for rule in RULES for reason in rule.reasons]
    assert len(own) == len(set(own))
    assert not set(own) & set(SHARED)
    assert {r for rule in RULES for r in rule.shared_reasons} <= set(SHARED)


@each_rewrite
def test_a_rule_has_its_three_directories(rule):
    assert (ROOT / rule.script).is_file()
    assert rule.words is not None and rule.proof
    assert "TODO" not in repr(rule)
    assert callable(implementation_of(rule.code).decide)
    assert pages.change(ROOT / "kernel-fixtures" / rule.code / f"{rule.example}.c")


@each_rewrite
def test_the_entry_names_the_reasons_of_the_cases(rule):
    folder = ROOT / "kernel-fixtures" / rule.code
    marks = [m for path in folder.glob("*.c") for m in MARK.findall(path.read_text())]
    given = {reason for code, reason in marks if code == rule.code and reason != "-"}
    # Any rewrite may save nothing.
    assert given - {NO_GAIN} <= {*rule.reasons, *rule.shared_reasons} <= set(REASONS)
