# SPDX-License-Identifier: GPL-2.0
"""sparse context imbalances in the cases, with the shadow headers."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from pathlib import Path

import pytest

from hotcocci.engines import sparse
from hotcocci.findings import SPARSE
from hotcocci.tree.unit import Unit
from units import build_of, unit_of
from window_cases import WindowCase, read_window_cases

CASES = [case for case in read_window_cases() if case.arch in (None, "x86")]


@pytest.fixture(scope="module")
def reports(
    linux_tree: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, set[tuple[int, str]]]:
    """Line and rule of the reports on each case; those for the same kind of tree are one text."""
    folder = tmp_path_factory.mktemp("sparse")
    found: dict[str, set[tuple[int, str]]] = {case.name: set() for case in CASES}
    for tree in sorted({case.tree for case in CASES}):
        cases = [case for case in CASES if case.tree == tree]
        texts = [case.path.read_text() for case in cases]
        starts = list(accumulate((t.count("\n") for t in texts), initial=0))
        together = folder / f"{tree}.c"
        together.write_text("".join(texts))
        unit = unit_of(cases[0], build_of(linux_tree))
        for report in sparse.check(Unit(unit.build, unit.command, together, folder)):
            number = bisect_left(starts, report.line) - 1
            line = report.line - starts[number]
            found[cases[number].name].add((line, report.rule))
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: WindowCase, reports: dict[str, set[tuple[int, str]]]) -> None:
    assert reports[case.name] == case.wanted(SPARSE)


@pytest.mark.parametrize(
    "name", ("uw02-return-inside", "uw10-scope-in-scope", "clean-helper-in-scope")
)
def test_a_single_case_gives_the_same_reports(name: str, linux_tree: Path) -> None:
    (case,) = (case for case in CASES if case.name == name)
    reports = sparse.check(unit_of(case, build_of(linux_tree)))
    assert {(r.line, r.rule) for r in reports} == case.wanted(SPARSE)
