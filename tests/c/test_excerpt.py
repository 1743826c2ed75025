# SPDX-License-Identifier: GPL-2.0
"""Excerpts for a slow parser: they keep all that it may need; every access in code is reported if missed."""

import pytest

from hotcocci.c.excerpt import Wanted, excerpt, looked_for, unparsed, unseen
from hotcocci.findings import Access, Facts

WANTED = b"get_user"


def having(function):
    return Wanted(function, lambda code: WANTED in code)


CALLS = having(lambda _file, _head, body: WANTED in body)


def cut(text):
    return excerpt("a.c", text.encode(), CALLS).text.decode()


def function(pointer):
    return f"int f(void)\n{{\n\tget_user(v, {pointer});\n}}\n"


def test_only_conditions_are_kept_outside_of_functions():
    before = (
        "#include <a.h>\nstruct a {\n\tint b;\n};\n#define P p\nint prototype(int p);\n"
    )
    text = f"{before}#if A\n{function('p')}#endif\nint other;\n"
    assert cut(text) == f"#if A\n{function('p')}#endif\n"


def test_a_change_elsewhere_leaves_the_excerpt_as_it_is():
    short = "int g(void)\n{\n\ta();\n}\n\n"
    long = short.replace("a();", "a();\n\n\tb();")
    assert cut(short + function("p")) == cut(long + function("p"))
    assert cut(short + function("p")) != cut(short + function("q"))


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        ("#define V 1\n\treturn V;\n", True),
        ("#undef V\n\treturn 1;\n", True),
        ('#include "body.h"\n', True),
        # A condition goes on from outside, or beyond; one ends, and another begins.
        ("\ta();\n#else\n\tb();\n", True),
        ("#if A\n\treturn 1;\n", True),
        ("#endif\n#if B\n", True),
        ("# ifdef A\n\ta();\n#else\n\tb();\n#endif\n", False),
        ("\ta(); /*\n", True),
        ("\ta(); */\n", True),
    ],
)
def test_comments_and_conditions_beyond_a_function_are_kept(body, kept):
    text = f"int f(void)\n{{\n{body}}}\n"
    assert cut(text) == (text if kept else "")


def test_the_head_belongs_to_the_function():
    heads = []

    def note(_file, head, _body):
        heads.append(head.decode().split())
        return True

    text = (
        "int hot(void)\n{\n}\n\nint x;\n/** cold - not hot() */\n"
        "static int\ncold(int a,\n\tint b)\n\n/* locked */\n{\n}\n"
    )
    excerpt("a.c", text.encode(), having(note))
    assert heads == [
        ["int", "hot(void)"],
        ["static", "int", "cold(int", "a,", "int", "b)"],
    ]


def facts(*columns):
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
