# SPDX-License-Identifier: GPL-2.0
"""An answer is used again only if nothing has changed of what it depends on."""

import os
import shutil
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cache import Cache
from hotcocci.pipeline import fingerprint
from hotcocci.pipeline.changes import Rewritten
from hotcocci.pipeline.gating import pass_all
from hotcocci.pipeline.inputs import Inputs
from hotcocci.pipeline.run import Reached, Run
from hotcocci.pipeline.settings import Observer, Settings
from hotcocci.pipeline.violations import reports_on
from hotcocci.tree import select
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.source import SETTLED_NS
from hotcocci.tree.targets import TARGETS
from tests.shared import CountingCache

OLD, NEW = "int f(int x)\n{\n\treturn x;\n}\n", "int f(int x)\n{\n\treturn 1 * x;\n}\n"
# Still open at the end of the function.
OPEN = "int f(int *p)\n{\n\tuser_access_begin(p, 4);\n\treturn 0;\n}\n"


def state_of_run(tree, settings, asked):
    """The state of a tree's run as it is now."""
    files = fingerprint.status_of(tree.root)
    return fingerprint.state_of_run(tree, settings, asked, files)


@pytest.fixture
def settings(tmp_path):
    return Settings(cache_dir=tmp_path / "cache")


@pytest.mark.parametrize(
    "changed",
    [
        "Makefile",
        "fs/Makefile",
        "fs/Kconfig.debug",
        "fs/firmware.inc",
        "fs/macros",
        "fs/a.c",
        "include/linux/new.h",
        "arch/x86/entry.S",
        "scripts/link.sh",
        "tools/objtool/check.c",
        "tools/objtool/arch/x86/decode.awk",
    ],
)
def test_what_a_build_reads(small_tree, settings, changed):
    tree = find_tree(small_tree({"fs/a.c": ""}))
    before = state_of_run(tree, settings, "")
    assert state_of_run(tree, settings, "") == before
    path = tree.root / changed
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# changed\n")
    assert state_of_run(tree, settings, "") != before


def test_what_no_build_reads(small_tree, settings):
    tree = find_tree(small_tree({"fs/a.c": "", "tools/perf/a.c": ""}))
    before = state_of_run(tree, settings, "")
    for name in ("Documentation/a.c", "tools/perf/a.c", "fs/notes.txt", ".git/a.c"):
        path = tree.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("changed\n")
    assert state_of_run(tree, replace(settings, jobs=9), "") == before


def test_programs_and_options(small_tree, settings, tmp_path, monkeypatch):
    tree = find_tree(small_tree({}))
    programs = tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    profile = tmp_path / "profile"
    seen = [state_of_run(tree, settings, "")]
    for text in ("one", "two"):
        (programs / "gcc").write_text(text)
        (programs / "gcc").chmod(0o755)
        seen.append(state_of_run(tree, settings, ""))
    seen.append(state_of_run(tree, replace(settings, tier="manual"), ""))
    for text in ("one", "two"):
        profile.write_text(text)
        seen.append(state_of_run(tree, replace(settings, profile=profile), ""))
    seen.append(state_of_run(tree, settings, "another question"))
    assert len({*seen}) == len(seen)


def test_links_to_all_files(small_tree, settings, tmp_path):
    root = small_tree({"fs/a.c": OLD, "fs/b.c": OLD, "scripts/a": ""})
    (root / "scripts/fs").symlink_to("../fs")
    settle()

    def state(place):
        return state_of_run(find_tree(place), settings, "")

    before = state(root)
    copy = tmp_path / "copy"
    shutil.copytree(root, copy, symlinks=True, copy_function=os.link)
    settle()
    assert {state(root), state(copy), state(root)} == {before}
    # What it was linked to has been known by the new times since then.
    times = os.stat(root / "fs/a.c")
    (root / "fs/a.c").write_text(OLD.replace("x", "y"))
    os.utime(root / "fs/a.c", ns=(times.st_atime_ns, times.st_mtime_ns))
    os.link(root / "fs/a.c", tmp_path / "another")
    written = state(root)
    assert written != before
    shutil.copy2(root / "fs/b.c", root / "fs/c.c")
    os.replace(root / "fs/c.c", root / "fs/b.c")
    assert state(root) not in (before, written)


def test_copies_of_all_files(small_tree, settings, tmp_path):
    root = small_tree({"fs/a.c": OLD, "fs/Makefile": "#"})
    settle()
    at_first = fingerprint.status_of(root)

    def state(place):
        return state_of_run(find_tree(place), settings, "")

    def copied(name):
        copy = tmp_path / name
        shutil.copytree(root, copy, symlinks=True)
        settle()
        return copy

    before = state(root)
    first = copied("first")
    # Nobody has read the files.
    assert state(first) != before
    with settings.open_cache() as cache:
        fingerprint.remember_contents(at_first, cache)
    assert state(copied("second")) == before
    for name, text in (("fs/a.c", OLD.replace("x", "y")), ("fs/Makefile", "+")):
        copy = copied(Path(name).stem)
        times = os.stat(copy / name)
        (copy / name).write_text(text[: times.st_size])
        os.utime(copy / name, ns=(times.st_atime_ns, times.st_mtime_ns))
        settle()
        assert state(copy) != before
    # Files that changed meanwhile are not what was looked at.
    (root / "fs/a.c").write_text(NEW)
    settle()
    with settings.open_cache() as cache:
        fingerprint.remember_contents(at_first, cache)
    assert state(copied("third")) != state(root)


