# SPDX-License-Identifier: GPL-2.0
"""Excerpts for a slow parser: they keep all that it may need, and the lines it is on are known."""

from __future__ import annotations

import pytest

from hotcocci.c.excerpt import InFunction, Wanted, excerpt

WANTED = b"get_user"


def having(function: InFunction) -> Wanted:
    return Wanted(function, lambda code: WANTED in code)


CALLS = having(lambda _file, _head, body: WANTED in body)


def cut(text: str) -> str:
    return cut_and_lines(text)[0]


def cut_and_lines(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    part = excerpt("a.c", text.encode(), CALLS)
    return part.text.decode(), part.wanted


@pytest.mark.parametrize(
    "declared",
    [
        pytest.param("extern struct zone p;\n", id="a variable"),
        pytest.param("int p __read_mostly __aligned(8);\n", id="an attribute"),
        pytest.param("static int n,\n\tp = 1;\n", id="the second one"),
        pytest.param("struct a p[] = {\n\t{ 1 },\n};\n", id="a table"),
        pytest.param("struct {\n\tint a;\n} p;\n", id="of a type without a name"),
        pytest.param("typedef struct a p;\n", id="a type"),
    ],
)
def test_declarations_that_a_function_uses_are_kept(declared: str) -> None:
    function = "int f(void)\n{\n\tget_user(v, p);\n}\n"
    before = "struct a {\n\tint b;\n};\nint prototype(int p);\nstatic int q;\n"
    assert cut(f"{before}{declared}\n{function}int other;\n") == declared + function


def test_a_change_elsewhere_leaves_the_excerpt_as_it_is() -> None:
    wanted = "int g(void)\n{\n\tget_user(v, p);\n}\n"
    short = "int f(void)\n{\n\ta();\n}\n\n"
    long = "int f(void)\n{\n\ta();\n\n\tb();\n}\n\n"
    assert cut(short + wanted) == cut(long + wanted)
    assert cut(short + wanted) != cut(short + wanted.replace("v", "w"))


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("#define V 1\n\treturn V;\n", id="a macro for later functions"),
        pytest.param("#undef V\n\treturn 1;\n", id="a removed macro"),
        pytest.param('#include "body.h"\n', id="lines of others"),
        pytest.param("\ta();\n#else\n\tb();\n", id="a condition from outside goes on"),
        pytest.param("#if A\n\treturn 1;\n", id="a condition goes on"),
        pytest.param("#endif\n#if B\n", id="a condition ends, another begins"),
        pytest.param("\ta(); /*\n", id="a comment goes on"),
        pytest.param("\ta(); */\n", id="a comment ends"),
    ],
)
def test_comments_and_conditions_beyond_a_function_are_kept(body: str) -> None:
    text = f"int f(void)\n{{\n{body}}}\n"
    assert cut(text) == text


def test_the_head_belongs_to_the_function() -> None:
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


def test_conditions_inside_a_function_are_removed_with_it() -> None:
    text = "int f(void)\n{\n# ifdef A\n\ta();\n#else\n\tb();\n#endif\n}\n"
    assert cut(text) == ""
