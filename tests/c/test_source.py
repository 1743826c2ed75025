# SPDX-License-Identifier: GPL-2.0
"""Tokens, offsets and edits."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotcocci.c.source import COMMENTS, Source, apply, closing, tokenize
from hotcocci.findings import Edit

TOKENS = [
    ("a->b[i]++", ["a", "->", "b", "[", "i", "]", "++"]),
    ("x<<=y>>1", ["x", "<<=", "y", ">>", "1"]),
    ("0x1fUL+1e-3+.5f", ["0x1fUL", "+", "1e-3", "+", ".5f"]),
    ("'\\'' \"a\\\"b\" L'x'", ["'\\''", '"a\\"b"', "L'x'"]),
    ("a /* put_user(1, p) */ b", ["a", "/* put_user(1, p) */", "b"]),
    ("a // to\\\nhere\nb", ["a", "// to\\\nhere", "b"]),
    ("#define X \\\n\tput_user(1, p)\nx", ["#define X \\\n\tput_user(1, p)", "x"]),
    ("\t# if A /* b\n c */\nx", ["\t# if A /* b\n c */", "x"]),
    ("a # b", ["a", "#", "b"]),
    ("a\n...)", ["a", "...", ")"]),
    ('"/* no comment */"', ['"/* no comment */"']),
    ("a-- - --b", ["a", "--", "-", "--", "b"]),
]


@pytest.mark.parametrize(("text", "wanted"), TOKENS)
def test_tokens(text, wanted):
    found = tokenize(text)
    assert [t.text for t in found] == wanted
    assert all(text[t.start : t.end] == t.text for t in found)


@pytest.mark.parametrize(
    ("text", "opening", "wanted"),
    [("f(a[1], {2})", 1, 10), ("f(a[1], {2})", 3, 5), ("(()", 0, None), ("(()", 1, 2)],
)
def test_closing(text, opening, wanted):
    assert closing(tokenize(text), opening) == wanted


# Columns count bytes: spatch does not decode characters.
NON_ASCII = 'char *s = "grüße"; put(1); /* ✓ */ end();\nint plain;\n'


def test_offsets_after_non_ascii_characters():
    source = Source("f.c", NON_ASCII)
    for word, line, column in (
        *(("char", 1, 0), ("put", 1, 21), ("end", 1, 39), ("plain", 2, 4)),
    ):
        offset = NON_ASCII.index(word)
        assert source.offset(line, column) == offset
        assert (source.line_of(offset), source.column(offset)) == (line, column)


@pytest.mark.parametrize(
    ("edits", "wanted"),
    [
        ([Edit(6, 7, "C"), Edit(0, 1, "A")], "A, b; C"),
        ([Edit(1, 1, "1"), Edit(1, 1, "2")], "a12, b; c"),
        ([Edit(0, 3, ""), Edit(3, 4, "x")], "x; c"),
        ([Edit(7, 7, "\n")], "a, b; c\n"),
        ([Edit(3, 3, "<"), Edit(3, 4, "b>")], "a, <b>; c"),
    ],
)
def test_apply(edits, wanted):
    assert apply("a, b; c", tuple(edits)) == wanted


def test_insertions_under_one_condition_share_it():
    text = "a;\n}\n"
    one, two = (Edit(3, 3, f"\n#ifdef A\n{name}:\n#endif\n") for name in "fg")
    assert apply(text, (one, two)) == "a;\n\n#ifdef A\nf:\n\ng:\n#endif\n}\n"
    other = Edit(3, 3, "\n#ifdef B\ng:\n#endif\n")
    assert apply(text, (one, other)) == f"a;\n{one.text}{other.text}}}\n"
    assert apply(text, (one, Edit(5, 5, two.text))) == f"a;\n{one.text}}}\n{two.text}"


@given(st.text("ab(\"'/*\\\n#ü \t", max_size=40))
def test_tokens_keep_the_text(text):
    """There is only white space between tokens, even if something is unterminated."""
    found = tokenize(text)
    ends = [0, *(t.end for t in found)]
    starts = [*(t.start for t in found), len(text)]
    assert all(not text[e:s].strip() for e, s in zip(ends, starts, strict=True))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("a /**/ b", "a  b"),
        ("a /***/b /* * / ** **/c", "a b c"),
        ("/* a *//* b\n*/\n", "\n"),
        ("/* open * /", "/* open * /"),
        ("a // b \\ \n c\nd", "a \nd"),
        ("a / b /", "a / b /"),
    ],
)
def test_where_comments_end(text, left):
    assert COMMENTS.sub("", text) == left
