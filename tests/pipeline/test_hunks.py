# SPDX-License-Identifier: GPL-2.0
"""Hunks edited by the user."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotcocci.c.source import apply
from hotcocci.errors import UserError
from hotcocci.findings import Edit, Finding, Rewrite
from hotcocci.pipeline.hunks import applied, draft, remade

BEFORE = "".join(f"line {number}\n" for number in range(30))
FINDING = Finding(
    *("UA101", "a.c", 3, 4, "f", "2 reads", 2, "p", "read", "rewrite", "safe"), None
)


def rewrite(*edits: Edit) -> Rewrite:
    return Rewrite(FINDING, edits, "A", "classic")


def at(text: str, new: str, before: str = BEFORE) -> Edit:
    """Replace a text by another."""
    start = before.index(text)
    return Edit(start, start + len(text), new)


TWO = rewrite(at("line 3\n", "window\n"), at("line 20\n", "line 20\nlabel:\n"))


def test_lines_may_be_added_and_removed() -> None:
    text = draft(TWO, BEFORE)
    assert text.count("@@ -") == 2
    text = text.replace("+window\n", "+window\n+more\n").replace(
        "-line 3\n", " line 3\n"
    )
    after = applied(BEFORE, text)
    assert "line 3\nwindow\nmore\nline 4\n" in after
    assert "line 20\nlabel:\nline 21\n" in after


def test_a_trailing_space_stripped_by_the_editor() -> None:
    before = "a\n\nb\nc\n"
    text = draft(rewrite(at("b\n", "B\n", before)), before)
    assert applied(before, text.replace("\n \n", "\n\n")) == "a\n\nB\nc\n"


def test_a_file_without_a_last_newline() -> None:
    before = "a\nb"
    assert applied(before, draft(rewrite(Edit(2, 3, "c")), before)) == "a\nc"
    assert applied(before, draft(rewrite(Edit(2, 3, "c\n")), before)) == "a\nc\n"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (" line 2\n", " line two\n", "line 3 of the file is 'line 2', not 'line two'"),
        ("-line 3\n", "-line 33\n", "line 4 of the file"),
        ("@@ -19,", "@@ -1,", "hunk 2 does not apply"),
        ("@@ -1,", "@ -1,", "keep its @@ line"),
        ("+window\n", "window\n", "does not start with"),
        ("@@ -19,", "@@ -99,", "line 99 of the file is ''"),
    ],
)
def test_edits_that_do_not_apply(old: str, new: str, reason: str) -> None:
    text = draft(TWO, BEFORE)
    assert old in text
    with pytest.raises(UserError, match=reason):
        applied(BEFORE, text.replace(old, new, 1))


def test_an_unmodified_edit_can_be_shared() -> None:
    after = applied(BEFORE, draft(TWO, BEFORE).replace("+window\n", "+door\n"))
    result = remade(TWO, BEFORE, after)
    assert apply(BEFORE, result.edits) == after
    label = TWO.edits[1]
    assert label in result.edits
    other = at("line 10\n", "window\n")
    together = apply(BEFORE, tuple(dict.fromkeys([*result.edits, other, label])))
    assert together.count("label:") == 1 and "door" in together


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "x"]), max_size=8).map("".join)


@given(LINES, LINES, st.data())
def test_the_edits_make_the_text(before: str, after: str, data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(before)), max_size=6).map(sorted))
    ends = zip(places[::2], places[1::2], strict=False)
    edits = tuple(Edit(start, end, "new") for start, end in ends)
    result = remade(rewrite(*edits), before, after)
    assert apply(before, result.edits) == after
