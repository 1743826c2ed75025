# SPDX-License-Identifier: GPL-2.0
"""sparse context imbalances in the cases, with the shadow headers."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.engines import sparse
from hotcocci.findings import SPARSE
from units import build_of, unit_of
from window_cases import WindowCase, read_window_cases

CASES = [case for case in read_window_cases() if case.arch in (None, "x86")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(linux_tree: Path, case: WindowCase) -> None:
    unit = unit_of(case, build_of(linux_tree))
    found = {(report.line, report.rule) for report in sparse.check(unit)}
    assert found == case.wanted(SPARSE)
