# SPDX-License-Identifier: GPL-2.0
"""How often an architecture's macros evaluate an argument."""

from pathlib import Path

import pytest

from hotcocci.windows.evaluations import evaluations

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
