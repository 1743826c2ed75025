# SPDX-License-Identifier: GPL-2.0
"""The SmPL checker on every case: expected reports only."""

import shutil

import pytest
from window_cases import FIXTURES, read_window_cases

from hotcocci.c.matches import load
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.findings import Facts
from hotcocci.layout import DATA
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.rules.rulebook import rule
from hotcocci.tree.kernel import find_tree
from hotcocci.windows.check import Options, check

CASES = read_window_cases(compiling=False)
# Windows in macros, conditions in loops, results compared with errors or given to helpers, helpers told whether a
# window is open: reported as such.
NOT_FOLLOWED = {
    *("clean-helper-compared", "clean-macro-opens", "clean-masked-in-expression"),
    "uw02-helper-told",
    *("uw02-condition-around-loop", "uw02-masked-in-expression", "uw02-result-given"),
    "uw02-window-in-condition",
}


def with_files(tree, root, folder, files):
    """A kernel tree by links, with copies of files in a directory of its own."""
    for entry in tree.iterdir():
        (root / entry.name).symlink_to(entry)
    (root / folder).mkdir()
    for path, name in files.items():
        shutil.copy(path, root / folder / name)
    return find_tree(root)


def facts_of(tree, files, cache):
    with Cache(cache) as known:
        found, skipped = spatch.facts(
            tree, DATA / WINDOW_SCRIPT, files, known, jobs=2, timeout=60
        )
    assert skipped == []
    return found


@pytest.fixture(scope="module")
def tree(linux_tree, tmp_path_factory):
    """A kernel tree with the cases as files in a directory."""
    files = {case.path: case.path.name for case in CASES}
    return with_files(linux_tree, tmp_path_factory.mktemp("tree"), "windows", files)


@pytest.fixture(scope="module")
def facts(tree, tmp_path_factory):
    """The facts of each case."""
    files = [f"windows/{case.path.name}" for case in CASES]
    return facts_of(tree, files, tmp_path_factory.mktemp("cache"))


def test_rewritten_windows_are_correct(linux_tree, tmp_path):
    """The expected windows of rewrites break no rule."""
    expected = sorted(FIXTURES.glob("UA10*/*.after"))
    names = {path: f"{path.stem.replace('.', '_')}.c" for path in expected}
    tree = with_files(linux_tree, tmp_path, "after", names)
    files = [f"after/{name}" for name in names.values()]
    found = facts_of(tree, files, tmp_path / "cache")
    options = Options(tree.root, not tree.features.masked_directed)
    assert len(found) > 100
    for file in files:
        seen = load(found[file], file) if found[file] else Facts(file)
        checked = check((tmp_path / file).read_text(), seen, options)
        assert [r for r in checked.reports if not rule(r.rule).on_request] == []
        # The cases that are about code spatch cannot parse.
        assert [m for m in checked.skipped if "unparsed" not in m.file] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case, tree, facts):
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
        name = case.name.replace("-", "_")
        assert {f for _, f in checked.conditional} == {name, f"{name}_ended"}
