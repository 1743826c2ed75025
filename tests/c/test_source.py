# SPDX-License-Identifier: GPL-2.0
"""Tokens, offsets and edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotcocci.c.source import Source, apply, closing, tokenize
from hotcocci.findings import Edit, Span

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
def test_tokens(text: str, wanted: list[str]) -> None:
    found = tokenize(text)
    assert [t.text for t in found] == wanted
    assert all(text[t.start : t.end] == t.text for t in found)


def test_code_omits_comments_and_directives() -> None:
    source = Source("f.c", "#if X\n\ta; // b\n#endif\n/* c */ d;\n")
    assert [t.text for t in source.code] == ["a", ";", "d", ";"]


@pytest.mark.parametrize(
    ("text", "opening", "wanted"),
    [
        ("f(a[1], {2})", 1, 10),
        ("f(a[1], {2})", 3, 5),
        ("(()", 0, None),
        ("(()", 1, 2),
    ],
)
def test_closing(text: str, opening: int, wanted: int | None) -> None:
    assert closing(tokenize(text), opening) == wanted


# Columns count bytes: spatch does not decode characters.
NON_ASCII = 'char *s = "grüße"; put(1); /* ✓ */ end();\nint plain;\n'


@pytest.mark.parametrize(
    ("word", "column"), [("char", 0), ("put", 21), ("end", 39), ("plain", 4)]
)
def test_offsets_after_non_ascii_characters(word: str, column: int) -> None:
    source = Source("f.c", NON_ASCII)
    offset = NON_ASCII.index(word)
    line = 2 if word == "plain" else 1
    assert source.offset(line, column) == offset
    assert source.column(offset) == column
    assert source.line_of(offset) == line


def test_offsets_in_bytes_that_are_not_utf_8() -> None:
    text = b"/* \xe4\xff */ x;".decode("utf-8", "surrogateescape")
    source = Source("f.c", text)
    assert text[source.offset(1, 9)] == "x"
    assert source.column(text.index("x")) == 9


def test_range_of_a_span_over_lines() -> None:
    source = Source("f.c", "if (a)\n\treturn 1;\nb;\n")
    start, end = source.range(Span(1, 0, 2, 10))
    assert source.text[start:end] == "if (a)\n\treturn 1;"


def test_last_line_without_newline() -> None:
    source = Source("f.c", "a;\n\tb;")
    assert (source.line(2), source.indent(5), source.line_of(5)) == ("\tb;", "\t", 2)


def test_between() -> None:
    source = Source("f.c", "a; /* b */ c;\n#if D\ne;\n")
    end = source.text.index("e")
    assert [t.text for t in source.code_between(1, end)] == [";", "c", ";"]
    assert [t.text for t in source.tokens_between(1, 11)] == [";", "/* b */"]
    assert source.has_directive(11, end)
    assert not source.has_directive(0, 13)


def test_only_the_given_range_is_tokenized() -> None:
    source = Source("f.c", "a; b; c;", low=3, high=5)
    assert [t.text for t in source.tokens] == ["b", ";"]


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
def test_apply(edits: list[Edit], wanted: str) -> None:
    assert apply("a, b; c", tuple(edits)) == wanted


def test_insertions_under_one_condition_share_it() -> None:
    text = "a;\n}\n"
    one, two = (Edit(3, 3, f"\n#ifdef A\n{name}:\n#endif\n") for name in "fg")
    assert apply(text, (one, two)) == "a;\n\n#ifdef A\nf:\n\ng:\n#endif\n}\n"
    other = Edit(3, 3, "\n#ifdef B\ng:\n#endif\n")
    assert apply(text, (one, other)) == f"a;\n{one.text}{other.text}}}\n"
    elsewhere = Edit(5, 5, two.text)
    assert apply(text, (one, elsewhere)) == f"a;\n{one.text}}}\n{two.text}"


@pytest.mark.parametrize(
    "edits", [[Edit(0, 3, "x"), Edit(2, 4, "y")], [Edit(0, 5, "x"), Edit(2, 2, "y")]]
)
def test_apply_refuses_overlaps(edits: list[Edit]) -> None:
    with pytest.raises(ValueError, match="overlap at offset 2"):
        apply("a, b; c", tuple(edits))


@given(st.text("ab(\"'/*\\\n#ü \t", max_size=40))
def test_tokens_keep_the_text(text: str) -> None:
    """There is only white space between tokens, even if something is unterminated."""
    found = tokenize(text)
    ends = [0, *(t.end for t in found)]
    starts = [*(t.start for t in found), len(text)]
    assert all(not text[e:s].strip() for e, s in zip(ends, starts, strict=True))
