# SPDX-License-Identifier: GPL-2.0
"""checkpatch on diffs: only complaints that the added lines introduce."""

import difflib

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


def diff(old, new):
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    return "".join(difflib.unified_diff(before, after, "a/fs/a.c", "b/fs/a.c"))


def test_complaints(linux_tree):
    # A diff without a mail around it
    clean = CLEAN.replace("return 0;", "return err;")
    assert complaints(linux_tree, diff(CLEAN, clean)) == []
    (found,) = complaints(linux_tree, diff(CLEAN, HABIT))
    assert found.type == "ASSIGN_IN_IF"
    assert "assignment in if condition" in found.text


def test_complaints_about_old_lines_are_not_new(linux_tree):
    moved = HABIT.replace("(a)))\n", "(a + 1)))\n")
    assert new(linux_tree, diff(HABIT, moved), diff(moved, HABIT)) == []
    twice = moved.replace(
        "	return 0;", "	if ((err = g(0)))\n		return 1;\n	return 0;"
    )
    fresh = new(linux_tree, diff(HABIT, twice), diff(twice, HABIT))
    assert [complaint.type for complaint in fresh] == ["ASSIGN_IN_IF"]


def test_no_checkpatch_or_one_that_breaks(small_tree):
    with pytest.raises(EngineError, match=r"no scripts/checkpatch\.pl"):
        complaints(small_tree({}), "")
    tree = small_tree({"scripts/checkpatch.pl": "die 'it does not work';\n"})
    with pytest.raises(EngineError, match="it does not work"):
        complaints(tree, "")
