# SPDX-License-Identifier: GPL-2.0
"""objtool warnings about the cases, at the expected lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from units import unit_of_many
from window_cases import read_window_cases

from hotcocci.engines import objtool
from hotcocci.findings import OBJTOOL
from tests.shared import build_of


@pytest.mark.parametrize("kind", ["both", "scoped"])
def test_cases(linux_tree: Path, tmp_path: Path, kind: str) -> None:
    cases = [
        c for c in read_window_cases() if c.tree == kind and c.arch in (None, "x86")
    ]
    found: dict[str, set[tuple[int, str]]] = {}
    unit = unit_of_many(cases, build_of(linux_tree), tmp_path)
    for report in objtool.check(unit, tmp_path):
        found.setdefault(report.file, set()).add((report.line, report.rule))
    wrong = {
        case.name: {
            "missing": sorted(wanted - reported),
            "false": sorted(reported - wanted),
        }
        for case in cases
        if (wanted := case.wanted(OBJTOOL)) != (reported := found.get(case.file, set()))
    }
    assert not wrong
