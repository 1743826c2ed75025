# SPDX-License-Identifier: GPL-2.0
"""Boots files written by tests; built kernels are kept between test runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.findings import Execution
from hotcocci.proof.boot.run import boot
from hotcocci.proof.gate import Change
from hotcocci.tree.kernel import Tree, probe

# pytest's importlib mode does not find the modules of this directory, nor those of the cases.
sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).resolve().parents[2] / "cases"),
]

Booted = Callable[[str, str, float], dict[str, Execution]]


@pytest.fixture
def booted(linux_tree: Path) -> Booted:
    """Boots a file before and after; returns the results of its functions by name.

    The first call builds the kernel, which takes two and a half minutes.
    """
    from boot_texts import FILE

    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    tree = Tree(linux_tree, probe(linux_tree))

    def run(old: str, new: str, timeout: float) -> dict[str, Execution]:
        cache = Path(home) / "hotcocci-tests"
        outcome = boot(tree, [Change(FILE, old, new, "")], cache, 2, timeout)
        return {execution.function: execution for execution in outcome[FILE]}

    return run
