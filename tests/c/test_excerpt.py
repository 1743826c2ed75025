# SPDX-License-Identifier: GPL-2.0
"""Excerpts for a slow parser: they keep all that it may need, and the lines it is on are known."""

import pytest

from hotcocci.c.excerpt import InFunction, Wanted, excerpt

WANTED = b"get_user"


def having(function: InFunction) -> Wanted:
    return Wanted(function, lambda code: WANTED in code)


CALLS = having(lambda _file, _head, body: WANTED in body)


def cut(text: str) -> str:
    return excerpt("a.c", text.encode(), CALLS).text.decode()


def function(pointer: str) -> str:
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

    def note(_file: str, head: bytes, _body: bytes) -> bool:
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
