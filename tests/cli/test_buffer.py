# SPDX-License-Identifier: GPL-2.0
"""``--stdin``: findings of a text that is not saved."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.shared import FIXTURES, PROGRAM
from tests.tree.traps import git

LAMP = FIXTURES / "classic/drivers/lamp.c"
GAUGE = Path(__file__).parent / "new_files/drivers/misc/gauge.c"


@pytest.fixture
def lint(tmp_path):
    """Lint a text as a file; the exit code, and line and reason of each finding."""

    def start(file: Path, data: bytes, *words: str) -> tuple[int, list[object]]:
        argv = [*PROGRAM, "lint", f"--cache-dir={tmp_path / 'cache'}", *words]
        argv += ["--stdin", "--format=json", file]
        ran = subprocess.run(argv, input=data, capture_output=True, check=False)
        found = json.loads(ran.stdout)["findings"]
        return ran.returncode, [(each["line"], each["reason"]) for each in found]

    return start


@pytest.mark.whole
def test_findings_of_unsaved_text(lint):
    saved = LAMP.read_bytes()

    def lines(data: bytes) -> tuple[int, list[int]]:
        code, found = lint(LAMP, data, "--churn")
        return code, sorted(line for line, _ in found)

    assert lines(saved) == (1, [34, 50, 70])
    # A byte that is not UTF-8 is kept.
    assert lines(b"/* \xe4 */\n" + saved) == (1, [35, 51, 71])
    assert lines(b"int lamp;\n") == (0, [])
    assert LAMP.read_bytes() == saved


def test_what_is_not_committed_is_new_code(lint, tmp_path):
    tree = tmp_path / "linux"
    shutil.copytree(FIXTURES / "classic", tree)
    file, lamp = tree / "drivers/misc/gauge.c", tree / "drivers/lamp.c"
    text = GAUGE.read_bytes()

    def is_new(data: bytes) -> bool:
        reasons = [reason for _, reason in lint(file, data)[1]]
        assert reasons in ([], ["one-copy"])
        return bool(reasons)

    file.parent.mkdir(exist_ok=True)
    assert is_new(text)
    file.write_bytes(text)
    # Without a repository, what is saved is old.
    assert not is_new(text)
    (tree / ".git").write_text("gitdir: gone\n", encoding="ascii")
    assert not is_new(text)
    (tree / ".git").unlink()
    git(tree, "init", "-q")
    git(tree, "add", "Makefile", "drivers/lamp.c")
    git(tree, "commit", "-qm", "before")
    assert is_new(text)
    git(tree, "add", "-A")
    git(tree, "commit", "-qm", "gauge")
    assert not is_new(text)
    # As the editor ends lines
    assert not is_new(text.replace(b"\n", b"\r\n"))
    # Other lines of the file are new.
    assert not is_new(text.replace(b"GAUGE_RESET", b"GAUGE_CLEAR"))
    assert is_new(text.replace(b"put_user(", b" put_user("))
    # What the edit leaves is as seldom called as before.
    assert lint(lamp, lamp.read_bytes() + b"\n")[1] == []
