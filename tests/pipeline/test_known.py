# SPDX-License-Identifier: GPL-2.0
"""A file is known exactly as long as nothing that its decisions depend on changes."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.errors import AGAIN
from hotcocci.findings import BUSY, Finding, Skip
from hotcocci.pipeline.analysis import options_for
from hotcocci.pipeline.known import Decision, Known, Memory, Needs
from hotcocci.pipeline.run import Reached, Run
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.rulebook import REWRITE_RULES
from hotcocci.tree import source
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.source import SETTLED_NS

HERE = Path(__file__).resolve().parent
FILE = "fs/a.c"
TEXT = '#include <linux/x.h>\n#include "b.c"\n'
HEADERS = {"include/linux/x.h": "#include <asm/y.h>\n", "fs/b.c": "", "fs/c.h": ""}


def ask(
    root: Path, settings: Settings, remembered: bool = True, reason: str = "a reason"
) -> Known:
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
            memory.remember([FILE], needs, made, [Skip(FILE, reason)])
    return found


@pytest.fixture
def root(small_tree) -> Path:
    return small_tree({FILE: TEXT, **HEADERS})


def test_a_busy_machine_is_not_remembered(root):
    settings = Settings()
    ask(root, settings, reason=f"{BUSY}: {AGAIN}")
    assert ask(root, settings).unknown == [FILE]


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

    def unknown() -> str:
        argv = [sys.executable, "-c", ASK, copy, HERE, root]
        return subprocess.check_output(argv, text=True).strip()

    # Until then, files are known by their content.
    time.sleep(SETTLED_NS / 1e9)
    assert (unknown(), unknown()) == (f"['{FILE}']", "[]")
    with (copy / "hotcocci/rewrite/layout.py").open("a") as stream:
        stream.write("\n")
    assert unknown() == f"['{FILE}']"
