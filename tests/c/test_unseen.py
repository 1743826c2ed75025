# SPDX-License-Identifier: GPL-2.0
"""Every access in code is reported if missed, and nothing else is taken for one."""

from __future__ import annotations

import pytest

from hotcocci.c.unseen import unseen
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
