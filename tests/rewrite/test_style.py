# SPDX-License-Identifier: GPL-2.0
"""Lines that a rewrite changes follow kernel style; others stay the same."""

from __future__ import annotations

import pytest

from hotcocci.c.source import apply
from hotcocci.findings import REPORT, Edit, Finding, Rewrite
from hotcocci.rewrite.layout import styled

FINDING = Finding("UA201", "a.c", 1, 1, "f", "", 1, "p", "read", REPORT, None, None)


def rewrite(text: str, old: str, new: str) -> Rewrite:
    start = text.index(old)
    return Rewrite(FINDING, (Edit(start, start + len(old), new),), "", "")


def made(text: str, *changes: tuple[str, str]) -> str:
    """A text after changes and their style edits, each change a rewrite of its own."""
    rewrites = styled(text, [rewrite(text, old, new) for old, new in changes])
    return apply(text, tuple(dict.fromkeys(e for r in rewrites for e in r.edits)))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("\tif(OLD){\n\t\tf();\n\t}\n", "\tif (new) {\n\t\tf();\n\t}\n"),
        ("\tx= OLD;\n", "\tx = new;\n"),
        ("\tx =OLD;\n", "\tx = new;\n"),
        ("\tx=OLD;\n", "\tx = new;\n"),
        ("\tx +=OLD;\n", "\tx += new;\n"),
        ("\tif((x=OLD) != 0)\n\t\tf();\n", "\tif ((x = new) != 0)\n\t\tf();\n"),
        ("\tif (a==OLD)\n\t\tf();\n", "\tif (a==new)\n\t\tf();\n"),
        ("\tx = f(OLD, (kuid_t){ 1 });\n", "\tx = f(new, (kuid_t){ 1 });\n"),
        ("\treturn (kuid_t){ OLD };\n", "\treturn (kuid_t){ new };\n"),
        ("\tif (g((kuid_t){ OLD })){\n", "\tif (g((kuid_t){ new })) {\n"),
        ("\tfor_each(OLD){\n", "\tfor_each(new) {\n"),
        ("\tx =\n\t\tOLD;\n", "\tx =\n\t\tnew;\n"),
        ("\tf(OLD); /* if(x=1){ */\n", "\tf(new); /* if(x=1){ */\n"),
        ("\tf(OLD); /* if(x\n=1){ */\n", "\tf(new); /* if(x\n=1){ */\n"),
        ('\tf("if(x=1){", OLD);\n', '\tf("if(x=1){", new);\n'),
    ],
)
def test_spaces_of_a_line(text: str, wanted: str) -> None:
    around = "\tif(a){b=1;}\n"
    assert made(around + text + around, ("OLD", "new")) == around + wanted + around


@pytest.mark.parametrize("new", ["\tnew;\n", ""])
def test_added_and_removed_lines_do_not_change_others(new: str) -> None:
    before, after = "\tif(a){\n", "\tb=1;\n"
    text = f"{before}\told;\n{after}"
    assert made(text, ("\told;\n", new)) == before + new + after


BODY = "\tif (OLD) {\n\t\treturn -EFAULT;\n\t}\n"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (BODY, "\tif (new)\n\t\treturn -EFAULT;\n"),
        (f"{BODY}\tg();\n", "\tif (new)\n\t\treturn -EFAULT;\n\tg();\n"),
        ("\tif(OLD){\n\t\tgoto out;\n\t}\n", "\tif (new)\n\t\tgoto out;\n"),
        ("\tif (OLD) {\n\t\treturn (-EIO);\n\t}\n", "\tif (new)\n\t\treturn (-EIO);\n"),
        ("\tif (OLD)\n\t\t\tret = -EIO;\n", "\tif (new)\n\t\tret = -EIO;\n"),
        ("\tif (OLD)\n\t\t\tret = f();\n", "\tif (new)\n\t\t\tret = f();\n"),
    ],
)
def test_braces_and_indentation(text: str, wanted: str) -> None:
    assert made(text, ("OLD", "new")) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "\tif (OLD) {\n\t\tf();\n\t}\n",
        "\tif (OLD) {\n\t\treturn; /* why */\n\t}\n",
        "\tif (OLD) {\n\t\ta = 1;\n\t\tb = 1;\n\t}\n",
        f"{BODY}\telse\n\t\tg();\n",
        "\tif (OLD) {\n\t\treturn;\n\t} else {\n\t\tg();\n\t}\n",
        "\tif (a) {\n\t\tg();\n\t} else if (OLD) {\n\t\treturn;\n\t}\n",
        "\tif (a ||\n\t    OLD) {\n\t\treturn;\n\t}\n",
        "\tif (OLD ||\n\t    a) {\n\t\treturn;\n\t}\n",
        "#define X \\\n\tif (OLD) { \\\n\t\treturn; \\\n\t}\n",
        "\tif (OLD) {\n#ifdef A\n\t\treturn;\n#endif\n\t}\n",
    ],
)
def test_braces_that_are_kept(text: str) -> None:
    assert made(text, ("OLD", "new")) == text.replace("OLD", "new")


def test_a_fix_for_two_rewrites_of_a_line_is_made_once() -> None:
    text = "\tif(ONE || TWO){\n\t\treturn -EFAULT;\n\t}\n"
    wanted = "\tif (one || two)\n\t\treturn -EFAULT;\n"
    assert made(text, ("ONE", "one"), ("TWO", "two")) == wanted


LONG = "\tif (OLD || another_condition_of_the_same_length(a) != b)\n\t\tf();\n"


def test_a_long_condition_is_broken_after_the_call() -> None:
    call = "get_user(value, &user->value)"
    assert made(LONG, ("OLD", call)) == (
        f"\tif ({call} ||\n\t    another_condition_of_the_same_length(a) != b)\n\t\tf();\n"
    )
    assert made(LONG, ("OLD", "g(v)")) == LONG.replace("OLD", "g(v)")
    # If it would be as long as before, another edit has to break it.
    longer = f"get_user(value, {'u' * 60})"
    assert made(LONG, ("OLD", longer)) == LONG.replace("OLD", longer)
