# SPDX-License-Identifier: GPL-2.0
"""New lines look hand-written."""

from __future__ import annotations

import pytest

from hotcocci.rewrite.layout import (
    LIMIT,
    WIDTH,
    call,
    columns,
    deeper,
    reindent,
    squeeze,
    width_of,
)

CALLS = [
    (("\t", "f", ("a", "b"), ";"), "\tf(a, b);"),
    (("\t", "if (!f", ("a",), "))"), "\tif (!f(a)))"),
    # 80 columns fit, 81 do not
    (("", "f", ("a" * 74, "b"), ";"), f"f({'a' * 74},\n  b);"),
    (("", "f", ("a" * 77,), ";"), f"f({'a' * 77});"),
    (("", "f", ("a" * 73, "b"), ";"), f"f({'a' * 73}, b);"),
    # After the parenthesis: tabs, then spaces
    (
        ("\t", "unsafe_put_user", ("v" * 30, "&u->" + "f" * 30, "efault"), ";"),
        f"\tunsafe_put_user({'v' * 30},\n\t\t\t&u->{'f' * 30}, efault);",
    ),
    (
        ("\t\t", "if (!user_access_begin", ("p" * 20, "q" * 30), "))"),
        f"\t\tif (!user_access_begin({'p' * 20},\n\t\t\t\t       {'q' * 30})))",
    ),
]


@pytest.mark.parametrize(("arguments", "wanted"), CALLS)
def test_call(arguments: tuple[str, str, tuple[str, ...], str], wanted: str) -> None:
    assert call(*arguments) == wanted


@pytest.mark.parametrize("depth", range(1, 7))
@pytest.mark.parametrize("length", [10, 20, 40, 60])
def test_only_a_single_argument_may_be_too_long(depth: int, length: int) -> None:
    arguments = ("v" * length, "f" * length, "efault_write")
    text = call("\t" * depth, "unsafe_put_user", arguments)
    assert "".join(text.split()) == f"unsafe_put_user({','.join(arguments)});"
    for line in text.split("\n"):
        alone = line.count(",") + line.count(";") == 1
        assert columns(line) <= WIDTH or alone


def test_statements_indented_too_far_are_moved_back() -> None:
    """checkpatch complains above 100 columns: indent by two tabs instead of aligning."""
    tabs = "\t" * 7
    text = call(tabs, "unsafe_put_user", ("v", "f" * 40, "efault"))
    pad = tabs + "\t\t"
    assert text == f"{tabs}unsafe_put_user(v,\n{pad}{'f' * 40},\n{pad}efault);"
    assert max(map(columns, text.split("\n"))) > WIDTH
    near = call("\t", "unsafe_put_user", ("v" * 40, "f" * 40, "e" * 20))
    assert (
        near == f"\tunsafe_put_user({'v' * 40},\n\t\t\t{'f' * 40},\n\t\t\t{'e' * 20});"
    )


def test_accesses_are_as_wide_as_the_lines_of_the_file() -> None:
    """checkpatch takes 100 columns; fs/readdir.c has such lines, most files of net/ have not."""
    arguments = ("v", "f" * 50, "efault")
    for text, lines in (("\t" + "x" * 80 + "\n", 1), ("x\n" * 400, 2)):
        made = call("\t", "unsafe_put_user", arguments, width=width_of(text))
        assert len(made.split("\n")) == lines
    assert width_of("x\n" * 199 + "x" * 81) == 81
    assert width_of("x\n" * 199 + "x" * 120) == LIMIT
    assert width_of("x\n" * 200 + "x" * 81) == WIDTH


def test_reindent_keeps_alignment() -> None:
    text = "if (a &&\n\t    b)\n\t\tc;\n\n\td;"
    assert reindent(text, "\t", "\t\t") == "if (a &&\n\t\t    b)\n\t\t\tc;\n\n\t\td;"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a +\n\t  b", "a + b"),
        ("a + /* why\n */ b", "a + /* why\n */ b"),
        ("a + // why\n b", "a + // why\n b"),
        ("(u32 __user *) p + 1", "(u32 __user *)p + 1"),
        ("(u32 *) &n", "(u32 *)&n"),
        ("(long) n", "(long)n"),
        ("(a) & b", "(a) & b"),
        ("sizeof(u32 *) * n", "sizeof(u32 *) * n"),
        ("&(p->m[1].n)", "&p->m[1].n"),
        ("&(p + 1)->m", "&(p + 1)->m"),
        ("f(p, '(long) n')", "f(p, '(long) n')"),
    ],
)
def test_squeeze(text: str, wanted: str) -> None:
    assert squeeze(text) == wanted


@pytest.mark.parametrize(
    ("indent", "unit", "wanted"),
    [
        ("", "\t", "\t"),
        ("\t", "\t", "\t\t"),
        ("    ", "    ", "        "),
        ("  ", "  ", "    "),
        # Blanks in a function with tabs, and tabs in one that begins with blanks
        ("    ", "\t", "\t"),
        ("        ", "\t", "\t\t"),
        ("\t", "    ", "\t    "),
        ("\t    ", "    ", "\t\t"),
    ],
)
def test_one_level_deeper(indent: str, unit: str, wanted: str) -> None:
    assert deeper(indent, unit) == wanted


def test_arguments_are_aligned_as_the_call_is_indented() -> None:
    arguments = ("k->" + "a" * 30, "&u->" + "b" * 30, "efault")
    for indent, pad in (("\t", "\t\t\t"), ("        ", " " * 24)):
        lines = call(indent, "unsafe_put_user", arguments).split("\n")
        assert len(lines) == 2
        assert lines[1].startswith(pad) and lines[1][len(pad)] not in " \t"
