# SPDX-License-Identifier: GPL-2.0
"""Every access in code is reported if missed, and nothing else is taken for one."""

import pytest

from hotcocci.c.unseen import looked_for, unparsed, unseen
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


HIDDEN = """\
SYSCALL_DEFINE1(hidden, int __user *, p)
{
	void *q = (void *)(OF_TYPE(long))0;

	/* get_user() */
	if (get_user(a, p) || current->cred == q || current->creds)
		return -EFAULT;
#if 0
	get_user(b, p);
#endif
}
"""


def test_a_function_that_is_not_parsed():
    wanted = looked_for("(\nget_user@a(X, P)\n|\ncurrent@a->cred\n)\n")
    found = [*unparsed(HIDDEN, [(2, 11)], wanted, None)]
    places = ("get_user", 5), ("current", 23)
    assert found == [Access(n, "hidden", 11, 6, column) for n, column in places]
