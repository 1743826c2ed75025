# SPDX-License-Identifier: GPL-2.0
"""Cases in files whose lines end with CR LF: rewritten alike, with the line ends of the file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from case_files import read_cases, without_header
from case_tool import call, make_tree

pytestmark = pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")

# Chains, collected errors, comments, labels, directives
STEMS = ("accumulate-", "case-", "chain-", "early-", "exit-", "ifdef-", "ifs-")


def test_cases_keep_their_line_ends(tmp_path: Path) -> None:
    cases = [c for c in read_cases() if c.rules == ("UA101",)]
    cases = [case for case in cases if case.name.startswith(STEMS)]
    root = tmp_path / "tree"
    make_tree("classic", cases, root)
    for case in cases:
        (root / case.path).write_text(case.source, encoding="utf-8", newline="\r\n")
    call(
        [
            *("patch", str(root), "--rule=UA101", "--churn", "--api=classic"),
            *("--apply", "--allow-uncompiled", "--tier=manual"),
            f"--cache-dir={tmp_path / 'cache'}",
        ]
    )
    for case in cases:
        text = (root / case.path).read_bytes().decode()
        assert text.count("\r\n") == text.count("\n"), case.name
        expected = case.afters.get("classic", without_header(case.source))
        assert without_header(text.replace("\r\n", "\n")) == expected, case.name
    assert sum("classic" in case.afters for case in cases) > 30
