# SPDX-License-Identifier: GPL-2.0
"""Reports on sizes only known at run time: a histogram, or a common factor."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from case_files import FIXTURES, Case, read_cases
from case_tool import call, make_tree

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")


def why(case: Case, line: int, root: Path) -> str:
    """The output of ``why`` on a line of a case, on one line."""
    make_tree("scoped", [case], root)
    place = f"{root / case.path}:{line}"
    said = call(["why", place, "--cache-dir", str(root.parent / "cache")])
    return " ".join(said.split())


def case_of(name: str) -> Case:
    return next(case for case in read_cases() if case.name == name)


@pytest.mark.parametrize(
    ("name", "histogram"),
    [
        ("switch-commands", r"bytes \(how many of 2 commands .*\): 8 \(1\), 12 \(1\)"),
        ("switch-callers", r"bytes \(how many of 2 callers .*\): 8 \(1\), 12 \(1\)"),
    ],
)
def test_why_shows_the_histogram(name: str, histogram: str, tmp_path: Path) -> None:
    case = case_of(name)
    said = why(case, case.wants[0].line, tmp_path / "tree")
    assert "UA203" in said
    assert re.search(histogram, said), said
    assert "copy 8, 12 bytes inline, in a switch" in said


def test_why_shows_the_histogram_of_a_copy_that_is_kept(tmp_path: Path) -> None:
    case = case_of("switch-parameter")
    said = why(case, case.wants[0].line, tmp_path / "tree")
    assert "8 (1), 12 (1)" in said
    assert "buffer-elsewhere" in said


def test_counts_and_lengths(tmp_path: Path) -> None:
    case = case_of("switch-length")
    make_tree("scoped", [case], tmp_path / "tree")
    hot = ["--profile", str(FIXTURES / "hot.txt"), "--rule", "UA203"]
    rest = ["--format", "json", "--cache-dir", str(tmp_path / "cache")]
    found = json.loads(call(["lint", "--all", str(tmp_path / "tree"), *hot, *rest]))[
        "findings"
    ]
    said = {f["base"]: f["message"] for f in found}
    assert "; a length that the caller gives;" in said["from"]
    assert "; a multiple of 12 bytes;" in said["u->pts"]
    assert "; a length that user space gives;" in said["u->words"]
