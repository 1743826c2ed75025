# SPDX-License-Identifier: GPL-2.0
"""Fixtures for the tests of the semantic patches."""

import os
import shutil
import sys
from pathlib import Path

import pytest

# The other modules of this directory: pytest's importlib mode does not find them.
sys.path.insert(0, str(Path(__file__).parent))


def pytest_collection_modifyitems(items):
    """Skip all tests if a program they run is missing."""
    here = Path(__file__).parent
    for program in ("spatch", "patch", "make"):
        if not shutil.which(program):
            for item in items:
                if here in item.path.parents:
                    item.add_marker(pytest.mark.skip(reason=f"no {program}"))


def listing(tree):
    """Size and time of every file and directory of a tree."""
    found = {}
    waiting = [str(tree)]
    while waiting:
        for entry in os.scandir(waiting.pop()):
            stat = entry.stat(follow_symlinks=False)
            found[entry.path] = (stat.st_size, stat.st_mtime_ns)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
    return found


def pytest_itemcollected(item):
    """Keep the users of one tree in one worker: spatch has its directories in it as it runs."""
    if "untouched" in getattr(item, "fixturenames", ()):
        item.add_marker(pytest.mark.xdist_group("untouched"))


@pytest.fixture(scope="module")
def untouched(linux_tree):
    """The kernel tree; no file in it may have changed at the end of a module."""
    before = listing(linux_tree)
    yield linux_tree
    after = listing(linux_tree)
    changed = sorted(p for p in before | after if before.get(p) != after.get(p))
    assert changed == []
