# SPDX-License-Identifier: GPL-2.0
"""New lines look hand-written, changed ones follow kernel style, and lines end as before."""

import pytest

from hotcocci.c.source import apply
from hotcocci.findings import REPORT, Edit, Finding, Rewrite
from hotcocci.rewrite.layout import (
    WIDTH,
    call,
    columns,
    deeper,
    squeeze,
    styled,
    unix,
    with_ends_of,
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
def test_call(arguments, wanted):
    assert call(*arguments) == wanted


@pytest.mark.parametrize("depth", [1, 6])
@pytest.mark.parametrize("length", [10, 20, 60])
def test_only_a_single_argument_may_be_too_long(depth, length):
    arguments = ("v" * length, "f" * length, "efault_write")
    text = call("\t" * depth, "unsafe_put_user", arguments)
    assert "".join(text.split()) == f"unsafe_put_user({','.join(arguments)});"
    for line in text.split("\n"):
        alone = line.count(",") + line.count(";") == 1
        assert columns(line) <= WIDTH or alone


def test_statements_indented_too_far_are_moved_back():
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
        ("& u -> b", "&u->b"),
        ("a & (u -> b) - 1", "a & (u->b) - 1"),
    ],
)
def test_squeeze(text, wanted):
    assert squeeze(text) == wanted


def test_one_level_deeper():
    for indent, unit, wanted in (
        *(("", "\t", "\t"), ("\t", "\t", "\t\t")),
        *(("    ", "    ", " " * 8), ("  ", "  ", "    ")),
        # Blanks in a function with tabs, and tabs in one that begins with blanks
        *(("    ", "\t", "\t"), (" " * 8, "\t", "\t\t")),
        *(("\t", "    ", "\t    "), ("\t    ", "    ", "\t\t")),
    ):
        assert deeper(indent, unit) == wanted


FINDING = Finding("UA201", "a.c", 1, 1, "f", "", 1, "p", "read", REPORT, None, None)


def rewrite(text, old, new):
    start = text.index(old)
    return Rewrite(FINDING, (Edit(start, start + len(old), new),), "", "")


def made(text, *changes):
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
def test_spaces_of_a_line(text, wanted):
    around = "\tif(a){b=1;}\n"
    assert made(around + text + around, ("OLD", "new")) == around + wanted + around


def test_added_and_removed_lines_do_not_change_others():
    before, after = "\tif(a){\n", "\tb=1;\n"
    text = f"{before}\told;\n{after}"
    for new in ("\tnew;\n", ""):
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
def test_braces_and_indentation(text, wanted):
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
def test_braces_that_are_kept(text):
    assert made(text, ("OLD", "new")) == text.replace("OLD", "new")


def test_a_fix_for_two_rewrites_of_a_line_is_made_once():
    text = "\tif(ONE || TWO){\n\t\treturn -EFAULT;\n\t}\n"
    wanted = "\tif (one || two)\n\t\treturn -EFAULT;\n"
    assert made(text, ("ONE", "one"), ("TWO", "two")) == wanted


LONG = "\tif (OLD || another_condition_of_the_same_length(a) != b)\n\t\tf();\n"


def test_a_long_condition_is_broken_after_the_call():
    call = "get_user(value, &user->value)"
    assert made(LONG, ("OLD", call)) == (
        f"\tif ({call} ||\n\t    another_condition_of_the_same_length(a) != b)\n\t\tf();\n"
    )
    assert made(LONG, ("OLD", "g(v)")) == LONG.replace("OLD", "g(v)")
    # If it would be as long as before, another edit has to break it.
    longer = f"get_user(value, {'u' * 60})"
    assert made(LONG, ("OLD", longer)) == LONG.replace("OLD", longer)


PLAIN = "one\ntwo\nthree\n\ffour \\\nfive"


def rewritten(text, *edits):
    """A text after edits of the text with Unix line ends."""
    return apply(text, with_ends_of(text, edits))


def edits(text):
    """An edit of each span, to two lines and a part of one."""
    places = range(len(text) + 1)
    return [Edit(a, b, "x\ny\nz") for a in places for b in places if a <= b]


def test_each_edit_is_the_same_with_either_line_end():
    windows = PLAIN.replace("\n", "\r\n")
    assert unix(windows) == PLAIN
    for edit in edits(PLAIN):
        after = apply(PLAIN, (edit,))
        assert rewritten(PLAIN, edit) == after
        assert rewritten(windows, edit) == after.replace("\n", "\r\n")
    two = (Edit(3, 4, ""), Edit(8, 8, "x\n"))
    after = apply(PLAIN, two)
    assert rewritten(windows, *two) == after.replace("\n", "\r\n")


def test_new_lines_end_as_the_line_they_are_added_to():
    text = "one\r\ntwo\nthree\r\nfour"
    for line, end in (
        ("one", "\r\n"),
        ("two", "\n"),
        ("three", "\r\n"),
        ("four", "\r\n"),
    ):
        place = unix(text).index(line)
        after = rewritten(text, Edit(place, place + len(line), "x\ny"))
        # The other lines keep their ends.
        assert after == text.replace(line, f"x{end}y")
