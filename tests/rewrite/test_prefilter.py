# SPDX-License-Identifier: GPL-2.0
"""The text search only rejects files without findings."""

import pytest

from hotcocci.rewrite.prefilter import (
    may_hold_loop,
    may_hold_run,
    may_hold_scalar_copy,
    may_hold_small_copy,
)

ONE = "int f(void)\n{\n\tif (get_user(a, p))\n\t\treturn 1;\n}\n"
TWO = "int f(void)\n{\n\tif (get_user(a, p) ||\n\t    put_user (b, q))\n\t\treturn 1;\n}\n"
FOR = "int f(void)\n{\n\tfor (;;)\n\t\t__put_user(a, p++);\n}\n"


def body(text):
    return f"int f(void)\n{{\n{text}}}\n"


GET = "\t\tget_user(a, p);\n"


@pytest.mark.parametrize(
    ("text", "run", "loop"),
    [
        (ONE, False, False),
        (ONE + ONE, False, False),
        (TWO, True, False),
        (ONE + TWO, True, False),
        (FOR, False, True),
        # The loop belongs to the previous function.
        ("int g(void)\n{\n\tfor (;;)\n\t\th();\n}\n" + ONE, False, False),
        # A nested block ends in a brace that is not in the first column.
        (body(f"\tif (x) {{\n{GET}\t}}\n\tget_user(b, p);\n"), True, False),
        # A loop that has ended, and loops that have not.
        (body("\tfor (;;)\n\t\th();\n\tget_user(a, p);\n"), False, False),
        (body("\twhile (x) {\n\t\th();\n\t}\n\tget_user(a, p);\n"), False, False),
        (body("\tdo {\n\t\th();\n\t} while (x);\n\tget_user(a, p);\n"), False, False),
        (body(f"\twhile (x) {{\n\t\tif (y) {{\n\t\t\th();\n\t\t}}\n{GET}\t}}\n"), False, True),
        (body(f"\tfor (;;)\n\t\tif (y)\n\t\t\th();\n\t\telse\n\t{GET}"), False, True),
        (body(f"\tfor (;;) /* one; two }} */\n{GET}"), False, True),
        (body(f"\tfor (;;) {{\n#ifdef A\n\t}}\n#endif\n{GET}"), False, True),
        # Two cases of a switch are not one basic block; "case" in a comment does not count.
        (body("\tswitch (x) {\n\tcase 1:\n\t\tput_user(a, p);\n\tcase 2:\n\t\tput_user(b, p);\n\t}\n"), False, False),
        (body("\tput_user(a, p); /* in case */\n\tput_user(b, p);\n"), True, False),
        ("#define BOTH(p) \\\n\t(get_user(a, p) || get_user(b, p))\n", True, False),
        ("int my_get_user(int x);\nint force_put_user(int x);\n", False, False),
    ],
)  # fmt: skip
def test_may_hold(text, run, loop):
    assert may_hold_run(text) is run
    assert may_hold_loop(text) is loop


RECORD = "struct point *at, struct point __user *from"


@pytest.mark.parametrize(
    ("head", "size", "scalar"),
    [
        ("", "sizeof(struct point)", False),
        ("", "sizeof(union any)", False),
        ("", "sizeof(struct point *)", True),
        ("struct point where;", "sizeof(where)", False),
        ("const struct point where;", "sizeof(where)", False),
        ("struct point *where;", "sizeof(where)", True),
        ("", "sizeof(*at)", False),
        ("", "sizeof(*from)", False),
        ("", "sizeof(at)", True),
        ("u32 word;", "sizeof(word)", True),
        ("", "sizeof(u64)", True),
        ("", "sizeof(at->x)", True),
        # A variable that shadows it has the same name.
        ("struct point where;\n\t{ u32 where;", "sizeof(where)", True),
        # Declared together, or elsewhere: the text does not decide.
        ("struct point other, where;", "sizeof(where)", True),
        ("", "sizeof(global)", True),
        ("", "4", True),
        ("", "length", False),
    ],
)
def test_may_hold_a_copy(head, size, scalar):
    text = (
        "struct point where_else;\nu32 before(void)\n{\n\tu32 at;\n}\n"
        f"int f({RECORD})\n{{\n\t{head}\n\tif (copy_from_user(at, from, {size}))\n\t\treturn 1;\n}}\n"
    )
    assert may_hold_scalar_copy(text) is scalar
    assert may_hold_small_copy(text) is (size != "length")
