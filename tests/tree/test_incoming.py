# SPDX-License-Identifier: GPL-2.0
"""Patches as they come: which diffs a file holds, and in which order they are meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.incoming import Patch, applied, read
from hotcocci.tree.touched import Touched

DIFF = "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def mail(subject: str, old: str, new: str) -> str:
    """A patch as git format-patch writes it."""
    return (
        "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
        f"From: A <a@example.org>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: {subject}\n\n"
        f"Why.\n---\n x.c | 2 +-\n\n{DIFF.format(old=old, new=new)}-- \n2.39\n\n"
    )


def subjects(patches: list[Patch]) -> list[str]:
    return [patch.name.partition("] ")[2].rstrip(")") for patch in patches]


def test_an_mbox_comes_in_the_order_of_its_numbers() -> None:
    mbox = mail("[PATCH v2 2/2] b", "2", "3") + mail("[PATCH v2 1/2] a", "1", "2")
    assert subjects(read("mbox", mbox)) == ["a", "b"]


def test_two_series_stay_as_they_are() -> None:
    numbered = [("2/2", "a"), ("1/2", "b"), ("2/2", "c")]
    mbox = "".join(mail(f"[PATCH {n}] {s}", "1", "2") for n, s in numbered)
    assert subjects(read("mbox", mbox)) == ["a", "b", "c"]


def test_patches_build_on_each_other(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("1\n")
    mbox = mail("[PATCH 1/2] a", "1", "2") + mail("[PATCH 2/2] b", "2", "3")
    made = applied(tmp_path, read("mbox", mbox))
    assert (made.texts, made.touched) == ({"x.c": "3\n"}, {"x.c": Touched((1,))})
    assert (tmp_path / "x.c").read_text() == "1\n"


def test_what_is_undone_again_is_no_change(tmp_path: Path) -> None:
    (tmp_path / "x.c").write_text("1\n")
    mbox = mail("[PATCH 1/2] a", "1", "2") + mail("[PATCH 2/2] b", "2", "1")
    assert applied(tmp_path, read("mbox", mbox)).touched == {}


def test_nothing_outside_is_read_or_written(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    tree.mkdir()
    outside = tmp_path / "x.c"
    outside.write_text("1\n")
    diff = DIFF.format(old="1", new="2").replace("/x.c", "/../x.c")
    with pytest.raises(UserError, match="does not apply"):
        applied(tree, read("diff", diff))
    assert outside.read_text() == "1\n"


@pytest.mark.parametrize("text", ["", "hello\n", "From: A <a@example.org>\n\nhello\n"])
def test_what_holds_no_diff(text: str) -> None:
    with pytest.raises(UserError, match="holds no diff: write one with"):
        read("file", text)
