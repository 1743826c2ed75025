# SPDX-License-Identifier: GPL-2.0
"""Top-level blocks of lines, and brackets that do not match."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.functions import block, mismatches

TEXTS = Path(__file__).with_name("blocks")

TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (1, (1, 1)),
        (3, (3, 3)),
        *((line, (4, 11)) for line in range(4, 12)),
        *((line, (13, 15)) for line in range(13, 16)),
        (17, (16, 19)),
        (21, (20, 22)),
        (99, (23, 23)),
    ],
)
def test_blocks(line: int, expected: tuple[int, int]) -> None:
    assert block(TEXT.split("\n"), line) == expected


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
def test_mismatches(text: str, expected: list[tuple[int, str]]) -> None:
    assert mismatches(text) == expected
