# SPDX-License-Identifier: GPL-2.0
"""A script's patch is identical to that of the package.

HOTCOCCI_CROSS_CHECK=all compares all files of the trees, which takes minutes;
HOTCOCCI_TREE7 names a second tree, with scoped windows.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from smpl_runs import ACCESS, COCCI, COPY, Way, decided, holding, patched, printed

from hotcocci.findings import MANUAL, PREPARED
from hotcocci.tree.kernel import is_root, probe

WHOLE = os.environ.get("HOTCOCCI_CROSS_CHECK") == "all"
TREE7 = os.environ.get("HOTCOCCI_TREE7")
# Programs, not kernel code.
OUTSIDE = {"tools", "scripts", "Documentation", "samples", "usr"}


def folders(tree: Path, usual: tuple[str, ...]) -> tuple[str, ...]:
    if not WHOLE:
        return usual
    found = (p.name for p in tree.iterdir() if p.is_dir())
    return tuple(sorted(name for name in found if name not in OUTSIDE))


def check(way: Way, usual: tuple[str, ...], least: int, where: Path) -> None:
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
    again = replace(way, tree=copies)
    assert printed(again, list(diffs), where / "again") == {}


def test_accesses(linux_tree, tmp_path):
    way = Way(ACCESS, linux_tree, "classic", MANUAL)
    check(way, ("sound/core",), 4, tmp_path)


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
