# SPDX-License-Identifier: GPL-2.0
"""``--stdin``: findings of a text that is not saved."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tree.traps import git

HERE = Path(__file__).parent
RUN = Path(__file__).resolve().parents[2] / "run.py"
FIXTURES = RUN.parent / "kernel-fixtures"
LAMP = FIXTURES / "classic/drivers/lamp.c"


@pytest.fixture
def cache(tmp_path) -> str:
    return f"--cache-dir={tmp_path / 'cache'}"


def _run(data: bytes, *words: str) -> tuple[int, str, str]:
    """The exit code, output and messages of a command line with this standard input."""
    argv = [sys.executable, RUN, *words]
    ran = subprocess.run(argv, input=data, capture_output=True, check=False)
    return ran.returncode, ran.stdout.decode(), ran.stderr.decode()


@pytest.mark.whole
def test_findings_of_unsaved_text(cache):
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


def test_what_is_not_committed_is_new_code(cache, tmp_path):
    tree = tmp_path / "linux"
    shutil.copytree(FIXTURES / "classic", tree)
    file = tree / "drivers/misc/gauge.c"
    text = (HERE / "new_files/drivers/misc/gauge.c").read_bytes()

    def said(data: bytes) -> list[str]:
        _, out, _ = _run(data, "lint", cache, "--stdin", "--format=json", str(file))
        return [each["reason"] for each in json.loads(out)["findings"]]

    file.parent.mkdir(exist_ok=True)
    assert said(text) == ["one-copy"]
    file.write_bytes(text)
    # Without a repository, what is saved is old.
    assert said(text) == []
    (tree / ".git").write_text("gitdir: gone\n", encoding="ascii")
    assert said(text) == []
    (tree / ".git").unlink()
    git(tree, "init", "-q")
    git(tree, "add", "Makefile", "drivers/lamp.c")
    git(tree, "commit", "-qm", "before")
    assert said(text) == ["one-copy"]
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "gauge")
    assert said(text) == []
    # As the editor ends lines
    assert said(text.replace(b"\n", b"\r\n")) == []
    # Other lines of the file are new.
    assert said(text.replace(b"GAUGE_RESET", b"GAUGE_CLEAR")) == []
    assert said(text.replace(b"put_user(", b" put_user(")) == ["one-copy"]
    # What the edit leaves is as seldom called as before.
    lamp = tree / "drivers/lamp.c"
    assert _run(lamp.read_bytes() + b"\n", "lint", cache, "--stdin", str(lamp))[1] == ""


@pytest.mark.whole
@pytest.mark.parametrize(
    "words", [[str(FIXTURES / "classic")], [str(LAMP), "--diff-base=HEAD"]]
)
def test_one_file_and_nothing_else(cache, words):
    code, _, err = _run(b"", "lint", cache, "--stdin", *words)
    assert code == 2 and "hotcocci: --stdin" in err
