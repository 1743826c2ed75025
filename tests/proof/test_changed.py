# SPDX-License-Identifier: GPL-2.0
"""Which lines a change touches; the others have one number before and after, and keep their original one."""

from hotcocci.proof.changed import Aligned, aligned, changed_lines

FILE = "lib/a.c"


def equal(found: Aligned) -> list[tuple[str, int, int]]:
    """The lines at which both texts agree, with their original numbers."""
    lines = [text.splitlines() for text in found.texts]
    return [
        (one, *both)
        for one, other, *both in zip(*lines, *found.numbers, strict=False)
        if one == other and one
    ]


def test_lines_after_an_insertion_keep_their_number():
    found = aligned(FILE, "a\nb\nc\n", "a\nb\nx\ny\nc\n")
    assert found.texts == ("a\nb\n\n\nc\n", "a\nb\nx\ny\nc\n")
    assert equal(found) == [("a", 1, 1), ("b", 2, 2), ("c", 3, 5)]


def test_no_blank_line_ends_a_macro():
    old = "#define X \\\n\ta \\\n\tb\nc\n"
    found = aligned(FILE, old, old.replace("\ta \\\n", "\ta \\\n\tn \\\n"))
    assert found.texts[0] == "#define X \\\n\ta \\\n\tb\n\nc\n"
    assert equal(found)[-1] == ("c", 4, 5)


def test_form_feeds_and_bytes_of_utf8_end_no_line():
    text = "a\n\x0c\nb /* \xc3\x85 */\nc\n"
    found = aligned(FILE, text, text.replace("c\n", "x\nc\n"))
    assert found.texts[0].split("\n") == ["a", "\x0c", "b /* \xc3\x85 */", "", "c", ""]


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


def test_lines_that_differ():
    after = BEFORE.replace("\treturn store(1, to);", "\tint one = 1;\n\n\treturn one;")
    changed = changed_lines("f.c", BEFORE, after)
    assert (changed.old, changed.new) == ({8}, {8, 9, 10})


def test_added_lines_touch_their_neighbours():
    after = BEFORE.replace("\treturn store(1, to);", "\treturn store(1, to);\n\t;")
    changed = changed_lines("f.c", BEFORE, after)
    assert (changed.old, changed.new) == ({8, 9}, {9})


def test_a_macro_touches_indirect_users_too():
    after = BEFORE.replace("put_user(value, to)", "put_user(to, value)")
    assert changed_lines("f.c", BEFORE, after).new == {2, 8, 13}
