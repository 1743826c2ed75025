# SPDX-License-Identifier: GPL-2.0
"""What a change touches is told by lines, functions and macros."""

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
	/* put_user() of both */
	return both(1, 2, to);
}
"""


def test_a_function_is_known_by_its_first_line() -> None:
    after = BEFORE.replace("\treturn store(1, to);", "\tint one = 1;\n\n\treturn one;")
    (hunk,) = changed_lines("f.c", BEFORE, after).hunks
    assert hunk.function == "first"
    assert hunk.old == {8}
    assert hunk.new == {8, 9, 10}


def test_system_calls_are_called_by_their_name() -> None:
    text = "COMPAT_SYSCALL_DEFINE2(sigaction, int, sig,\n\tint, x)\n{\n\tput_user(1, p);\n}\n"
    (hunk,) = changed_lines("f.c", text, text.replace("1", "2")).hunks
    assert hunk.function == "sigaction"
    assert hunk.accesses


def test_lines_that_are_only_added_touch_their_neighbours() -> None:
    after = BEFORE.replace("\treturn store(1, to);", "\treturn store(1, to);\n\t;")
    changed = changed_lines("f.c", BEFORE, after)
    assert changed.old == {8, 9}
    assert changed.new == {9}
    assert changed.written(0) == frozenset()
    assert changed.written(1) == {9}


def test_a_macro_changes_what_uses_it_through_others_too() -> None:
    after = BEFORE.replace("put_user(value, to)", "put_user(to, value)")
    changed = changed_lines("f.c", BEFORE, after)
    assert changed.new == {2, 8, 14}
    # The definition leaves no code where it stands.
    assert not any(hunk.accesses for hunk in changed.hunks)


def test_comments_access_nothing() -> None:
    after = BEFORE.replace("put_user() of both", "put_user() of each")
    assert not any(h.accesses for h in changed_lines("f.c", BEFORE, after).hunks)
