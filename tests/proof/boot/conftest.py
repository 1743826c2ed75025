# SPDX-License-Identifier: GPL-2.0
"""Booting what a test made up, with kernels kept from one run of the tests to the next."""

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

# The other modules of this folder, and the cases; pytest's importlib mode does not find them.
sys.path[:0] = [
    str(Path(__file__).parent),
    str(Path(__file__).resolve().parents[2] / "cases"),
]

Booted = Callable[[str, str, float], dict[str, Execution]]


@pytest.fixture
def booted(linux_tree: Path) -> Booted:
    """Boots one file before and after, and gives what came of its functions, by name.

    The first who asks builds the kernel, which takes two and a half minutes.
    """
    from boot_texts import FILE

    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    tree = Tree(linux_tree, probe(linux_tree))

    def run(old: str, new: str, timeout: float) -> dict[str, Execution]:
        cache = Path(home) / "hotcocci-tests"
        outcome = boot(tree, [Change(FILE, old, new, "")], cache, 2, timeout)
        return {execution.function: execution for execution in outcome[FILE]}

    return run
