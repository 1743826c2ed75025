# SPDX-License-Identifier: GPL-2.0
"""Every access in code is reported if missed, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from hotcocci.c.syntax import unseen
from hotcocci.findings import Access, Facts, Span


def facts(*places: tuple[int, int]) -> Facts:
    """Facts with accesses whose names begin at these lines and columns."""
    return Facts(
        "a.c",
        tuple(
            Access(
                "get_user", "f", 1, 9, Span(line, column, line, column + 8), "v", "p"
            )
            for line, column in places
        ),
    )


def test_calls_seen_by_spatch_are_not_reported() -> None:
    text = "int f(void)\n{\n\treturn get_user(a, p) || put_user(b, q);\n}\n"
    assert unseen(text, facts((3, 8), (3, 26))) == []
    assert unseen(text, facts((3, 8))) == [3]
    assert unseen(text, facts()) == [3]


def test_columns_count_bytes() -> None:
    text = '/* ä€ */ get_user(a, p); s = "é"; __put_user(a, p);\n'
    first = len("/* ä€ */ ".encode())
    second = len('/* ä€ */ get_user(a, p); s = "é"; '.encode())
    assert unseen(text, facts((1, second))) == [1]
    assert unseen(text, facts((1, first), (1, second))) == []


@pytest.mark.parametrize(
    "text",
    [
        "/* get_user(a, p) */\n",
        "// __put_user(a, p)\n",
        'char *s = "get_user(a, p)";\n',
        "#define G(a, p) \\\n\tget_user(a, p)\n",
        "EXPORT_SYMBOL(get_user);\n",
        "my_get_user(a, p); get_user_pages(a, p); unsafe_get_user(a, p, l);\n",
        "#if 0\n#ifdef A\n#else\nget_user(a, p);\n#endif\n#endif\n",
    ],
)
def test_no_code(text: str) -> None:
    assert unseen(text, facts()) == []


def test_other_conditions_are_code() -> None:
    text = "#if 0\n#else\nget_user(a, p);\n#endif\n#ifdef A\nput_user(a, p);\n#endif\n"
    assert unseen(text, facts()) == [3, 6]


def test_each_line_once_in_order() -> None:
    text = "get_user (a, p);\nget_user(a, p); __get_user\n(b, p);\nput_user(a, p);\n"
    assert unseen(text, facts((4, 0))) == [1, 2]
