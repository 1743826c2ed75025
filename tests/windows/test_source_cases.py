# SPDX-License-Identifier: GPL-2.0
"""Windows that only the source engine reads: expected reports, and places it does not follow."""

import re
import shutil
from pathlib import Path

import pytest

from hotcocci.c.matches import load
from hotcocci.cache import Cache
from hotcocci.engines import spatch
from hotcocci.layout import DATA
from hotcocci.rules.entry import WINDOW_SCRIPT
from hotcocci.rules.rulebook import rule
from hotcocci.tree.kernel import find_tree
from hotcocci.windows.check import Options, check

CASES = sorted(
    (Path(__file__).parents[2] / "kernel-fixtures/windows/source").glob("*.c")
)
WANT = re.compile(r"/\* want: ([^*]+) \*/")
NOT_FOLLOWED = "/* not followed */"
OF_FILE = re.compile("in the macro at line|parse the code near line")
BEYOND = re.compile(r"cannot follow the window of \w+\(\) beyond line (\d+): ")


@pytest.fixture(scope="module")
def seen(linux_tree, tmp_path_factory) -> tuple[Path, dict[str, spatch.Facts]]:
    """A tree with the cases in a directory, and what spatch finds in each."""
    root = tmp_path_factory.mktemp("tree")
    for entry in linux_tree.iterdir():
        (root / entry.name).symlink_to(entry)
    (root / "source").mkdir()
    for case in (*CASES, *CASES[0].parent.glob("*.h")):
        shutil.copy(case, root / "source")
    files = [f"source/{case.name}" for case in CASES]
    with Cache(tmp_path_factory.mktemp("cache")) as cache:
        found, skipped = spatch.facts(
            find_tree(root), DATA / WINDOW_SCRIPT, files, cache, jobs=2, timeout=60
        )
    assert skipped == []
    return root, found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_case(case, seen):
    root, facts = seen
    file = f"source/{case.name}"
    text = case.read_text()
    checked = check(text, load(facts[file], file), Options(root, True))
    found = {
        (report.line, report.rule)
        for report in checked.reports
        if not rule(report.rule).on_request
    }
    lines = list(enumerate(text.splitlines(), 1))
    wanted = {
        (number, code)
        for number, line in lines
        for match in WANT.finditer(line)
        for code in match[1].split(", ")
    }
    assert found == wanted
    places = [
        int(m[1]) for skip in checked.skipped if (m := BEYOND.search(skip.reason))
    ]
    assert sorted(places) == [n for n, line in lines if NOT_FOLLOWED in line]
    # Each is said once, and macros with a window of their own, or calls outside of functions, once for the file.
    others = [skip.reason for skip in checked.skipped if not BEYOND.search(skip.reason)]
    assert len(others) <= 1 and all(OF_FILE.search(o) for o in others)
    if case.stem == "cleanups":
        helped = {function for _, function in checked.helped}
        assert {"cleanups_class", "class_cleanups_window_destructor"} <= helped
