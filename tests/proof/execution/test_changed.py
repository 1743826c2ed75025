# SPDX-License-Identifier: GPL-2.0
"""What a change touches: lines, functions and macros."""

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


def test_a_hunk_names_its_function() -> None:
    after = BEFORE.replace("\treturn store(1, to);", "\tint one = 1;\n\n\treturn one;")
    (hunk,) = changed_lines("f.c", BEFORE, after).hunks
    assert hunk.function == "first"
    assert hunk.old == {8}
    assert hunk.new == {8, 9, 10}


def test_system_calls_go_by_their_name() -> None:
    text = "COMPAT_SYSCALL_DEFINE2(sigaction, int, sig,\n\tint, x)\n{\n\tput_user(1, p);\n}\n"
    (hunk,) = changed_lines("f.c", text, text.replace("1", "2")).hunks
    assert hunk.function == "sigaction"
    assert hunk.accesses


def test_added_lines_touch_their_neighbours() -> None:
    after = BEFORE.replace("\treturn store(1, to);", "\treturn store(1, to);\n\t;")
    changed = changed_lines("f.c", BEFORE, after)
    assert changed.old == {8, 9}
    assert changed.new == {9}
    assert changed.written(0) == frozenset()
    assert changed.written(1) == {9}


def test_a_macro_touches_indirect_users_too() -> None:
    after = BEFORE.replace("put_user(value, to)", "put_user(to, value)")
    changed = changed_lines("f.c", BEFORE, after)
    assert changed.new == {2, 8, 14}
    # The definition itself emits no code.
    assert not any(hunk.accesses for hunk in changed.hunks)


def test_comments_access_nothing() -> None:
    after = BEFORE.replace("put_user() of both", "put_user() of each")
    assert not any(h.accesses for h in changed_lines("f.c", BEFORE, after).hunks)


def test_changes_unrelated_to_user_memory() -> None:
    text = "int f(int *p)\n{\n\tu8 x = *p;\n\n\treturn put_user(x, q);\n}\n"
    changed = changed_lines("f.c", text, text.replace("u8", "int"))
    assert changed.is_kernel_only({3}, {3})
    # No changed line has code: nothing is known.
    assert not changed.is_kernel_only({5}, {5})
    changed = changed_lines("f.c", text, text.replace("u8", "int").replace("q", "r"))
    assert changed.is_kernel_only({3}, {3})
    assert not changed.is_kernel_only({3, 5}, {3, 5})


def test_users_of_a_changed_macro_may_access_user_memory() -> None:
    changed = changed_lines("f.c", BEFORE, BEFORE.replace("(value, to)", "(to, value)"))
    assert not changed.is_kernel_only({8}, {8})
