# SPDX-License-Identifier: GPL-2.0
"""Which lines a change touches."""

from __future__ import annotations

from hotcocci.proof.execution.changed import changed_lines

BEFORE = """\
#define store(value, to) \\
	put_user(value, to)
#define both(a, b, to) \\
	(store(a, to) || store(b, (to) + 1))

static int first(int __user *to)
{
	return store(1, to);
}

int second(int __user *to)
{
	return both(1, 2, to);
}
"""


def test_lines_that_differ() -> None:
    after = BEFORE.replace("\treturn store(1, to);", "\tint one = 1;\n\n\treturn one;")
    changed = changed_lines("f.c", BEFORE, after)
    assert (changed.old, changed.new) == ({8}, {8, 9, 10})


def test_added_lines_touch_their_neighbours() -> None:
    after = BEFORE.replace("\treturn store(1, to);", "\treturn store(1, to);\n\t;")
    changed = changed_lines("f.c", BEFORE, after)
    assert (changed.old, changed.new) == ({8, 9}, {9})


def test_a_macro_touches_indirect_users_too() -> None:
    after = BEFORE.replace("put_user(value, to)", "put_user(to, value)")
    assert changed_lines("f.c", BEFORE, after).new == {2, 8, 13}
