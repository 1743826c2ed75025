# SPDX-License-Identifier: GPL-2.0
"""Copies stay whole in generic code of trees whose arm64 has no windows (6.1)."""

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

WINDOWS = "#define user_access_begin user_access_begin\n"
CASES = [("UA202", "struct-label"), ("UA203", "switch-commands")]


@pytest.mark.parametrize("code, name", CASES)
@pytest.mark.parametrize("windows", [False, True])
def test_copies_are_taken_apart_with_windows_only(
    code: str, name: str, windows: bool, tmp_path: Path
) -> None:
    case = next(c for c in read_cases() if (c.code, c.name) == (code, name))
    root = tmp_path / "tree"
    make_tree("classic", [case], root)
    header = root / "arch/arm64/include/asm/uaccess.h"
    header.parent.mkdir(parents=True, exist_ok=True)
    header.write_text(WINDOWS if windows else "/* none */\n", encoding="utf-8")
    output = call(
        [
            *("lint", str(root), "--all", "--rule", code, "--format", "json"),
            *("--profile", str(FIXTURES / "hot.txt")),
            *("--cache-dir", str(tmp_path / "cache")),
        ]
    )
    found = [(f["verdict"], f["reason"]) for f in json.loads(output)["findings"]]
    assert found
    assert {reason for _, reason in found} == {None if windows else "no-gain-arch"}
