# SPDX-License-Identifier: GPL-2.0
"""The simulated user memory detects every kind of broken window.

Without this test the comparison of before and after would prove nothing.
"""

import re
from pathlib import Path

import pytest
from case_build import ViolationError, differences, run_text
from case_files import FIXTURES, read_case

FORMS = Path(__file__).with_name("broken")
TEXTS = {file.stem: file.read_text() for file in FORMS.glob("*.c")}
FORM = re.compile(
    r"^(stops|differs): (.*): (\w+): (.*)\n((?:[@+-].*\n)+)", re.MULTILINE
)
PART = re.compile(r"^@(\d+)\n((?:-.*\n)*)((?:\+.*\n)*)", re.MULTILINE)


def broken(base: str, parts: str) -> str:
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
