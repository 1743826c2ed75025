# SPDX-License-Identifier: GPL-2.0
"""Every benchmark can still be imported: they run rarely, and what they use moves."""

import importlib
from pathlib import Path

import pytest

BENCHMARKS = sorted((Path(__file__).resolve().parents[2] / "benchmarks").glob("*.py"))


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda path: path.stem)
def test_it_is_imported(benchmark):
    importlib.import_module(benchmark.stem)
