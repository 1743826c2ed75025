# SPDX-License-Identifier: GPL-2.0
"""Functions of a file that only load, compare and return."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.rewrite.loads.accessor_index import (
    accessors_in,
    bodies_of,
    by_name,
    early_exits_in,
)
from hotcocci.rewrite.loads.accessor_tree import accessors_for, folders_for


def function(*lines: str, head: str = "bool f(const struct a *p, int n)") -> str:
    return f"{head}\n{{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (function("return p->flags & n;"), ["p->flags & n"]),
        (function("struct b *q = p->b;", "", "return q->n;"), ["p->b", "p->b->n"]),
        (function("if (p->n)", "\treturn g(p);", "return 0;"), ["p->n", "g(p)", "0"]),
        (function("/* a comment */", "return p->n;"), ["p->n"]),
    ],
)
def test_accessors(text: str, values: list[str]) -> None:
    found = accessors_in("a.c", text)
    assert [(a.name, a.line, a.parameters) for a in found] == [("f", 1, ("p", "n"))]
    assert list(found[0].values) == values
    assert found[0].single == (len(values) == 1)


@pytest.mark.parametrize(
    "text",
    [
        function("p->n = n;", "return n;"),
        function("return p->n++;"),
        function("n += p->n;", "return n;"),
        function("g(p);", "return p->n;"),
        function("while (p->n)", "\tg(p);", "return 1;"),
        function("if (n) {", "\treturn p->n;", "}", "return 0;"),
        function("return n;"),
        function("p->n;"),
        function("#ifdef A", "return p->n;", "#endif"),
        function(*["if (p->n)", "\treturn 1;"] * 9, "return p->n;"),
        function("return p->n;", head="static bool f(struct a *p)"),
        function("return p->n;", head="inline bool f(struct a *p)"),
    ],
)
def test_not_an_accessor(text: str) -> None:
    assert accessors_in("a.c", text) == []


def test_statics() -> None:
    """The header it moved to would need these names."""
    text = "static const struct ops own_ops = {\n};\nstatic int left;\n"
    text += function("return p->ops == &own_ops;")
    assert [a.statics for a in accessors_in("a.c", text)] == [("own_ops",)]


def test_one_name() -> None:
    """Two files define it: which one is compiled depends on the configuration."""
    one = accessors_in("a.c", function("return p->n;"))
    other = accessors_in("b.c", function("return p->m;"))
    again = accessors_in("a.c", function("return p->n && p->m;"))
    assert by_name((*one, *other)) == {}
    assert by_name((*one, *again))["f"] == again[0]
    assert bodies_of(tuple(one))["f"].text == "p->n"
    longer = accessors_in("a.c", function("if (p->n)", "\treturn 1;", "return p->m;"))
    assert bodies_of(tuple(longer)) == {}


def test_of_a_tree(tmp_path: Path) -> None:
    """Core code is called from everywhere, a driver's from its own directory."""
    for name in ("kernel/a.c", "drivers/x/b.c", "drivers/y/c.c"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(function("return p->n;").replace("f(", f"{path.stem}("))
    file = "drivers/x/d.c"
    assert folders_for(tmp_path, [file]) == [
        tmp_path / "drivers/x",
        tmp_path / "kernel",
    ]
    assert {a.name for a in accessors_for(tmp_path, file)} == {"a", "b"}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("if (!n)", "\treturn 0;", "return g(p);"), [("!n", ("p",))]),
        (
            ("int i;", "", "if (n == LIMIT)", "\treturn n;", "f(p);"),
            [("n == LIMIT", ("p",))],
        ),
        (("if (!n)", "\treturn p->n;", "return g(p);"), []),
        (("if (p->n)", "\treturn 0;", "return g(n);"), []),
        (("if (test(n))", "\treturn 0;", "return g(p);"), []),
        (("if (!n)", "\treturn -EINVAL;", "return g(p);"), []),
        (("if (debug)", "\treturn 0;", "return g(p, n);"), []),
        (("g(p);", "if (!n)", "\treturn 0;", "return 1;"), []),
    ],
)
def test_early_exits(
    lines: tuple[str, ...], found: list[tuple[str, tuple[str, ...]]]
) -> None:
    exits = early_exits_in("a.c", function(*lines))
    assert [(e.test, e.unused) for e in exits] == found
