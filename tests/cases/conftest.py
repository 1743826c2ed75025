# SPDX-License-Identifier: GPL-2.0
"""What the tests of the cases share: the cases, and the harness compiled once."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

# The other modules of this folder; pytest's importlib mode does not find them
sys.path.insert(0, str(Path(__file__).parent))

from case_build import build_harness
from case_files import TREE_OF_API, TREES, read_cases


@pytest.fixture(scope="session")
def harness(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Path]]:
    """The driver's objects for each tree."""
    folder = tmp_path_factory.mktemp("harness")
    return {tree: build_harness(tree, folder) for tree in TREES}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """``case``: each case. ``case, api``: each case and each way it is rewritten."""
    names = set(metafunc.fixturenames)
    cases = read_cases()
    if {"case", "api"} <= names:
        pairs = [
            (case, api) for case in cases for api in TREE_OF_API if api in case.afters
        ]
        metafunc.parametrize(
            ("case", "api"), pairs, ids=[f"{c.name}-{api}" for c, api in pairs]
        )
    elif {"case", "tree"} <= names:
        pairs = [(case, tree) for case in cases for tree in TREES]
        metafunc.parametrize(
            ("case", "tree"), pairs, ids=[f"{c.name}-{tree}" for c, tree in pairs]
        )
    elif "case" in names:
        metafunc.parametrize("case", cases, ids=[case.name for case in cases])
