# SPDX-License-Identifier: GPL-2.0
"""The states of what files include: one file at a time, and many at once."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from hotcocci.cache import Cache
from hotcocci.pipeline.run import MANY, Reached
from hotcocci.tree.source import code, content

FILES = ["fs/a.c", "fs/b.c"]


OTHERS = [f"mm/{number}.c" for number in range(MANY)]


class CountingCache(Cache):
    """Counts the answers that are asked for."""

    asked = 0

    def answers(self, keys: Sequence[str]) -> dict[str, Any]:
        self.asked += len(keys)
        return super().answers(keys)


def states(root: Path, others: Sequence[str] = ()) -> dict[str, str]:
    with Cache(root.parent / "cache") as cache:
        return Reached(root, root, cache).states([*FILES, *others])


@pytest.mark.parametrize("others", [[], OTHERS], ids=["few", "many"])
def test_only_files_that_include_a_change(small_tree, others):
    root = small_tree(
        {
            "fs/a.c": '#include <linux/x.h>\n#include "c.c"\n#include "../tools/t.h"\n',
            "fs/b.c": "#include <linux/y.h>\n",
            "include/linux/x.h": "",
            "fs/c.c": "",
            "tools/t.h": "",
            **dict.fromkeys(others, ""),
        }
    )
    before = states(root, others)
    assert states(root, others) == before
    for changed in ("include/linux/x.h", "fs/c.c", "tools/t.h"):
        (root / changed).write_text("int changed;\n" + (root / changed).read_text())
        after = states(root, others)
        assert after["fs/a.c"] != before["fs/a.c"]
        assert after["fs/b.c"] == before["fs/b.c"]
        before = after
    (root / "include/linux/y.h").write_text("")
    after = states(root, others)
    assert after["fs/a.c"] == before["fs/a.c"]
    assert after["fs/b.c"] != before["fs/b.c"]


def test_a_comment_changes_no_code(small_tree):
    root = small_tree({"fs/a.c": "#include <linux/x.h>\n"})
    header = root / "include/linux/x.h"

    def state(of: Callable[[str], str], text: str) -> str:
        header.write_text(text)
        with Cache(root.parent / "cache") as cache:
            return Reached(root, root, cache, of).states(["fs/a.c"])["fs/a.c"]

    plain = 'char *s = "/* 1 */";\n'
    more = '/* "one" */\n\nchar *s = "/* 1 */"; // two\n'
    assert state(code, plain) == state(code, more)
    assert state(content, plain) != state(content, more)
    quote = """char q = '"', *s = "/*"; int a; /* b */\n"""
    assert state(code, quote) != state(code, quote.replace("int a", "long a"))
    assert state(code, plain) != state(code, plain.replace("1", "2"))


def test_many_files_have_one_answer(small_tree):
    root = small_tree(dict.fromkeys(OTHERS, "#include <linux/x.h>\n"))
    (root / "include/linux/x.h").write_text("")
    asked = []
    for _ in range(2):
        with CountingCache(root.parent / "cache") as cache:
            Reached(root, root, cache).states(OTHERS)
        asked.append(cache.asked)
    assert asked == [3, 1]


def test_what_changes_no_code_changes_no_answer(small_tree, tmp_path, monkeypatch):
    root = small_tree(dict.fromkeys((*FILES, *OTHERS), "#include <linux/x.h>\n"))
    (root / "include/linux/x.h").write_text("int x;\n")
    before = states(root, OTHERS)
    monkeypatch.delattr(Reached, "_of_many")
    (root / "include/linux/x.h").write_text("/* X */\nint x;\n")
    assert states(root, OTHERS) == before
    # A copy lies beside it, so it has the same cache.
    shutil.copytree(root, tmp_path / "copy")
    assert states(tmp_path / "copy", OTHERS) == before
    (root / "include/linux/x.h").write_text("long x;\n")
    with pytest.raises(AttributeError):
        states(root, OTHERS)


@pytest.mark.parametrize("other", [None, 5, [], {}])
@pytest.mark.parametrize("name", ["state", "paths", "stamps", "contents"])
def test_an_answer_of_another_shape_is_made_again(small_tree, name, other):
    root = small_tree(dict.fromkeys(FILES, "#include <linux/x.h>\n"))
    before = states(root)
    with Cache(root.parent / "cache") as cache:
        assert cache._database is not None
        keys = [key for (key,) in cache._database.execute("SELECT key FROM answers")]
        rows = {k: r for k, r in cache.answers(keys).items() if isinstance(r, dict)}
        cache.remember({key: {**row, name: other} for key, row in rows.items()})
    assert states(root) == before
