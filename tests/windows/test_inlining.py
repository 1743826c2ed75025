# SPDX-License-Identifier: GPL-2.0
"""Out-of-line functions that an inline one calls on every path, and string functions that become calls."""

import shutil
from pathlib import Path

import pytest

from hotcocci.c.expression import Call
from hotcocci.c.parsing import parse_range
from hotcocci.c.source import Source
from hotcocci.c.syntax import Function, Statement
from hotcocci.windows.inlining import always_calls, is_call

TREE = Path(__file__).parent / "inlining"


def _names(file: str) -> list[str]:
    lines = (TREE / file).read_text().splitlines()
    heads = (
        line for line in lines if line.startswith(("static inline int ", "#define "))
    )
    return [head.partition("(")[0].split()[-1] for head in heads]


@pytest.fixture
def root(tmp_path) -> Path:
    """A copy of the tree, for files of a test's own."""
    return shutil.copytree(TREE, tmp_path / "tree")


@pytest.mark.parametrize(
    ("file", "called"), [("always.c", "far_away"), ("not.c", None)]
)
def test_on_every_path(file, called):
    for name in _names(file):
        assert always_calls(TREE, file, name) == called, name


def test_many_branches_take_no_time(root):
    branches = "	if (x == 1)\n		x++;\n" * 60
    body = f"static inline int long_one(int x)\n{{\n{branches}	return far_away(x);\n}}\n"
    (root / "some.c").write_text(f"#include <linux/far.h>\n{body}")
    assert always_calls(root, "some.c", "long_one") == "far_away"


def test_guard():
    assert always_calls(TREE, "not.c", "guard(far)") == "far_away"
    assert always_calls(TREE, "not.c", "guard(near)") is None


def test_opens_or_sleeps(root):
    helpers = (
        "static inline int fetch(int x) { return get_user(x, to); }\n"
        "static inline void rest(void) { msleep(3); }\n"
    )
    (root / "some.c").write_text(f"#include <linux/far.h>\n{helpers}")
    assert always_calls(root, "some.c", "fetch") == "get_user"
    assert always_calls(root, "some.c", "rest") == "msleep"


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


def test_sizes_above_which_a_string_function_becomes_a_call(tmp_path):
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
