# SPDX-License-Identifier: GPL-2.0
"""Callers of static functions in a file."""

from pathlib import Path

import pytest

from hotcocci.c.functions import Functions, without_functions

TEXTS = Path(__file__).with_name("functions")

TEXT = (TEXTS / "text.c").read_text(encoding="utf-8")


def test_callers_of_a_static_function():
    callers = Functions(TEXT)
    assert callers.of("get_one") == {"get_two", "recursive"}
    assert callers.of("get_two") == {"seen_by_all", "try"}
    assert callers.of("recursive") == {"get_two"}
    # Others call it as well, its address is taken, it is not there.
    assert {*map(callers.of, ("seen_by_all", "taken", "missing"))} == {frozenset()}
    nearest = callers.nearest("get_one", {"try", "recursive"}.__contains__)
    assert nearest == {"recursive", "try"}  # through get_two()
    assert callers.nearest("get_one", {"get_two"}.__contains__) == {"get_two"}
    assert callers.nearest("get_one", lambda _: False) == frozenset()
    assert callers.nearest("taken", lambda _: True) == frozenset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("int f(void)\n{\n\tg();\n}\n", "\n"),
        (
            "int a;\n/* b */\nstatic int\nf(\n\tint b)\n{\n}\n\nint g(void)\n{\n}\nint c;\n",
            "int a;\n/* b */\n\n\nint c;\n",
        ),
        (
            "struct s {\n\tint a;\n};\nint f(int a\n#ifdef B\n\t, int b\n#endif\n)\n{\n}\n",
            "struct s {\n\tint a;\n};\n#ifdef B\n#endif\n\n",
        ),
        (
            "int f(void)\n{\n#define A \\\n\t1\n\tg(A);\n}\nint a;\n",
            "#define A \\\n\t1\n\nint a;\n",
        ),
        ("struct s\n{\n\tint a;\n};\n", None),
        ("struct s __attribute__((packed))\n{\n\tint a;\n};\n", None),
        ("struct __aligned(8)\n{\n\tint a;\n} s;\n", None),
        ("static int a[] =\n{\n\t1\n};\n", None),
        ("enum e\n{\n\tA\n}\n;\n", None),
    ],
)
def test_types_are_no_functions(text, expected):
    assert without_functions(text) == (expected or text)
