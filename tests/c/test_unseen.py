# SPDX-License-Identifier: GPL-2.0
"""Every access in code is reported if missed, and nothing else is taken for one."""

import pytest

from hotcocci.c.unseen import unseen
from hotcocci.findings import Access, Facts


def facts(*columns: int) -> Facts:
    """Facts with accesses whose names begin at these columns of line 3."""
    found = [Access("get_user", "f", 9, 3, column) for column in columns]
    return Facts("a.c", tuple(found))


def test_calls_seen_by_spatch_are_not_reported():
    text = "int f(void)\n{\n\treturn get_user(a, p) || put_user(b, q);\n}\n"
    assert unseen(text, facts(8, 26)) == []
    assert unseen(text, facts(8)) == [3]
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
def test_no_code(text):
    assert unseen(text, facts()) == []
