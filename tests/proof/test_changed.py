# SPDX-License-Identifier: GPL-2.0
"""Which lines a change touches, and which of its words another architecture, or a module, may read otherwise."""

from pathlib import Path

import pytest

from hotcocci.proof.changed import Aligned, aligned, changed_lines, depending


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


BEFORE = Path(__file__).with_name("changed").joinpath("f.c").read_text(encoding="utf-8")


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


FILE = "fs/a.c"


def of(old: str, new: str) -> tuple[str, ...]:
    return depending(
        FILE, f"int f(void)\n{{\n\t{old}\n}}\n", f"int f(void)\n{{\n\t{new}\n}}\n"
    )


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("return g(sizeof(*p));", "return g(sizeof(p));", ("sizeof",)),
        ("return g(sizeof *p);", "return g(sizeof p);", ("sizeof",)),
        ("u64 a = b;", "unsigned long a = b;", ("long", "u64")),
        ("size_t a = b;", "sector_t a = b;", ("sector_t", "size_t")),
        ("a = 1ULL << n;", "a = 1UL << n;", ("1UL", "1ULL", "<<")),
        ("a = b * 8;", "a = b * 8ULL;", ("*", "8ULL")),
        ("a = ULL(1) << n;", "a = UL(1) << n;", ("<<", "UL", "ULL")),
        ("a = _BITUL(n);", "a = _BITULL(n);", ("_BITUL", "_BITULL")),
        ("a = -1;", "a = 0xffffffffffffffff;", ("0xffffffffffffffff",)),
        ("a = b + c;", "a = b + 4294967296;", ("+", "4294967296")),
        ("a = 0x00ffffff;", "a = 0xffffffffU;", ()),
        ("typeof(s->q) a = n;", "typeof(s->n) a = n;", ("typeof",)),
        (
            "return offsetof(A, b);",
            "return offsetofend(A, c);",
            ("offsetof", "offsetofend"),
        ),
        # Each operand of arithmetic may have another type than what takes its place.
        ("return s->q * s->n * w;", "return s->q * (s->n * w);", ("*",)),
        ("return q + s->n - w;", "return q + (s->n - w);", ("+",)),
        ("return (w ? n : q) << 3;", "return w ? n << 3 : q << 3;", ("<<",)),
        ("return len * s->w;", "return s->n * s->w;", ("*",)),
        ("return 2 * s->len;", "return 2 * s->n;", ("*",)),
        ("return get(s)[1] / 2;", "return put(s)[1] / 2;", ("/",)),
        ("return 1U << (n & 31);", "return 1U << n;", ("<<",)),
        ("int *a = b;", "int *c = b;", ()),
        ("if (a) *b = c;", "if (d) *b = c;", ()),
        ("return -EIO;", "return -EINVAL;", ()),
        ("return -n & s->q;", "return -m & s->q;", ("-",)),
        ("a *= 2; return a;", "b *= 2; return b;", ("*=",)),
        ("return a < y;", "return a < s->w;", ("<",)),
        ("return (len) << 2;", "return (n) << 2;", ("<<",)),
        ("if (a < 0) return;", "if (b < 0) return;", ()),
        ("if (a >= MOST) return;", "if (b >= MOST) return;", ()),
        ("return (a == b);", "return a == b;", ()),
        (
            "e = kstrtou64(s, 0, &a);",
            "e = kstrtoul(s, 0, &a);",
            ("kstrtou64", "kstrtoul"),
        ),
        ("a = be16_to_cpu(b);", "a = b;", ("be16_to_cpu",)),
        ("a = ntohs(b);", "a = (__force u16)b;", ("__force", "ntohs")),
        ("a = size_mul(n, s);", "a = n * s;", ("*", "size_mul")),
        ("a = kcalloc(n, s, g);", "a = kzalloc(s * n, g);", ("kcalloc",)),
        ("a &= ~BIT_ULL(3);", "a &= ~BIT(3);", ("BIT", "~")),
        ("if (is_power_of_2(a))", "if (!(a & b))", ("is_power_of_2",)),
        ("a = __builtin_ctzl(b);", "a = c(b);", ("__builtin_ctzl",)),
        ("put(THIS_MODULE);", "put(NULL);", ("THIS_MODULE",)),
        ("f(u, sizeof(*u));", "f(u, sizeof(u));", ("sizeof",)),
        ("f(u, sizeof(*w));", "f(u, sizeof(w));", ("sizeof",)),
        # a call gets the size of its argument
        ("f(&x, u, sizeof(x));", "g(u, sizeof(*u));", ()),
        # sizeof of the same, beside what changes
        ("return sizeof(*p) + a;", "return sizeof(*p) + b;", ("+",)),
        ("int a = skb_pull(s);", "u32 a = skb_pull(t);", ()),
    ],
)
def test_words(old, new, words):
    assert of(old, new) == words
    assert of(new, old) == words or "ULL" in old


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("g(a);", "g(b);", ("long", "u64")),
        ("g(a, b);", "g(b, a);", ("long", "u64")),
        ("if (n < 3) g(a);", "if (n < 3) g(b);", ("long", "u64")),
        # both are as wide as a long
        ("g(b);", "g(n);", ()),
        # nothing takes the place of another one
        ("g(a); h(b);", "h(b);", ()),
        ("if (b) a = n; else a = b;", "a = b ? n : b;", ()),
        ("g(m);", "g(i);", ()),
    ],
)
def test_of_variables_that_take_the_place_of_others(old, new, words):
    variables = "u64 a = q; unsigned long m, b = a; size_t n = b; int i = n; m = i;\n\t"
    assert of(variables + old, variables + new) == words


def test_of_a_macro_only_what_differs():
    old = "#define A(x) ((u64)(x) << 1)\n#define B(x) ((u64)(x) + 1)\n"
    assert depending("a.h", old, old.replace("(u64)(x) <<", "(x) <<")) == (
        "<<",
        "u64",
    )
    assert depending("a.h", old, old.replace("+ 1", "+ 2")) == ("+",)
    size = "#define A(p) sizeof(*(p))\n"
    assert depending("a.h", size, size.replace("*", "")) == ("sizeof",)


def test_of_what_a_changed_macro_is_made_of():
    text = "#define ALL (~0UL)\n#define WIDE (~0ULL)\n#define MOST WIDE\nu64 f(void)\n{{\n\treturn {};\n}}\n"
    old, new, same = (text.format(name) for name in ("MOST", "ALL", "WIDE"))
    assert depending(FILE, old, new) == ("0UL", "0ULL")
    assert depending(FILE, old, same) == ()


def test_nothing_changes():
    assert of("u64 a = sizeof(long);", "u64  a = sizeof(long); /* a */") == ()
