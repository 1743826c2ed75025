# SPDX-License-Identifier: GPL-2.0
"""Each case is well formed, compiles before and after, and is clean under sparse."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from case_build import compile_text, sparse_complaints, written_header
from case_files import FIXTURES, TREE_OF_API, TREES, Case, read_cases


def test_before_compiles(case: Case, tree: str, tmp_path: Path) -> None:
    if not case.builds:
        pytest.skip("says that it cannot be compiled")
    source = written(case.source, tmp_path)
    # test_behaviour.py compiles and runs what is rewritten.
    if tree not in {TREE_OF_API[api] for api in case.afters}:
        compile_text(tree, source)
    check(tree, source)


def test_after_is_clean(case: Case, api: str, tmp_path: Path) -> None:
    """It compiles, as test_behaviour.py runs it."""
    header = written_header(case.headers.get(api), tmp_path)
    check(TREE_OF_API[api], written(case.afters[api], tmp_path), header)


def written(text: str, folder: Path) -> Path:
    source = folder / "text.c"
    source.write_text(text, encoding="utf-8")
    return source


def check(tree: str, source: Path, header: Path | None = None) -> None:
    if shutil.which("sparse"):
        assert sparse_complaints(tree, source, header) == ""


def test_an_after_wherever_a_rewrite_is_wanted() -> None:
    for case in read_cases():
        for api in ("classic", "scoped"):
            verdicts = {want.verdict for want in case.wants_for(api)}
            assert ("rewrite" in verdicts) == (api in case.afters), case.name


def test_twins_exist_and_are_reported() -> None:
    cases = {case.name: case for case in read_cases()}
    for case in cases.values():
        if case.twin:
            twin = cases[case.twin]
            # Some rules only report.
            found = twin.afters or any(w.verdict == "report" for w in twin.wants)
            assert found, f"{case.name} is the twin of {case.twin}"
            assert set(case.afters) < {"classic", "scoped", "masked"}


def test_marks_are_removed() -> None:
    for case in read_cases():
        assert "want" not in case.source.split("*/", 1)[1], case.name


@pytest.mark.parametrize("tree", TREES)
def test_drivers_compile(tree: str, tmp_path: Path) -> None:
    for driver in (FIXTURES / tree / "drivers").glob("*.c"):
        source = written(driver.read_text(encoding="utf-8"), tmp_path)
        compile_text(tree, source)
        check(tree, source)
