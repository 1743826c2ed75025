# SPDX-License-Identifier: GPL-2.0
"""Fixtures for the tests of the cases: the cases, and the harness compiled once."""

import functools
import sys
import traceback
from pathlib import Path

import pytest

# The other modules of this directory: pytest's importlib mode does not find them.
sys.path.insert(0, str(Path(__file__).parent))

from case_build import build_harness
from case_files import TREES, read_cases
from case_tool import run_tool


@pytest.fixture(scope="session")
def harness(builds, tmp_path_factory):
    """The driver for each tree."""
    folder = tmp_path_factory.mktemp("harness")
    return {tree: build_harness(tree, folder) for tree in TREES}


@pytest.fixture(scope="session")
def tool(tmp_path_factory):
    """The tool's results for a case and all others with the same options, run once for all of them."""

    @functools.cache
    def attempt(api, rules):
        cases = [case for case in read_cases() if case.rules == rules]
        folder = tmp_path_factory.mktemp(api)
        try:
            return run_tool(api, rules, cases, folder)
        except Exception:  # noqa: BLE001 - remembered, or every test would run the tool again
            return traceback.format_exc()

    def outcome(api, case):
        result = attempt(api, case.rules)
        if isinstance(result, str):
            pytest.fail(result, pytrace=False)
        return result

    return outcome


def pytest_generate_tests(metafunc):
    """Parametrize by case; those that share runs of the tool are tested by one worker."""
    if "case" not in metafunc.fixturenames:
        return
    cases = [
        pytest.param(
            case,
            id=f"{case.code}-{case.name}",
            marks=[pytest.mark.build, pytest.mark.xdist_group(" ".join(case.rules))],
        )
        for case in read_cases()
    ]
    metafunc.parametrize("case", cases)
