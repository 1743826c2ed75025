# SPDX-License-Identifier: GPL-2.0
"""Other layouts of structures: what is changed of a preprocessed file, and for which changes."""

import pytest

from hotcocci.proof.changed import aligned
from hotcocci.proof.objects.variants import apart, depends, retyped, spread, unbound

HOLE = "unsigned long long : 64;"


def test_structures_begin_with_a_hole():
    text = "struct a { int b; };\nstruct a c = { 1 };\ntypedef struct { int d; } d_t;\n"
    found = spread(text)
    assert HOLE in found.partition("int b;")[0]
    assert HOLE not in found.partition("int b;")[2]
    # Those without a name, too
    texts = [f"typedef struct {{ int a; {b} b; }} d_t;\n" for b in ("int", "long")]
    holes = [spread(text).partition("int a;")[0].count(HOLE) for text in texts]
    assert 0 < holes[0] != holes[1] > 0
    sizes = {spread(f"struct {name} {{ int b; }};").count(HOLE) for name in "abcdefgh"}
    assert len(sizes) > 3


@pytest.mark.parametrize(
    "text",
    [
        '# 1 "include/uapi/linux/in.h" 1\nstruct in_addr { int s_addr; };\n',
        "struct list_head { struct list_head *next, *prev; };\n",
    ],
)
def test_some_are_kept(text):
    assert spread(text) == text


def test_a_union_begins_with_a_hole():
    assert HOLE in spread("union a { int b; };")


UNION = "union a { struct { int b; }; int c; struct { int d; } e; };"


@pytest.mark.parametrize("names", [{"b", "c"}, {"c", "d"}])
def test_alternatives_lie_apart(names):
    found = apart(UNION, names)
    assert found.index(HOLE) < found.index("int b;")
    assert found.partition("int b;")[2].partition("int c;")[0].count(HOLE) == 2
    lines = UNION.replace("struct", '\n# 4 "a.h"\nstruct')
    assert all(
        line[0] == "#" for line in apart(lines, names).split("\n") if "#" in line
    )


@pytest.mark.parametrize("names", [{"b"}, {"d", "e"}, {"f", "g"}])
def test_members_of_one_alternative_stay(names):
    assert apart(UNION, names) == UNION


def test_types_are_others_where_a_file_declares_them():
    lines = "u32 a;\nint f(long b);\n"
    text = f'# 1 "include/x.h" 1\n{lines}# 1 "y.h" 2\n{lines}'
    found = retyped(text, {"x.h": {"a": False, "f": False}})
    assert found.count("sizeof(u32)") == found.count("sizeof(long)") == 1
    assert found.endswith(lines)


def test_nothing_insists_on_sizes():
    text = (
        '_Static_assert(sizeof(struct a) == 4, "a");\n'
        'extern void __compiletime_assert_1(void) __attribute__((__error__("a")));\n'
        "if (sizeof(struct a) != 4) __compiletime_assert_1();\n"
        "char pad[64 - sizeof(struct a)];\n"
        "int b __attribute__((__aligned__(sizeof(struct a))));\n"
    )
    assert unbound(text) == (
        '_Static_assert(1 || sizeof(struct a) == 4, "a");\n'
        'extern void __compiletime_assert_1(void) __attribute__((__warning__("a")));\n'
        "if (sizeof(struct a) != 4) (void)0;\n"
        "char pad[64];\n"
        "int b __attribute__((__aligned__(8)));\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "asked"),
    [
        ("return sizeof(*p);", "return 16;", True),
        ("return sizeof(*p);", "return sizeof(*q);", True),
        ("return p->a;", "return *(int *)q;", True),
        ("return ((struct a *)p)->c;", "return ((struct b *)p)->c;", True),
        ("struct a *q = p; return q->c;", "struct b *q = p; return q->c;", True),
        ("struct a *q = p; return q->c;", "return p->c;", False),
        ("return offsetof(struct a, b);", "return offsetof(struct a, c);", True),
        ("int n = sizeof(*p); return n;", "return sizeof(*p);", False),
        ("if (p) return 0; else return 1;", "return p ? 0 : 1;", False),
        ("return p->a;", "return q->a;", False),
    ],
)
def test_which_changes_ask_for_them(old, new, asked):
    sides = (f"int f(void)\n{{\n\t{text}\n}}\n" for text in (old, new))
    assert depends(aligned("a.c", *sides)) is asked


def test_members_and_sizes_in_macros_count():
    old, new = (f"struct a {{ int b; {more}long c; }};\n" for more in ("int d; ", ""))
    assert depends(aligned("a.c", old, new))
    old, new = "#define N sizeof(struct a)\n", "#define N 16\n"
    assert depends(aligned("a.c", old, new))
