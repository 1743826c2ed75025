# SPDX-License-Identifier: GPL-2.0
"""Where statements begin and end."""

import pytest

from hotcocci.c.source import Source, code_in
from hotcocci.c.statements import spans
from hotcocci.c.syntax import read_function


def read(body):
    """The statements of a body, in source order, each on one line."""
    text = f"{{\n{body}\n}}"
    found = sorted(spans(text, code_in(text)), key=lambda span: (span[0], -span[1]))
    return [" ".join(text[start:end].split()) for start, end in found]


@pytest.mark.parametrize(
    ("body", "statements"),
    [
        ("int a, *b = c;\n\ta * b;\n", []),
        ("struct { int x; } u;\n\tconst u8 *const p __free(kfree) = NULL;\n", []),
        (
            "void (*f)(int);\n\t__typeof__(a) b;\n\tDECLARE_BITMAP(c, 8);\n\tf(1);",
            ["f(1);"],
        ),
        ("*a = 1;\n\ta[b] = c ? d : e;", ["*a = 1;", "a[b] = c ? d : e;"]),
        (
            "if (a)\n\t\tb();\n\telse if (c)\n\t\td();\n\te();",
            [
                "if (a) b(); else if (c) d();",
                "b();",
                "if (c) d();",
                "d();",
                "e();",
            ],
        ),
        (
            "do {\n\t\ta();\n\t} while (b);",
            ["do { a(); } while (b);", "{ a(); }", "a();"],
        ),
        # The braces of a switch are no statement; a label has the statement behind it.
        (
            "switch (a) {\n\tcase b ? 1 : 2:\n\tcase 3:\n\t\tc();\n\tdefault:\n\t\tint d;\n\t}",
            [
                "switch (a) { case b ? 1 : 2: case 3: c(); default: int d; }",
                "case b ? 1 : 2: case 3: c();",
                "case 3: c();",
                "c();",
                "default:",
            ],
        ),
        ("out:\n\treturn a;\nend:\n", ["out: return a;", "return a;", "end:"]),
        # A macro with a body, and one that brings its own semicolon
        (
            "list_for_each(a, b)\n\t\tif (c)\n\t\t\td();\n\tM(1)\n\te();\n\tM(2)",
            [
                "list_for_each(a, b) if (c) d();",
                "if (c) d();",
                "d();",
                "M(1)",
                "e();",
                "M(2)",
            ],
        ),
        (
            "scoped_guard (a, b) {\n\t\tc();\n\t}",
            ["scoped_guard (a, b) { c(); }", "{ c(); }", "c();"],
        ),
        ('asm_inline volatile("a" : : "r" (b));', ['asm_inline volatile("a" : : "r" (b));']),
        ("asm volatile (\n\t\t\"a\" : b);\n\ta = ({ b; });", ['asm volatile ( "a" : b);', "a = ({ b; });"]),
    ],
)  # fmt: skip
def test_statements(body, statements):
    assert read(f"\t{body}") == statements


@pytest.mark.parametrize("body", ["if (a", "if (a) {", "a();\n}", "case 1;", "do a();"])
def test_a_bracket_that_is_hidden(body):
    with pytest.raises(SyntaxError):
        read(body)


def test_a_chain_of_any_length():
    assert len(read("if (a)\n\t\tb();\n\telse " * 2000 + "c();")) == 4001


@pytest.mark.parametrize(
    ("body", "statements"),
    [
        # The first branch of what cuts a statement, all of what does not, and nothing that is never compiled
        (
            "#ifdef A\n\tif (a)\n#else\n\tif (b)\n#endif\n\t\treturn 1;\n",
            ["if(a)if(b)return1;", "return1;"],
        ),
        ("#ifdef A\n\ta();\n#else\n\tb();\n#endif\n", ["a();", "b();"]),
        ("out:\n#ifdef A\n#else\n\tb();\n#endif\n", ["out:b();", "b();"]),
        ("#if 0\n\treturn 0;\n#else\n\tb();\n#endif\n", ["b();"]),
    ],
)
def test_conditions(body, statements):
    text = f"int f(void)\n{{\n{body}}}\n"
    function = read_function(
        Source("a.c", text), "f", text.index("{"), len(text) - 1, ()
    )
    assert [
        "".join(code.text for code in function.source.code_between(s.start, s.end))
        for s in function.statements
    ] == statements
