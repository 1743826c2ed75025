# SPDX-License-Identifier: GPL-2.0
"""Makes the modules of this directory importable, and runs commands on small kernel trees."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from tests.shared import FIXTURES

# These run for UA101, and print no progress, however busy the machine is.
COMMANDS = ("lint", "patch", "why")
# Files named slow take too long.
SLOW_SPATCH = (Path(__file__).parent / "texts/slow_spatch").read_text(encoding="utf-8")
Run = Callable[..., tuple[int, str, str]]

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def small_kernel(small_tree):
    """Creates a miniature kernel tree with these files, which compiles."""

    def make(files, name="linux"):
        root = small_tree(files, name)
        ours = shutil.ignore_patterns("*.c")
        shutil.copytree(FIXTURES / "classic", root, ignore=ours, dirs_exist_ok=True)
        if not (root.parent / "harness").exists():
            (root.parent / "harness").symlink_to(FIXTURES / "harness")
        return root

    return make


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Run a command line with a new cache; its exit code, and what it writes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))

    def start(*words):
        capsys.readouterr()
        return main([*map(str, words)]), *capsys.readouterr()

    return start


@pytest.fixture
def run(program, said):
    """Run a command line for UA101; spatch gives up files named slow."""
    program("spatch", SLOW_SPATCH.format(spatch=shutil.which("spatch")))
    # What is offered has its own tests; no function here is hot.
    rule = ("--rule", "UA101", "--churn", "--quiet")
    return lambda *words: said(*words, *(rule if words[0] in COMMANDS else ()))
