# SPDX-License-Identifier: GPL-2.0
"""Reports on sizes only known at run time: a histogram, or a common factor."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_files import FIXTURES, Case, read_cases
from case_tool import call, make_tree

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.whole,
]


def why(case: Case, line: int, root: Path) -> str:
    """The output of ``why`` on a line of a case, on one line."""
    make_tree("scoped", [case], root)
    place = f"{root / case.path}:{line}"
    said = call(["why", place, "--cache-dir", str(root.parent / "cache")])
    return " ".join(said.split())


def case_of(name: str) -> Case:
    return next(case for case in read_cases() if case.name == name)


HELPER = r"use copy_\w+_user_small\(\), which copies 8, 16 bytes"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("switch-commands", [HELPER, r"bytes \(how many of 2 commands .*\): 8 \(1\), 16 \(1\)"]),
        ("switch-callers", [HELPER, r"bytes \(how many of 2 callers .*\): 8 \(1\), 16 \(1\)"]),
        # A copy that is kept
        ("switch-odd", [r"1 \(1\), 2 \(1\), 6 \(1\)", "sizes-large"]),
    ],
)  # fmt: skip
def test_why_shows_the_histogram(name, words, tmp_path):
    case = case_of(name)
    said = why(case, case.wants[0].line, tmp_path / "tree")
    assert "UA203" in said
    assert [word for word in words if not re.search(word, said)] == [], said


@pytest.fixture
def traced(tmp_path) -> Callable[..., tuple[dict[str, Any], str]]:
    """Run ``lint`` and ``patch`` on a case with a table of sizes: findings by line, and the patch."""

    def run(name: str, table: str) -> tuple[dict[str, Any], str]:
        case = case_of(name)
        make_tree("scoped", [case], tmp_path / "tree")
        (tmp_path / "sizes").write_text(table)
        rest = ["--rule", "UA203", "--profile", str(FIXTURES / "hot.txt")]
        rest += ["--sizes", str(tmp_path / "sizes")]
        rest += ["--cache-dir", str(tmp_path / "cache"), str(tmp_path / "tree")]
        lines = call(["lint", "--all", "--format", "json", *rest])
        options = ["--churn", "--tier", "prepared", "--allow-uncompiled"]
        patch = call(["patch", *options, *rest])
        return {f["base"]: f for f in json.loads(lines)["findings"]}, patch

    return run


def test_a_trace_decides_on_lengths(traced):
    found, patch = traced("switch-length", "@[subject, 8]: 5\n@[subject, 16]: 20\n")
    assert "how many of 25 copies in the trace): 8 (5), 16 (20)" in str(found)
    assert found["from"]["reason"] == "size-given"
    assert found["u->pts"]["verdict"] == found["u->words"]["verdict"] == "rewrite"
    assert "+	if (copy_to_user_small(u->words" in patch


def test_a_trace_decides_on_the_sizes_of_the_helper(traced):
    _, patch = traced("switch-commands", "@[8]: 50\n@[16]: 20\n@[32]: 2\n@[100]: 3\n")
    cases = re.findall(r"^\+\t+case (\d+):", patch, re.MULTILINE)
    assert list(map(int, cases[:3])) == [8, 16, 32]
    assert cases.count("1") == 2 and "case 0:" not in patch


def test_what_is_no_table_is_an_error(tmp_path):
    make_tree("scoped", [case_of("switch-commands")], tmp_path / "tree")
    (tmp_path / "sizes").write_text("8 bytes\n")
    with pytest.raises(RuntimeError, match="sizes:1: '8 bytes' is no line of"):
        call(["lint", str(tmp_path / "tree"), "--sizes", str(tmp_path / "sizes")])


def test_counts_and_lengths(tmp_path):
    root = tmp_path / "tree"
    make_tree("scoped", [case_of("switch-length")], root)
    words = ["--profile", str(FIXTURES / "hot.txt"), "--rule", "UA203", "--all"]
    words += ["--format", "json", "--cache-dir", str(tmp_path / "cache")]
    found = json.loads(call(["lint", str(root), *words]))["findings"]
    said = {f["base"]: f["message"] for f in found}
    assert "; a length that the caller gives;" in said["from"]
    assert "; a multiple of 12 bytes;" in said["u->pts"]
    assert "; a length that user space gives;" in said["u->words"]
