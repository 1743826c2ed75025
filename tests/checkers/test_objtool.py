# SPDX-License-Identifier: GPL-2.0
"""objtool warnings about the cases, at the expected lines."""

import pytest
from units import unit_of_many, wrong
from window_cases import read_window_cases

from hotcocci.engines import objtool
from hotcocci.findings import OBJTOOL
from tests.shared import build_of


@pytest.mark.parametrize("kind", ["both", "scoped"])
def test_cases(linux_tree, tmp_path, kind):
    cases = [
        c for c in read_window_cases() if c.tree == kind and c.arch in (None, "x86")
    ]
    unit = unit_of_many(cases, build_of(linux_tree), tmp_path)
    reports = objtool.check(unit, tmp_path)
    assert not wrong(cases, reports, lambda case: case.wanted(OBJTOOL))
