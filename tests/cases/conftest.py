# SPDX-License-Identifier: GPL-2.0
"""What the tests of the cases share: the cases, and the harness compiled once."""

from __future__ import annotations

import functools
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest

# The other modules of this folder; pytest's importlib mode does not find them
sys.path.insert(0, str(Path(__file__).parent))

from case_build import build_harness
from case_files import TREES, Case, read_cases
from case_tool import Outcome, run_tool


@pytest.fixture(scope="session")
def harness(
    builds: None, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, list[Path]]:
    """The driver's objects for each tree."""
    folder = tmp_path_factory.mktemp("harness")
    return {tree: build_harness(tree, folder) for tree in TREES}


@pytest.fixture(scope="session")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Case], Outcome]:
    """What the tool makes of a case and all that are run like it: each way is run once."""

    @functools.cache
    def attempt(
        api: str, rules: tuple[str, ...], default_min_run: bool
    ) -> Outcome | str:
        cases = [
            c
            for c in read_cases()
            if (c.rules, c.default_min_run) == (rules, default_min_run)
        ]
        folder = tmp_path_factory.mktemp(api)
        try:
            return run_tool(api, default_min_run, rules, cases, folder)
        except Exception:  # noqa: BLE001 - remembered, or every test would run the tool again
            return traceback.format_exc()

    def outcome(api: str, case: Case) -> Outcome:
        result = attempt(api, case.rules, case.default_min_run)
        if isinstance(result, str):
            pytest.fail(result, pytrace=False)
        return result

    return outcome


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every case, with every tree or every way of opening windows a test asks for.

    ``tree`` is each tree, ``api`` each way in which the case is rewritten,
    ``any_api`` also those in which it must not be; masked windows, which are
    classic ones with another beginning, only where the case has them.
    """
    names = set(metafunc.fixturenames)
    if "case" not in names:
        return
    choices: dict[str, Callable[[Case], tuple[str, ...]]] = {
        "tree": lambda case: TREES,
        "api": lambda case: tuple(case.afters),
        "any_api": lambda case: tuple({**dict.fromkeys(TREES), **case.afters}),
    }
    cases = read_cases()
    for name in names & set(choices):
        # Whoever asks for these compiles or rewrites every case.
        pairs = [
            pytest.param(
                case, value, id=f"{case.name}-{value}", marks=pytest.mark.build
            )
            for case in cases
            for value in choices[name](case)
        ]
        metafunc.parametrize(("case", name), pairs)
        return
    metafunc.parametrize("case", cases, ids=[case.name for case in cases])
