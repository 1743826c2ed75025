# SPDX-License-Identifier: GPL-2.0
"""Out-of-line functions that an inline one calls on every path."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hotcocci.windows.inlining import always_calls

TREE = Path(__file__).parent / "inlining"


def _names(file: str) -> list[str]:
    lines = (TREE / file).read_text().splitlines()
    heads = (
        line for line in lines if line.startswith(("static inline int ", "#define "))
    )
    return [head.partition("(")[0].split()[-1] for head in heads]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the tree, for files of a test's own."""
    return shutil.copytree(TREE, tmp_path / "tree")


@pytest.mark.parametrize("name", _names("always.c"))
def test_on_every_path(name: str) -> None:
    assert always_calls(TREE, "always.c", name) == "far_away"


@pytest.mark.parametrize("name", _names("not.c"))
def test_not_on_every_path(name: str) -> None:
    assert always_calls(TREE, "not.c", name) is None


def test_many_branches_take_no_time(root: Path) -> None:
    branches = "	if (x == 1)\n		x++;\n" * 60
    body = f"static inline int long_one(int x)\n{{\n{branches}	return far_away(x);\n}}\n"
    (root / "some.c").write_text(f"#include <linux/far.h>\n{body}")
    assert always_calls(root, "some.c", "long_one") == "far_away"


def test_guard() -> None:
    assert always_calls(TREE, "not.c", "guard(far)") == "far_away"
    assert always_calls(TREE, "not.c", "guard(near)") is None


def test_opens_or_sleeps(root: Path) -> None:
    helpers = (
        "static inline int fetch(int x) { return get_user(x, to); }\n"
        "static inline void rest(void) { msleep(3); }\n"
    )
    (root / "some.c").write_text(f"#include <linux/far.h>\n{helpers}")
    assert always_calls(root, "some.c", "fetch") == "get_user"
    assert always_calls(root, "some.c", "rest") == "msleep"
