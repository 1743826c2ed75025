# SPDX-License-Identifier: GPL-2.0
"""What lint says of new code: files as drivers add them, in new_files/, and text that is not saved.

Each has marks where it must speak. Not a word is due where copies and stores are as they should be: a write() that
runs commands as they come, getsockopt() with its length, a loop that writes to two arrays.
"""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.shared import FIXTURES, PROGRAM
from tests.tree.traps import commit, git

NEW = Path(__file__).parent / "new_files"
MARK = re.compile(r"\s*/\* says: (.*) \*/")


def files():
    """The names and texts, with marks."""
    for path in sorted(NEW.rglob("*.c")):
        yield str(path.relative_to(NEW)), path.read_text(encoding="utf-8")


def wanted():
    """File, line, and what the message has."""
    return [
        (name, number, mark[1])
        for name, text in files()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
    ]


def as_patch():
    """A patch that adds all files."""
    made = []
    for name, text in files():
        lines = MARK.sub("", text).splitlines()
        made += [f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{len(lines)} @@"]
        made += [f"+{line}" for line in lines]
    return "\n".join([*made, ""])


def check(output):
    """Check that a JSON document has what is wanted, and nothing else."""
    shown = json.loads(output)["findings"]
    found = {(f["file"], f["line"]): f["message"] for f in shown}
    assert found.keys() == {(file, line) for file, line, _ in wanted()}
    for file, line, text in wanted():
        assert text in found[file, line], (file, line)


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["classic", "scoped"])
def test_new_files_in_a_repository(kind, tmp_path, said):
    tree = tmp_path / "linux"
    shutil.copytree(FIXTURES / kind, tree)
    commit(tree)
    for name, text in files():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_text(MARK.sub("", text), encoding="utf-8")
    commit(tree)
    lint = ("lint", tree, "--diff-base", "HEAD~1")
    check(said(*lint, "--format", "json")[1])
    # What proto_ops.recvmsg of a new file leads to is hot.
    code, out, err = said(*lint)
    assert code == 1
    assert re.search(r"stamp\.c:13: UA101 saves ~\d+ cycles per recvmsg\(\): ", out)
    assert ", 1 worth it; not shown: " in err and "unsafe or without a gain" in err
    # Who answers questions is not told less, and what was not asked for is counted.
    _, more, err = said(*lint, "--tier", "manual")
    assert more.count("/one-copy, ") == out.count("/one-copy, ") > 5
    assert "not asked for" not in err
    assert " not asked for (--show, --tier), " in said(*lint, "--show", "worth")[2]


def test_new_files_in_a_real_tree(linux_tree, tmp_path, said):
    patch = tmp_path / "new.patch"
    patch.write_text(as_patch(), encoding="utf-8")
    check(said("lint", linux_tree, "--diff", patch, "--format", "json")[1])


LAMP = FIXTURES / "classic/drivers/lamp.c"
GAUGE = Path(__file__).parent / "new_files/drivers/misc/gauge.c"


@pytest.fixture
def lint(tmp_path):
    """Lint a text as a file; the exit code, and line and reason of each finding."""

    def start(file, data, *words):
        argv = [*PROGRAM, "lint", f"--cache-dir={tmp_path / 'cache'}", *words]
        argv += ["--stdin", "--format=json", file]
        ran = subprocess.run(argv, input=data, capture_output=True, check=False)
        found = json.loads(ran.stdout)["findings"]
        return ran.returncode, [(each["line"], each["reason"]) for each in found]

    return start


@pytest.mark.whole
def test_findings_of_unsaved_text(lint):
    saved = LAMP.read_bytes()

    def lines(data):
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

    def is_new(data):
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
