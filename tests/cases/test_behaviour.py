# SPDX-License-Identifier: GPL-2.0
"""Run each case before and after, with a fault at each access in turn."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from case_build import Call, copied_differences, differences, run_text
from case_files import TREE_OF_API, Case

from hotcocci.rules.implementation import implementation_of
from hotcocci.tree.select import COPY


Before = Callable[[str, str], list[Call]]


@pytest.fixture(scope="session")
def calls_before(
    harness: dict[str, list[Path]], tmp_path_factory: pytest.TempPathFactory
) -> Before:
    """What a text does in a tree; masked windows are in the tree of classic ones."""
    folder = tmp_path_factory.mktemp("before")

    @functools.cache
    def run(tree: str, text: str) -> list[Call]:
        return run_text(tree, text, harness[tree], folder, "before")

    return run


def test_same_behaviour(
    case: Case,
    api: str,
    harness: dict[str, list[Path]],
    calls_before: Before,
    tmp_path: Path,
) -> None:
    tree = TREE_OF_API[api]
    before = calls_before(tree, case.source)
    header = case.headers.get(api)
    after = run_text(tree, case.afters[api], harness[tree], tmp_path, "after", header)
    assert any(call.without_fault for call in before)
    assert any(call.injected for call in before)
    if implementation_of(case.code).mention == COPY or _loses_copies(case, api):
        assert copied_differences(before, after, case.is_safe(api)) == []
    else:
        strict, decided = case.is_safe(api), case.is_decided(api)
        assert differences(before, after, strict, decided) == []


def _loses_copies(case: Case, api: str) -> bool:
    """Whether there are fewer copies after the rewrite: others became accesses."""
    before, after = (
        len(re.findall(r"\bcopy_(?:to|from)_user\(", text))
        for text in (case.source, case.afters[api])
    )
    return after < before
