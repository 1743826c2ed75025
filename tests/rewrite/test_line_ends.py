# SPDX-License-Identifier: GPL-2.0
"""Rewrites of files whose lines end with CR LF, or with one and the other."""

from __future__ import annotations

import pytest

from hotcocci.c.source import apply
from hotcocci.findings import Edit
from hotcocci.rewrite.layout import unix, with_ends_of

PLAIN = "one\ntwo\nthree\n\ffour \\\nfive"


def rewritten(text: str, *edits: Edit) -> str:
    """A text after edits of the text with Unix line ends."""
    return apply(text, with_ends_of(text, edits))


def edits(text: str) -> list[Edit]:
    """An edit of each span, to two lines and a part of one."""
    places = range(len(text) + 1)
    return [Edit(a, b, "x\ny\nz") for a in places for b in places if a <= b]


def test_each_edit_is_the_same_with_either_line_end() -> None:
    windows = PLAIN.replace("\n", "\r\n")
    assert unix(windows) == PLAIN
    for edit in edits(PLAIN):
        after = apply(PLAIN, (edit,))
        assert rewritten(PLAIN, edit) == after
        assert rewritten(windows, edit) == after.replace("\n", "\r\n")
    two = (Edit(3, 4, ""), Edit(8, 8, "x\n"))
    after = apply(PLAIN, two)
    assert rewritten(windows, *two) == after.replace("\n", "\r\n")


def test_other_lines_of_a_file_with_both_keep_their_ends() -> None:
    text = "one\r\ntwo\nthree\r\nfour"
    for edit in edits(unix(text)):
        after = rewritten(text, edit)
        assert unix(after) == apply(unix(text), (edit,))
        head, tail = unix(text)[: edit.start], unix(text)[edit.end :]
        kept = [line for line in text.split("\n") if unix(line + "\n")[:-1] in head]
        lines = after.split("\n")
        assert lines[: head.count("\n")] == kept[: head.count("\n")]
        whole = tail.count("\n")
        assert not whole or lines[-whole:] == text.split("\n")[-whole:]


@pytest.mark.parametrize(
    ("line", "end"),
    [("one", "\r\n"), ("two", "\n"), ("three", "\r\n"), ("four", "\r\n")],
)
def test_new_lines_end_as_the_line_they_are_added_to(line: str, end: str) -> None:
    text = "one\r\ntwo\nthree\r\nfour"
    place = unix(text).index(line)
    after = rewritten(text, Edit(place, place + len(line), "x\ny"))
    assert f"x{end}y" in after
