# SPDX-License-Identifier: GPL-2.0
"""Small functions, and functions that may return before they use all parameters."""

import pytest

from hotcocci.machine.callees import callees, callees_in


def function(*lines, head="bool f(const struct a *p, int n)"):
    return f"{head}\n{{\n" + "".join(f"\t{line}\n" for line in lines) + "}\n"


@pytest.mark.parametrize(
    "lines",
    [
        ("return p->flags & n;",),
        ("struct b *q = p->b;", "", "return q->n;"),
        ("int m;", "", "m = p->n;", "return m;"),
        ("if (p->n)", "\treturn g(p);", "return 0;"),
        ("/* a comment */", "return p->n;"),
        ("return g(p);",),
    ],
)
def test_small(lines):
    (found,) = callees_in("a.c", function(*lines))
    assert (found.name, found.file, found.line, found.small) == ("f", "a.c", 1, True)
    assert found.parameters == ("p", "n")


@pytest.mark.parametrize(
    "text",
    [
        function("p->n = n;", "return n;"),
        function("return p->n++;"),
        function("return p->n = n;"),
        function("n += p->n;", "return n;"),
        function("count = p->n;", "return n;"),
        function("g(p);", "return p->n;"),
        function("if (n = p->n)", "\treturn 1;", "return 0;"),
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
def test_not_small(text):
    assert not any(found.small for found in callees_in("a.c", text))


def test_what_a_file_may_call(tmp_path):
    """Core code is called from everywhere, a driver's from its own directory."""
    for name in ("kernel/a.c", "drivers/x/b.c", "drivers/y/c.c"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(function("return p->n;").replace("f(", f"{path.stem}("))
    asked = ("a", "b", "c")
    assert set(callees(tmp_path, "drivers/x/d.c", asked)) == {"a", "b"}
    assert set(callees(tmp_path, "drivers/x/b.c", asked)) == {"a"}, (
        "its own is in sight"
    )
    (tmp_path / "kernel/e.c").write_text(
        function("return 1 + g(p);").replace("f(", "a(")
    )
    assert set(callees(tmp_path, "drivers/x/d.c", asked)) == {"b"}, "two define it"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("if (!n)", "\treturn 0;", "return g(p);"), [("!n", (0,))]),
        (
            ("int i;", "", "if (n == LIMIT)", "\treturn n;", "f(p);"),
            [("n == LIMIT", (0,))],
        ),
        (("if (!n)", "\treturn p->n;", "h(p);"), []),
        (("if (p->n)", "\treturn 0;", "h(n);"), []),
        (("if (test(n))", "\treturn 0;", "h(p);"), []),
        (("if (!n)", "\treturn -EINVAL;", "h(p);"), []),
        (("if (debug)", "\treturn 0;", "h(p, n);"), []),
        (("g(p);", "if (!n)", "\treturn 0;", "h(1);"), []),
    ],
)
def test_early_exits(lines, found):
    assert [(e.test, e.unused) for e in callees_in("a.c", function(*lines))] == found
