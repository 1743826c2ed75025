# SPDX-License-Identifier: GPL-2.0
"""Reports on sizes only known at run time: a histogram, or a common factor."""

import json
import re
import shutil
from pathlib import Path

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
