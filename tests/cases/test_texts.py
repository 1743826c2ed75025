# SPDX-License-Identifier: GPL-2.0
"""Each case compiles, is clean under sparse, and does the same before and after, with a fault at each access in turn.

The simulated user memory detects every kind of broken window, without which this would prove nothing.
"""

import re
import shutil
from pathlib import Path

import pytest
from case_build import (
    ViolationError,
    compile_text,
    copied_differences,
    differences,
    run_text,
    sparse_complaints,
    syntax_complaints,
    written_header,
)
from case_files import FIXTURES, TREE_OF_API, TREES, read_case, read_cases

from hotcocci.rules.rulebook import rule
from hotcocci.tree.select import COPY


def test_text(case, harness, tmp_path):
    if not case.builds:
        assert not case.afters
        pytest.skip("says that it cannot be compiled")
    seen = set()
    before = []
    for api in case.apis:
        tree, folder = TREE_OF_API[api], tmp_path / api
        folder.mkdir()
        check(tree, source := written(case.source, folder))
        if api not in case.afters:
            assert syntax_complaints(tree, source) == ""
            continue
        # It does the same in each tree.
        before = before or run_text(tree, case.source, harness[tree], folder, "before")
        text = case.afters[api]
        # Masked windows are in the tree of classic ones, and mostly the same.
        asked = (tree, text, case.is_safe(api), case.is_decided(api))
        if asked not in seen:
            compare(case, api, before, harness[tree], folder)
            seen.add(asked)


def compare(case, api, before, harness, folder):
    """Compile the wanted text, run it, and compare what it does."""
    tree, text, header = TREE_OF_API[api], case.afters[api], case.headers.get(api)
    check(tree, written(text, folder), written_header(header, folder))
    after = run_text(tree, text, harness, folder, "after", header)
    assert any(call.without_fault for call in before)
    assert any(call.injected for call in before)
    strict = case.is_safe(api)
    if rule(case.code).mention == COPY or _loses_copies(case, text):
        assert copied_differences(before, after, strict) == []
    else:
        assert differences(before, after, strict, case.is_decided(api)) == []


def _loses_copies(case, after):
    """Whether there are fewer copies after the rewrite: others became accesses."""
    copies = [len(re.findall(r"\bcopy_(?:to|from)_user\(", t)) for t in (case.source, after)]  # fmt: skip
    return copies[1] < copies[0]


def written(text, folder):
    source = folder / "text.c"
    source.write_text(text, encoding="utf-8")
    return source


def check(tree, source, header=None):
    if shutil.which("sparse"):
        assert sparse_complaints(tree, source, header) == ""


def test_cases_are_complete():
    """Every wanted rewrite has its text, and every twin is another case that has a finding."""
    cases = {case.name: case for case in read_cases()}
    for case in cases.values():
        assert "want" not in case.source.split("*/", 1)[1], case.name
        for each in TREES:
            verdicts = {want.verdict for want in case.wants_for(each)}
            assert ("rewrite" in verdicts) == (each in case.afters), case.name
        if case.twin:
            twin = cases[case.twin]
            # Some rules only report.
            found = twin.afters or any(w.verdict == "report" for w in twin.wants)
            assert found, f"{case.name} is the twin of {case.twin}"


@pytest.mark.parametrize("tree", TREES)
def test_drivers_compile(tree, tmp_path):
    for driver in (FIXTURES / tree / "drivers").glob("*.c"):
        source = written(driver.read_text(encoding="utf-8"), tmp_path)
        compile_text(tree, source)
        check(tree, source)


FORMS = Path(__file__).with_name("broken")
TEXTS = {file.stem: file.read_text() for file in FORMS.glob("*.c")}
FORM = re.compile(
    r"^(stops|differs): (.*): (\w+): (.*)\n((?:[@+-].*\n)+)", re.MULTILINE
)
PART = re.compile(r"^@(\d+)\n((?:-.*\n)*)((?:\+.*\n)*)", re.MULTILINE)


def broken(base, parts):
    """A correct window, or scope, with the changes of a form."""
    lines = base.splitlines(keepends=True)
    for number, old, new in reversed(PART.findall(parts)):
        gone, here = re.findall(r"^-(.*\n)", old, re.M), int(number) - 1
        assert lines[here : here + len(gone)] == gone
        lines[here : here + len(gone)] = re.findall(r"^\+(.*\n)", new, re.M)
    return "".join(lines)


@pytest.mark.parametrize(
    ("kind", "tree", "message", "parts"),
    [
        pytest.param(kind, tree, message, parts, id=name)
        for kind, name, tree, message, parts in FORM.findall(
            (FORMS / "forms").read_text()
        )
    ],
)
def test_broken_forms_are_seen(kind, tree, message, parts, harness, tmp_path):
    text, objects = broken(TEXTS[tree], parts), harness[tree]
    if kind == "stops":
        with pytest.raises(ViolationError, match=f"violation: .*{message}"):
            run_text(tree, text, objects, tmp_path, "broken")
        return
    before = run_text(tree, TEXTS["before"], objects, tmp_path, "before")
    after = run_text(tree, text, objects, tmp_path, "after")
    found = differences(before, after, strict=True)
    assert any(message in line for line in found), found


@pytest.mark.parametrize("tree", ["classic", "scoped"])
def test_the_correct_form_passes(tree, harness, tmp_path):
    before = run_text(tree, TEXTS["before"], harness[tree], tmp_path, "before")
    after = run_text(tree, TEXTS[tree], harness[tree], tmp_path, "after")
    assert differences(before, after, strict=True) == []


def test_no_iterations_and_a_bad_pointer(harness, tmp_path):
    """A loop without iterations succeeds whatever its pointer: its window must be skipped."""
    case = read_case(FIXTURES / "UA102/loop-count.c")
    naive = case.afters["classic"].replace("if (n) {", "{")
    before = run_text("classic", case.source, harness["classic"], tmp_path, "before")
    after = run_text("classic", naive, harness["classic"], tmp_path, "after")
    found = differences(before, after, strict=False)
    assert found and all("bad-first" in line and "ret" in line for line in found), found
