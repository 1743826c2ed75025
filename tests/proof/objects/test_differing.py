# SPDX-License-Identifier: GPL-2.0
"""Only tokens count: neither comments nor white space, but a directive and what uses a macro; functions of preprocessed texts."""

from pathlib import Path

import pytest

from hotcocci.proof.changed import Text, aligned, differing, is_layout, uses
from hotcocci.proof.objects.conditional import functions

TEXTS = Path(__file__).with_name("differing")
TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")


def changed(new: str, old: str = TEXT) -> tuple[list[str], list[str]]:
    both = aligned("a.c", old, new)
    found = differing(*(Text("a.c", text) for text in both.texts))
    return [t.text for t in found[0]], [t.text for t in found[1]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/* first */", "/* second\n\t * line */"),
        ("(a) return", "(a)\n\t\treturn"),
        ("\treturn 0;", "        return 0;"),
        ("#endif", "#endif /* A */"),
        ("+ \\\n\t\t 1)", "+ 1)"),
        ("#ifdef A /* a */", "# ifdef A"),
    ],
)
def test_layout_and_comments_are_no_difference(old, new):
    assert changed(TEXT.replace(old, new)) == ([], [])


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("f(a+b);", "f(a + b);", True),
        ("WARN(a,b);", "WARN( a, b );", True),
        # "a+b" where it is a string
        ("WARN(a+b);", "WARN(a + b);", False),
        ("static_assert(a==b);", "static_assert(a == b);", False),
        ("WARN(a + b);", "WARN(a +\n\t\tb);", True),
        ("#define s(x) f(#x)\n\ts(a+b);", "#define s(x) f(#x)\n\ts(a + b);", False),
        ("#define s(x) f(x)\n\ts(a+b);", "#define s(x) f(x)\n\ts(a + b);", True),
        ("a(); // b\n\tc();", "a(); // b \\\n\tc();", False),
        ("a(); // b\n\tc();", "a(); // b \\ \n\tc();", False),
        ("a(); // b\n\tc();", "a();\n\tc();", True),
        # Literals of a macro have neither comments nor white space that does not count
        ('#define A "x://y"', '#define A "x://z"', False),
        ('#define A "x /* y */"', '#define A "x /* z */"', False),
        ('#define A "x # y  z"', '#define A "x #y z"', False),
        ("""#define A '"' /* " */""", """#define A  '"' // "'""", True),
        ('#define A "x/*"\n\tf(1); /* */', '#define A "x/*"\n\tf(2); /* */', False),
    ],
)
def test_what_is_only_layout(old, new, same):
    texts = [f"void g(void)\n{{\n\t{each}\n}}\n" for each in (old, new)]
    assert is_layout(aligned("a.c", texts[0], texts[1])) is same


def test_what_uses_a_macro_does_so_through_others_too():
    text = Text("a.c", TEXT)
    assert [t.text for t in uses(text, {"ONE"})] == ["ONE", "TWO"]
    assert [t.text for t in uses(text, {"A"})] == ["#ifdef A /* a */"]
    assert not list(uses(text, {"THREE"}))


HEADERS = Path(__file__).with_name("conditional.h").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("rest", "names"),
    [
        ("int own(int a) { return a; }", ["first", "own"]),
        ("int other(int (*f)(void))\n{ return f(); }", ["first", "other"]),
        # What was a function is declared, and the other way round.
        ("int own(int a);", ["first"]),
        ("int own(int a)\n{ return first(a); }", ["first", "own"]),
        # The first one counts.
        ("int first(void) { return 3; }", ["first"]),
    ],
)
def test_functions_after_the_same_headers(rest, names):
    text = HEADERS + rest
    found = functions(text)
    assert list(found) == names
    assert all(text[m.start() : m.end()] == m[0] for m in found.values())
    assert found["first"].start() < len(HEADERS)


def test_functions_where_a_text_differs_in_a_header():
    other = HEADERS.replace("first(int a)", "first(long a)").replace("declared", "d")
    assert [m[0] for m in functions(HEADERS).values()] == ["first(int a)\n{"]
    assert [m[0] for m in functions(other).values()] == ["first(long a)\n{"]
