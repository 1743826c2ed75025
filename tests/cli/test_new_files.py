# SPDX-License-Identifier: GPL-2.0
"""What lint says of new files, as drivers add them: each is in new_files/, with marks where it must speak.

Not a word is due where copies and stores are as they should be: a write() that runs commands as they come,
getsockopt() with its length, a loop that writes to two arrays.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.shared import FIXTURES
from tests.tree.traps import commit

NEW = Path(__file__).parent / "new_files"
MARK = re.compile(r"\s*/\* says: (.*) \*/")

Said = list[tuple[str, int, str]]


def files() -> Iterator[tuple[str, str]]:
    """The names and texts, with marks."""
    for path in sorted(NEW.rglob("*.c")):
        yield str(path.relative_to(NEW)), path.read_text(encoding="utf-8")


def wanted() -> Said:
    """File, line, and what the message has."""
    return [
        (name, number, mark[1])
        for name, text in files()
        for number, line in enumerate(text.splitlines(), 1)
        if (mark := MARK.search(line))
    ]


def as_patch() -> str:
    """A patch that adds all files."""
    made = []
    for name, text in files():
        lines = MARK.sub("", text).splitlines()
        made += [f"--- /dev/null\n+++ b/{name}\n@@ -0,0 +1,{len(lines)} @@"]
        made += [f"+{line}" for line in lines]
    return "\n".join([*made, ""])


def check(output: str) -> None:
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
