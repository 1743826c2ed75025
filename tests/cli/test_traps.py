# SPDX-License-Identifier: GPL-2.0
"""Commands that only read a tree run nothing of it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hotcocci.layout import IMPORTS
from tests.shared import launch
from tests.tree.traps import arm, commit, lay, sprung

pytestmark = pytest.mark.whole

LAMP = "drivers/lamp.c"


@pytest.fixture
def root(tmp_path) -> Path:
    """A tree full of traps, in a git repository with others; a change is not committed."""
    root = tmp_path / "tree"
    shutil.copytree(IMPORTS / "kernel-fixtures/classic", root)
    commit(root)
    lay(root)
    arm(root)
    with (root / LAMP).open("a") as stream:
        stream.write("/* changed */\n")
    return root


def run(root: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the tree, by a user who has the folder that they are in on PATH."""
    return launch(
        [sys.executable, *command],
        cwd=root,
        env={**os.environ, "PATH": f".::{os.environ['PATH']}"},
        timeout=300,
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("lint", "--churn", "."), 1),
        (("lint", "--diff-base", "HEAD", "."), 0),
        (("why", f"{LAMP}:34"), 0),
        (("check", "--engine", "spatch", "."), 0),
        (("doctor", "."), 0),
    ],
)
def test_nothing_of_the_tree_is_run(root, tmp_path, command, code, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    ran = run(root, str(IMPORTS / "run.py"), *command)
    assert (ran.returncode, sprung(root)) == (code, []), ran.stderr
