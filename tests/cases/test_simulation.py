# SPDX-License-Identifier: GPL-2.0
"""The simulated user memory detects every kind of broken window.

Without this test the comparison of before and after would prove nothing.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from broken_windows import (
    BEFORE,
    BEGIN,
    DIFFERENCES,
    END,
    HEAD,
    RETURN,
    SCOPED,
    STORES,
    TAIL,
    VIOLATIONS,
    Broken,
)
from case_build import ViolationError, differences, run_text
from case_files import FIXTURES, read_case


@pytest.mark.parametrize("form", VIOLATIONS, ids=lambda form: form.name)
def test_violation_stops_the_program(
    form: Broken, harness: dict[str, list[Path]], tmp_path: Path
) -> None:
    with pytest.raises(ViolationError, match=f"violation: .*{form.message}"):
        run_text(form.tree, form.text, harness[form.tree], tmp_path, "broken")


@pytest.mark.parametrize("form", DIFFERENCES, ids=lambda form: form.name)
def test_difference_is_seen(
    form: Broken, harness: dict[str, list[Path]], tmp_path: Path
) -> None:
    objects = harness[form.tree]
    before = run_text(form.tree, HEAD + BEFORE, objects, tmp_path, "before")
    after = run_text(form.tree, form.text, objects, tmp_path, "after")
    found = differences(before, after, strict=True)
    assert any(form.message in line for line in found), found


@pytest.mark.parametrize("tree", ["classic", "scoped"])
def test_the_correct_form_passes(
    tree: str, harness: dict[str, list[Path]], tmp_path: Path
) -> None:
    right = {"classic": BEGIN + STORES + END + RETURN + TAIL, "scoped": SCOPED}[tree]
    before = run_text(tree, HEAD + BEFORE, harness[tree], tmp_path, "before")
    after = run_text(tree, HEAD + right, harness[tree], tmp_path, "after")
    assert differences(before, after, strict=True) == []


def test_no_iterations_and_a_bad_pointer(
    harness: dict[str, list[Path]], tmp_path: Path
) -> None:
    """A loop without iterations succeeds whatever its pointer: its window must be skipped."""
    case = read_case(FIXTURES / "UA102/loop-count.c")
    naive = case.afters["classic"].replace("if (n) {", "{")
    before = run_text("classic", case.source, harness["classic"], tmp_path, "before")
    after = run_text("classic", naive, harness["classic"], tmp_path, "after")
    found = differences(before, after, strict=False)
    assert found and all("bad-first" in line and "ret" in line for line in found), found
