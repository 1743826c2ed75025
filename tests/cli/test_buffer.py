# SPDX-License-Identifier: GPL-2.0
"""``--stdin``: findings of a text that is not saved."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[2] / "run.py"
FIXTURES = RUN.parent / "kernel-fixtures"
LAMP = FIXTURES / "classic/drivers/lamp.c"


@pytest.fixture
def cache(tmp_path: Path) -> str:
    return f"--cache-dir={tmp_path / 'cache'}"


def _run(data: bytes, *words: str) -> tuple[int, str, str]:
    """The exit code, output and messages of a command line with this standard input."""
    argv = [sys.executable, RUN, *words]
    ran = subprocess.run(argv, input=data, capture_output=True, check=False)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


@pytest.mark.whole
def test_findings_of_unsaved_text(cache: str) -> None:
    saved = LAMP.read_bytes()

    def lines(data: bytes) -> tuple[int, list[tuple[str, int]]]:
        words = ("lint", cache, "--churn", "--stdin", "--format=json", str(LAMP))
        code, out, _ = _run(data, *words)
        found = json.loads(out)["findings"]
        return code, sorted((each["file"], each["line"]) for each in found)

    file = "drivers/lamp.c"
    assert lines(saved) == (1, [(file, 34), (file, 50), (file, 70)])
    # A byte that is not UTF-8 is kept.
    moved = b"/* \xe4 */\n" + saved
    assert lines(moved) == (1, [(file, 35), (file, 51), (file, 71)])
    assert lines(b"int lamp;\n") == (0, [])
    assert LAMP.read_bytes() == saved


@pytest.mark.whole
@pytest.mark.parametrize(
    "words", [[str(FIXTURES / "classic")], [str(LAMP), "--diff-base=HEAD"]]
)
def test_one_file_and_nothing_else(cache: str, words: list[str]) -> None:
    code, _, err = _run(b"", "lint", cache, "--stdin", *words)
    assert code == 2 and "hotcocci: --stdin" in err
