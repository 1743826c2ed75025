# SPDX-License-Identifier: GPL-2.0
"""Finding the files that define given functions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.includes import defining

TEXTS = {
    "plain.c": "int f(int a)\n{\n}\n",
    "pointer.c": "static struct a *f(int a)\n{\n}\n",
    "next_line.c": "static noinline int\nf(int a)\n{\n}\n",
    "call.c": "SYSCALL_DEFINE2(f, int, a, int, b)\n",
    "used.c": "int g(int a)\n{\n\treturn f(a);\n}\n",
    "longer.c": "int ff(int a)\n{\n}\nint f_g(void);\n",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_defining(tree: Path) -> None:
    found = defining(tree, sorted(TEXTS), ["f"])
    assert sorted(found) == ["call.c", "next_line.c", "plain.c", "pointer.c"]
    assert defining(tree, ["used.c", "longer.c"], ["g", "ff"]) == ["used.c", "longer.c"]


def test_more_files_than_fit_on_a_command_line(tree: Path) -> None:
    """Several calls of grep, for more bytes than a command line can have."""
    names = [f"{'directory/' * 10}{number}.c" for number in range(30_000)]
    assert len(defining(tree, [*sorted(TEXTS), *names], ["f"])) == 4


def test_no_grep(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="without grep: install it"):
        defining(tree, sorted(TEXTS), ["f"])
