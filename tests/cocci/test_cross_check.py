# SPDX-License-Identifier: GPL-2.0
"""A script's patch is identical to that of the package, and that of the mail that UA101 is based on is as it should be."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from smpl_runs import (
    ACCESS,
    COCCI,
    COPY,
    Way,
    decided,
    holding,
    pasted,
    patched,
    printed,
)

from hotcocci.findings import MANUAL, PREPARED
from hotcocci.tree.kernel import is_root, probe

WHOLE = os.environ.get("HOTCOCCI_CROSS_CHECK") == "all"
TREE7 = os.environ.get("HOTCOCCI_TREE7")
# Programs, not kernel code.
OUTSIDE = {"tools", "scripts", "Documentation", "samples", "usr"}


def folders(tree, usual):
    if not WHOLE:
        return usual
    found = (p.name for p in tree.iterdir() if p.is_dir())
    return tuple(sorted(name for name in found if name not in OUTSIDE))


def check(way, usual, least, where):
    """Compare the diffs of all files, and run the script again on the results."""
    files = holding(way.tree, folders(way.tree, usual), way.script)
    diffs = printed(way, files, where / "spatch")
    assert len(diffs) >= least, "there is something to compare"
    assert diffs == decided(way, files, where / "cache")
    copies = patched(way, list(diffs), diffs, where)
    for entry in way.tree.iterdir():
        # The headers with the types and features.
        if not (copies / entry.name).exists():
            (copies / entry.name).symlink_to(entry)
    assert printed(replace(way, tree=copies), list(diffs), where / "again") == {}


def test_accesses(linux_tree, tmp_path):
    check(Way(ACCESS, linux_tree, "classic", MANUAL), ("sound/core",), 4, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "api", "usual", "least"),
    [
        # Loops are never safe, and most ask.
        (ACCESS, "classic", ("kernel/bpf", "mm"), 1),
        # Scalars become a call, structures a window: a masked one, which 6.12 has.
        (COPY, "", ("drivers/vfio", "drivers/vhost", "kernel/time"), 7),
    ],
)
def test_loops_and_copies(linux_tree, tmp_path, script, api, usual, least):
    check(Way(script, linux_tree, api, MANUAL), usual, least, tmp_path)


# Begins that are narrowed, and checks that go
WINDOWS = ("io_uring/net.c", "io_uring/rw.c", "kernel/ptrace.c", "lib/iov_iter.c")


@pytest.mark.parametrize(
    ("script", "files"),
    [
        ("credential_reload", ("fs/stat.c", "fs/attr.c")),
        pytest.param("older_window", WINDOWS, marks=pytest.mark.slow),
    ],
)
def test_loads_and_windows(linux_tree, tmp_path, script, files):
    way = Way(COCCI / f"{script}.cocci", linux_tree, "", PREPARED)
    diffs = printed(way, files, tmp_path / "spatch")
    assert diffs and diffs == decided(way, files, tmp_path / "cache")


@pytest.mark.skipif(not TREE7, reason="HOTCOCCI_TREE7 names no kernel tree")
def test_scoped(tmp_path):
    tree = Path(str(TREE7)).resolve()
    assert is_root(tree) and probe(tree).scoped
    check(Way(ACCESS, tree, "scoped"), ("sound", "fs", "kernel", "net"), 35, tmp_path)
    way = Way(COCCI / "older_window.cocci", tree, "", PREPARED)
    files = ["io_uring/io_uring.c", "io_uring/net.c", "kernel/exit.c", "kernel/rseq.c"]
    diffs = printed(way, files, tmp_path / "windows")
    assert diffs and diffs == decided(way, files, tmp_path / "windows-cache")


FUNCTIONS = {
    "sound/core/pcm_native.c": "snd_pcm_ioctl_sync_ptr_compat",
    "sound/core/pcm_compat.c": "snd_pcm_ioctl_sync_ptr_x32",
}
CHAIN = re.compile(
    r"\tif \(((?:get|put)_user\([^;]*\))\)\n\t\treturn -EFAULT;\n", re.DOTALL
)
WINDOW = re.compile(
    r"\tif \(!user_(read|write)_access_begin\(src, sizeof\(\*src\)\)\)\n"
    r"\t\treturn -EFAULT;\n"
    r"((?:\tunsafe_(?:get|put)_user\([^;]*;\n)*)"
    r"\tuser_\1_access_end\(\);\n"
)
LABELS = """
efault_read:
	user_read_access_end();
	return -EFAULT;

efault_write:
	user_write_access_end();
	return -EFAULT;
}
"""


def function(text, name):
    found = re.search(rf"^static int {name}\(.*?^\}}\n", text, re.DOTALL | re.MULTILINE)
    return found.group()


def accesses(text):
    """The accesses of a chain or a window, one ``get value, pointer`` per line."""
    called = re.findall(
        r"(get|put)_user\(([^,]+),\s*([^,]+?)(?:,\s*\w+)?\)(?=\W|$)", text
    )
    return "".join(f"{way} {value}, {place}\n" for way, value, place in called)


@pytest.fixture(scope="module")
def copies(linux_tree, tmp_path_factory):
    way = Way(ACCESS, linux_tree, "classic", min_run=3)
    return pasted(way, list(FUNCTIONS), tmp_path_factory.mktemp("sync_ptr"))


@pytest.mark.parametrize(("file", "name"), FUNCTIONS.items())
def test_two_windows(linux_tree, copies, file, name):
    before = function((linux_tree / file).read_text(), name)
    after = function((copies / file).read_text(), name)
    windows = [(way, accesses(text)) for way, text in WINDOW.findall(after)]
    assert [(way, text.count("\n")) for way, text in windows] == [
        ("read", 3),
        ("write", 9),
    ]
    assert [text for _, text in windows] == [accesses(t) for t in CHAIN.findall(before)]


@pytest.mark.parametrize(("file", "name"), FUNCTIONS.items())
def test_nothing_else(linux_tree, copies, file, name):
    before = function((linux_tree / file).read_text(), name)
    after = function((copies / file).read_text(), name)
    assert "pcm_stream_lock_irq" in before
    assert after.endswith("\treturn 0;\n" + LABELS)
    left = after.removesuffix(LABELS) + "}\n"
    assert WINDOW.sub("ACCESSES\n", left) == CHAIN.sub("ACCESSES\n", before)
