# SPDX-License-Identifier: GPL-2.0
"""Classification of called names, by the text of their definitions."""

from pathlib import Path

import pytest

from hotcocci.findings import WRITE, Facts
from hotcocci.windows.check import Options, check
from hotcocci.windows.events import BEGINS, ENDS
from hotcocci.windows.helpers import (
    INLINE,
    INLINED,
    OUT_OF_LINE,
    UNKNOWN,
    helpers_of,
    kind_of,
)
from hotcocci.windows.shape import evaluations

TREE = Path(__file__).parent / "helpers"


def test_kinds():
    for kind, names in (
        (INLINED, "twice surely both"),
        (INLINE, "maybe hidden"),
        (OUT_OF_LINE, "far_away never tuned"),
        (UNKNOWN, "two_ways nobody_knows"),
    ):
        assert {kind_of(TREE, "file.c", name) for name in names.split()} == {kind}


def test_accesses_in_macros():
    names = ["unsafe_put_pair", "unsafe_add", "load", "unsafe_get_user"]
    found = helpers_of(TREE, "file.c", names)
    assert found["unsafe_put_pair"].directions == ("write",)
    assert found["unsafe_put_pair"].label == 3
    assert found["unsafe_add"].directions == ("read", "write")
    assert found["unsafe_add"].label == 1
    assert found["load"].calls == ("get",)
    assert "unsafe_get_user" not in found


def test_exits_of_macros():
    found = helpers_of(TREE, "file.c", ["give_up", "leave", "opens_one"])
    assert found["give_up"].jumps == ("out",)
    assert found["leave"].returns
    assert found["opens_one"].opens


def test_helpers_of_headers_that_others_include():
    found = helpers_of(TREE, "file.c", ["lamp_begin", "lamp_put", "lamp_end", "twice"])
    assert found["lamp_begin"].opened == BEGINS["user_write_access_begin"]
    assert found["lamp_put"].directions == (WRITE,)
    assert found["lamp_end"].ends == ENDS["user_write_access_end"]
    assert "twice" not in found


@pytest.mark.parametrize("name, codes", [("lamp_store", ["UW21"]), ("maybe", [])])
def test_a_function_of_a_header_that_needs_a_window(name, codes):
    text = f"int on(u32 __user *to)\n{{\n\treturn {name}(to, 1);\n}}\n"
    seen = check(text, Facts("file.c"), Options(TREE, True))
    assert [report.rule for report in seen.reports] == codes


ASM = '#define __get(x, p, label) asm goto("" : "=r" (x) : "m" (*(p)) : : label)\n'


def counted(tree: Path, body: str) -> tuple[int, ...]:
    folder = tree / "arch/riscv/include/asm"
    folder.mkdir(parents=True)
    text = f"{ASM}#define arch_unsafe_get_user(x, p, label) {body}\n"
    (folder / "uaccess.h").write_text(text)
    return evaluations(tree, "unsafe_get_user")["riscv"]


@pytest.mark.parametrize(
    ("times", "body"),
    [
        (1, "__get(x, p, label)"),
        (1, "do { typeof(p) __p = (p); if (odd(__p)) goto label; __get(x, __p, label); } while (0)"),
        (1, "switch (sizeof(*(p))) { case 1: __get(x, p, label); break; default: __get(x, p, label); }"),
        (1, "do { if (fast()) { __get(x, p, label); break; } __get(x, p, label); } while (0)"),
        (1, "do { if (fast()) __get(x, p, label); else __get(x, p, label); } while (0)"),
        (1, "do { bug(sizeof(*(p)) > 8); __get(x, p, label); s.p = 1; } while (0)"),
        (2, "do { check(p); __get(x, p, label); } while (0)"),
        (2, "do { if (fast()) __get(x, p, label); else { check(p); __get(x, p, label); } } while (0)"),
        (2, "do { if (odd(p)) { slow(x, p); break; } __get(x, p, label); } while (0)"),
        (2, "({ __get(x, p, label); p; })"),
        (2, "do { switch (8) { case 1: break; case 8: check(p); __get(x, p, label); break; } } while (0)"),
    ],
)  # fmt: skip
def test_times(tmp_path, times, body):
    assert counted(tmp_path, body)[1] == times
