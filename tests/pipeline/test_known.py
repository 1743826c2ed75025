# SPDX-License-Identifier: GPL-2.0
"""A file, and what it includes, is known exactly as long as nothing that its decisions depend on changes."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.findings import Finding, Skip
from hotcocci.pipeline.analysis import options_for
from hotcocci.pipeline.known import Decision, Memory, Needs
from hotcocci.pipeline.run import MANY, Reached, Run
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.rulebook import REWRITE_RULES
from hotcocci.tree import source
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.source import SETTLED_NS, code, content
from tests.shared import CountingCache

HERE = Path(__file__).resolve().parent
FILE = "fs/a.c"
TEXT = '#include <linux/x.h>\n#include "b.c"\n'
HEADERS = {"include/linux/x.h": "#include <asm/y.h>\n", "fs/b.c": "", "fs/c.h": ""}


def ask(root, settings, remembered=True):
    """Recall the file and, if it is unknown, remember a decision on it."""
    tree = find_tree(root)
    with Cache(root.parent / "cache") as cache:
        run = Run(tree, tree, settings, cache, Reached(root, root, cache))
        memory = Memory(run, REWRITE_RULES, options_for(tree, settings))
        found = memory.recall([FILE])
        if found.unknown and remembered:
            finding = Finding(
                "LD301", FILE, 1, 2, None, "text", 2, "p", "rw", "report", None, "x"
            )
            text = (root / FILE).read_text()
            made = [Decision(FILE, text, (finding,), (), (3,), "LD301")]
            needs = {FILE: Needs(includes=True)}
            memory.remember([FILE], needs, made, [Skip(FILE, "a reason")])
    return found


@pytest.fixture
def root(small_tree):
    return small_tree({FILE: TEXT, **HEADERS})


@pytest.mark.parametrize(
    "changed",
    [
        FILE,
        "include/linux/x.h",
        "fs/b.c",
        # These appear; the last two are found before the header that was included.
        "include/asm-generic/y.h",
        "arch/s390/include/asm/y.h",
        "arch/x86/include/linux/x.h",
    ],
)
def test_what_a_file_depends_on(root, changed):
    settings = Settings()
    ask(root, settings)
    path = root / changed
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("struct s { int x; };\n")
    assert ask(root, settings, remembered=False).unknown == [FILE]


def test_a_header_that_disappears(root):
    ask(root, Settings())
    (root / "include/linux/x.h").unlink()
    assert ask(root, Settings()).unknown == [FILE]


def test_a_tree_that_is_linked_or_copied(root, monkeypatch):
    monkeypatch.setattr(source, "SETTLED_NS", 0)
    ask(root, Settings())
    shutil.copytree(root, root.parent / "backup", copy_function=os.link)
    assert ask(root, Settings()).unknown == []
    shutil.copytree(root, root.parent / "elsewhere")
    assert ask(root.parent / "elsewhere", Settings(), remembered=False).unknown == []
    (root.parent / "elsewhere/fs/b.c").write_text("int changed;\n")
    assert ask(root.parent / "elsewhere", Settings()).unknown == [FILE]


ASK = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[1:3]
import test_known
print(test_known.ask(Path(sys.argv[3]), test_known.Settings()).unknown)
"""


@pytest.mark.whole
def test_our_own_code(root, tmp_path):
    copy = tmp_path / "copy"
    for name in ("hotcocci", "cocci"):
        shutil.copytree(HERE.parents[1] / name, copy / name)

    def unknown():
        argv = [sys.executable, "-c", ASK, copy, HERE, root]
        return subprocess.check_output(argv, text=True).strip()

    # Until then, files are known by their content.
    time.sleep(SETTLED_NS / 1e9)
    assert (unknown(), unknown()) == (f"['{FILE}']", "[]")
    with (copy / "hotcocci/rewrite/layout.py").open("a") as stream:
        stream.write("\n")
    assert unknown() == f"['{FILE}']"


FILES = ["fs/a.c", "fs/b.c"]
OTHERS = [f"mm/{number}.c" for number in range(MANY)]


def states(root, others=()):
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

    def state(of, text):
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
        keys = [key for (key,) in cache._database.execute("SELECT key FROM answers")]
        rows = {k: r for k, r in cache.answers(keys).items() if isinstance(r, dict)}
        cache.remember({key: {**row, name: other} for key, row in rows.items()})
    assert states(root) == before
