# SPDX-License-Identifier: GPL-2.0
"""A small structure in a cold function: ``why`` explains it, ``lint`` does not report it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from case_files import FIXTURES, read_cases
from case_tool import call, make_tree

pytestmark = [
    pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch"),
    pytest.mark.whole,
]


def test_why_explains_what_lint_omits(tmp_path: Path) -> None:
    case = next(case for case in read_cases() if case.name == "struct-cold")
    make_tree("classic", [case], tmp_path / "tree")
    path = tmp_path / "tree" / case.path
    line = case.source[: case.source.index("copy_from_user(")].count("\n") + 1
    common = [
        "--rule=UA202",
        f"--profile={FIXTURES / 'hot.txt'}",
        f"--cache-dir={tmp_path / 'cache'}",
    ]
    said = call(["why", f"{path}:{line}", *common])
    assert "UA202" in said and "not-hot" in said
    assert (
        json.loads(call(["lint", str(path), "--format=json", *common]))["findings"]
        == []
    )
