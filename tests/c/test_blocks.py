# SPDX-License-Identifier: GPL-2.0
"""Top-level blocks of lines, and brackets that do not match."""

from pathlib import Path

import pytest

from hotcocci.c.functions import block, mismatches

TEXT = (Path(__file__).with_name("blocks") / "text.c").read_text(encoding="utf-8")


def test_blocks():
    lines = TEXT.split("\n")
    assert [block(lines, line) for line in (1, 3, 17, 21, 99)] == [
        *((1, 1), (3, 3), (16, 19), (20, 22), (23, 23))
    ]
    for first, last in (4, 11), (13, 15):
        each = {block(lines, line) for line in range(first, last + 1)}
        assert each == {(first, last)}


IF = "int f(void)\n{\n#if A\n\tif (a) {\n#else\n\tif (b) {\n#endif\n\t}\n}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TEXT, []),
        (IF, []),
        (IF.replace("\t}\n", ""), [(2, "{")]),
        ("#if 0\nDon't (do {\n#else\nint x;\n#endif\n", []),
        ("#ifdef A\nint f(int a\n#else\nint f(\n#endif\n);\n", []),
        ("#ifdef A\n{\n#endif\nint x;\n#ifdef A\n}\n#endif\n", []),
        ("char *s = \"({\", c = '['; /* { */ // (\n", []),
        ("M(\n{\n}\n)\n", []),
        ("int f( {\n", [(1, "{")]),
        ("int f(] {}\n", [(1, "]"), (1, "(")]),
        ("int f(void)\n{\n}\n}\n", [(4, "}")]),
        (
            "int f(void)\n{\n\t{\n}\n\nint g[2;\n\nint h(void)\n{\n}\n",
            [(2, "{"), (6, "[")],
        ),
        ("int x;\n/* int y;\n", [(2, "/*")]),
        ("int x = y / *z;\n", []),
    ],
)
def test_mismatches(text, expected):
    assert mismatches(text) == expected
