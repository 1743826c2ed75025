# SPDX-License-Identifier: GPL-2.0
"""checkpatch on diffs: only complaints that the added lines introduce."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.engines.checkpatch import complaints, new
from hotcocci.errors import EngineError

CLEAN = """\
int f(int a)
{
	int err = g(a);

	if (err)
		return err;
	return 0;
}
"""
# An assignment in a condition, which checkpatch calls an error.
HABIT = CLEAN.replace("	if (err)\n", "	if ((err = g(a)))\n")


def diff(old: str, new: str) -> str:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    return "".join(difflib.unified_diff(before, after, "a/fs/a.c", "b/fs/a.c"))


def test_a_clean_diff_without_a_mail_around_it(linux_tree: Path) -> None:
    new_text = CLEAN.replace("return 0;", "return err;")
    assert complaints(linux_tree, diff(CLEAN, new_text)) == []


def test_a_complaint_has_a_type(linux_tree: Path) -> None:
    found = complaints(linux_tree, diff(CLEAN, HABIT))
    assert [complaint.type for complaint in found] == ["ASSIGN_IN_IF"]
    assert "assignment in if condition" in found[0].text


def test_complaints_about_old_lines_are_not_new(linux_tree: Path) -> None:
    moved = HABIT.replace("(a)))\n", "(a + 1)))\n")
    assert new(linux_tree, diff(HABIT, moved), diff(moved, HABIT)) == []
    twice = moved.replace(
        "	return 0;", "	if ((err = g(0)))\n		return 1;\n	return 0;"
    )
    fresh = new(linux_tree, diff(HABIT, twice), diff(twice, HABIT))
    assert [complaint.type for complaint in fresh] == ["ASSIGN_IN_IF"]


def test_a_tree_without_checkpatch(
    small_tree: Callable[[dict[str, str]], Path],
) -> None:
    with pytest.raises(EngineError, match=r"no scripts/checkpatch\.pl"):
        complaints(small_tree({}), "")


def test_a_checkpatch_that_breaks(
    small_tree: Callable[[dict[str, str]], Path],
) -> None:
    tree = small_tree({"scripts/checkpatch.pl": "die 'it does not work';\n"})
    with pytest.raises(EngineError, match="it does not work"):
        complaints(tree, "")
