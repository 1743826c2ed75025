# SPDX-License-Identifier: GPL-2.0
"""New lines look hand-written."""

from __future__ import annotations

import pytest

from hotcocci.rewrite.layout import (
    WIDTH,
    call,
    columns,
    deeper,
    squeeze,
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


@pytest.mark.parametrize("depth", [1, 6])
@pytest.mark.parametrize("length", [10, 20, 60])
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
