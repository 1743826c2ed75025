# SPDX-License-Identifier: GPL-2.0
"""``why`` on load findings does not mention windows."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from hotcocci.cli.main import main

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"


@pytest.mark.skipif(not shutil.which("spatch"), reason="no spatch")
@pytest.mark.parametrize(
    ("case", "mark", "edit"),
    [
        ("credential-fields", "LD301 rewrite", "+	const struct cred *cred"),
    ],
)
def test_why_of_loads(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    case: str,
    mark: str,
    edit: str,
) -> None:
    tree = tmp_path / "classic"
    shutil.copytree(FIXTURES / "classic", tree)
    shutil.copytree(FIXTURES / "harness/include", tree / "include", dirs_exist_ok=True)
    text = next(FIXTURES.glob(f"LD*/{case}.c")).read_text()
    line = next(
        n for n, part in enumerate(text.splitlines(), 1) if f"want: {mark}" in part
    )
    file = tree / "drivers" / "case.c"
    file.write_text(re.sub(r"[ \t]*/\* want.*?\*/", "", text))
    argv = ["why", f"{file}:{line}", "--rule", mark.split()[0]]
    argv += ["--profile", str(FIXTURES / "hot.txt"), "--cache-dir", str(tmp_path / "c")]
    assert main(argv) == 0
    output = capsys.readouterr().out
    assert "Rewrite:\n" in output and edit in output
    assert "API" not in output and "shape" not in output
