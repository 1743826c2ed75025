# SPDX-License-Identifier: GPL-2.0
"""The SmPL checker on every case: expected reports only."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from window_cases import FIXTURES, WindowCase, read_window_cases

from hotcocci.c.matches import load
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.findings import Facts
from hotcocci.layout import DATA
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.rules.rulebook import rule
from hotcocci.tree.kernel import Tree, find_tree
from hotcocci.windows.check import Options, check

CASES = read_window_cases(compiling=False)
TIMEOUT = 60
# Windows in macros, conditions in loops, results compared with errors or given to helpers, helpers told whether a window is open: reported
# as such.
NOT_FOLLOWED = {
    "clean-helper-compared",
    "clean-masked-in-expression",
    "uw02-condition-around-loop",
    "uw02-helper-told",
    "uw02-masked-in-expression",
    "uw02-result-given",
    "uw02-window-in-condition",
    "uw02-window-in-macro",
}


@pytest.fixture(scope="module")
def tree(linux_tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Tree:
    """A kernel tree with the cases as files in a directory."""
    root = tmp_path_factory.mktemp("tree")
    for entry in linux_tree.iterdir():
        (root / entry.name).symlink_to(entry)
    (root / "windows").mkdir()
    for case in CASES:
        shutil.copy(case.path, root / "windows")
    return find_tree(root)


@pytest.fixture(scope="module")
def facts(
    tree: Tree, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, spatch.Facts]:
    """The facts of each case."""
    files = [f"windows/{case.path.name}" for case in CASES]
    with Cache(tmp_path_factory.mktemp("cache")) as cache:
        found, skipped = spatch.facts(
            tree, DATA / WINDOW_SCRIPT, files, cache, jobs=2, timeout=TIMEOUT
        )
    assert skipped == []
    return found


def test_rewritten_windows_are_correct(linux_tree: Path, tmp_path: Path) -> None:
    """The expected windows of rewrites break no rule."""
    for entry in linux_tree.iterdir():
        (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / "after").mkdir()
    expected = sorted(FIXTURES.glob("UA10*/*.after"))
    files = [f"after/{path.stem.replace('.', '_')}.c" for path in expected]
    for path, file in zip(expected, files, strict=True):
        shutil.copy(path, tmp_path / file)
    tree = find_tree(tmp_path)
    options = Options(tree.root, not tree.features.masked_directed)
    with Cache(tmp_path / "cache") as cache:
        found, skipped = spatch.facts(
            tree, DATA / WINDOW_SCRIPT, files, cache, jobs=2, timeout=TIMEOUT
        )
    assert skipped == []
    assert len(found) > 100
    for file in files:
        seen = load(found[file], file) if found[file] else Facts(file)
        checked = check((tmp_path / file).read_text(), seen, options)
        assert [r for r in checked.reports if not rule(r.rule).on_request] == []
        # The cases that are about code spatch cannot parse.
        assert [m for m in checked.skipped if "unparsed" not in m.file] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: WindowCase, tree: Tree, facts: dict[str, spatch.Facts]) -> None:
    file = f"windows/{case.path.name}"
    seen = load(facts[file], file) if facts[file] else Facts(file)
    options = Options(tree.root, not tree.features.masked_directed)
    checked = check(case.path.read_text(), seen, options)
    assert bool(checked.skipped) is (case.name in NOT_FOLLOWED)
    found = {
        (report.line, report.rule)
        for report in checked.reports
        if not rule(report.rule).on_request or report.rule in case.rules
    }
    assert found == case.wanted("spatch")
    if case.name == "uw02-condition-around-loop":
        told = {
            name.removeprefix("uw02_condition_around_loop")
            for _, name in checked.conditional
        }
        assert told == {"", "_ended"}
