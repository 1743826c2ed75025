# SPDX-License-Identifier: GPL-2.0
"""Sizes above which a string function becomes a call, by architecture."""

from pathlib import Path

from hotcocci.c.expression import Call
from hotcocci.c.parsing import parse_range
from hotcocci.c.source import Source
from hotcocci.c.syntax import Function, Statement
from hotcocci.windows.inlining import is_call


def _called(root: Path, file: str, size: str) -> bool:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    head = "void f(struct state *to)\n"
    text = (
        f"struct state {{ int words[24]; }};\n{head}{{\n\tmemset(to, 0, {size});\n}}\n"
    )
    path.write_text(text)
    source = Source(file, text)
    call = text.index("memset")
    expr = parse_range(source, call, text.index(";", call))
    assert isinstance(expr, Call)
    body = Statement("block", text.index("{", text.index(head)), len(text) - 1)
    function = Function(source, "f", text.index(head), body, (), ())
    return is_call(root, file, function, expr.arguments[-1])


def test_is_call(tmp_path):
    for file, size, called in (
        ("arch/powerpc/kernel/a.c", "sizeof(*to)", True),
        ("arch/powerpc/kernel/a.c", "64", False),
        ("arch/x86/kernel/a.c", "sizeof(*to)", False),
        ("kernel/a.c", "sizeof(*to)", False),
        ("kernel/a.c", "3 * sizeof(*to)", True),
        ("kernel/a.c", "UNKNOWN", False),
        ("kernel/a.c", "length", True),
    ):
        assert _called(tmp_path, file, size) is called, (file, size)