def settle():
    """Wait until what was written is known by its times, no more by its content."""
    time.sleep(SETTLED_NS / 1e9)


def test_engines_run_again_after_a_change(small_tree, settings):
    tree = find_tree(small_tree({"fs/a.c": OPEN}))
    settle()

    def stored(name):
        """How many results are stored for later."""
        with CountingCache(settings.cache_dir, settings.observer.warn) as cache:
            run = Run(tree, tree, settings, cache, Reached(tree.root, tree.root, cache))
            found = reports_on(run, {name: OPEN}, ("spatch",))
        assert bool(found.reports) == (not found.skipped) == (name == "fs/a.c")
        return cache.made("reports")

    # Of the run, and of spatch on the file, which does not read the Makefile.
    assert (stored("fs/a.c"), stored("fs/a.c")) == (2, 0)
    (tree.root / "Makefile").write_text("# changed\n")
    settle()
    assert (stored("fs/a.c"), stored("fs/a.c")) == (1, 0)
    # A failure, here of a file that is gone, is tried again.
    assert stored("fs/gone.c") == 0


def test_changes_are_checked_again_after_a_change(small_kernel, settings):
    tree = small_kernel({"fs/a.c": OLD, "arch/s390/a.c": OLD})
    settle()
    checked = []

    @contextmanager
    def progress(title):
        checked.extend([title] * (title == "checking the rewrites"))
        yield

    settings = replace(settings, jobs=1, observer=Observer(progress))

    def runs(*wanted):
        """How often the changes are checked if that is asked for twice."""
        before = len(checked)
        first = pass_all(tree, wanted, settings)
        assert pass_all(tree, wanted, settings) == first
        assert first.passed or first.held or not wanted
        return len(checked) - before

    change = Rewritten("fs/a.c", OLD, NEW, (), (), {"UA101": 1})
    assert runs(change) == 1
    assert runs() == 0
    assert runs(replace(change, new=NEW.replace("1 * x", "x * 1"))) == 1
    (tree.root / "Kconfig").write_text("# changed\n")
    settle()
    assert runs(change) == 1
    # What could not be compiled is tried again.
    assert runs(replace(change, file="arch/s390/a.c")) == 2


FILE = "fs/a.c"
TEXT = '#include <linux/x.h>\n#include "private.h"\n#include NAME\n#ifdef OTHER\n#include <linux/y.h>\n#endif\n'
HEADERS = {
    "include/linux/x.h": "",
    "include/linux/y.h": "",
    "include/linux/z.h": "",
    "lib/own dir/private.h": '#include "deep.h"\n',
    "lib/own dir/deep.h": "",
    "lib/named.h": "",
}
pytestmark = pytest.mark.skipif(not shutil.which("gcc"), reason="no gcc")


@pytest.fixture
def root(small_tree):
    return small_tree({FILE: TEXT, **HEADERS})


def state(root, new=TEXT):
    select._headers_states.clear()
    out = root.parent / "out"
    out.mkdir(exist_ok=True)
    build = Build(root, out, TARGETS["x86-64"], (), ())
    folders = (f"-I{root}/include", f"-I{root}/lib/own dir")
    argv = ("gcc", *folders, f'-DNAME="{root}/lib/named.h"')
    with Cache(root.parent / "cache") as cache:
        return Inputs(root, cache, 1).of_change(build, [Command(FILE, argv)], TEXT, new)


@pytest.mark.parametrize("changed", [FILE, *HEADERS])
def test_what_a_compilation_reads(root, changed):
    before = state(root)
    assert state(root) == before
    path = root / changed
    path.write_text(path.read_text() + "\n")
    # The text of the file is the caller's business.
    assert (state(root) == before) == (changed in (FILE, "include/linux/z.h"))


def test_headers_that_come(root):
    # One that is found first
    before = state(root)
    (root / "fs/private.h").write_text("")
    assert state(root) != before
    # Of a text that includes more
    new = TEXT + "#include <linux/z.h>\n"
    before = state(root, new)
    (root / "include/linux/z.h").write_text("int z;\n")
    assert state(root, new) != before
    # Without one, any counts.
    (root / "lib/named.h").unlink()
    before = state(root)
    (root / "include/linux/z.h").write_text("long z;\n")
    assert state(root) != before
