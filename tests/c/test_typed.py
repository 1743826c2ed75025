# SPDX-License-Identifier: GPL-2.0
"""Types in headers: of variables, and of members along a path, with whether that stays inside the object."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c import typed
from hotcocci.c.expression import Expr, Index, Member
from hotcocci.c.parsing import parse_text
from hotcocci.c.typed import BITFIELD, RECORD, SCALAR, UNKNOWN, WIDE, variable

HEADER = """
extern unsigned long ticks_per_second;
extern struct timer __user *first_timer;
extern int cells[4];
extern int read_ticks(void);
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    header = tmp_path / "include/linux/ticks.h"
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    (tmp_path / "clock.c").write_text("#include <linux/ticks.h>\n")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("ticks_per_second", "unsigned long"),
        ("first_timer", "struct timer __user *"),
        ("current", "struct task_struct *"),
        ("cells", None),
        ("read_ticks", None),
        ("ticks", None),
    ],
)
def test_variable(root: Path, name: str, type_: str | None) -> None:
    assert variable(root, "clock.c", name) == type_


TREE = Path(__file__).parent / "types"


def steps(path: str) -> list[Expr]:
    """``.a.b[1]`` as the steps of a path, outermost object first."""
    found: list[Expr] = []
    tree: Expr = parse_text("x" + path)
    while isinstance(tree, (Member, Index)):
        found.insert(0, tree)
        tree = tree.object
    return found


PLACES: list[tuple[str, str, str, bool | None]] = [
    ("struct all", ".narrow", SCALAR, True),
    ("struct all", ".wide", WIDE, True),
    ("struct all", ".also_wide", WIDE, True),
    ("struct all", ".pointer_to_wide", SCALAR, True),
    ("struct all", ".a", BITFIELD, True),
    ("struct all", ".b", BITFIELD, True),
    ("struct all", ".color", SCALAR, True),
    ("struct all", ".last_one", SCALAR, True),
    # Arrays
    ("struct all", ".name[15]", SCALAR, True),
    ("struct all", ".name[16]", SCALAR, False),
    ("struct all", ".name[i]", SCALAR, None),
    ("struct all", ".wide_array[1]", WIDE, True),
    ("struct all", ".matrix[1][2]", SCALAR, True),
    ("struct all", ".matrix[1][3]", SCALAR, False),
    ("struct all", ".matrix[2][0]", SCALAR, False),
    ("struct all", ".named_bound[0]", SCALAR, True),
    ("struct all", ".named_bound[1]", SCALAR, None),
    ("struct all", ".many[3].s", SCALAR, True),
    ("struct all", ".many[4].s", SCALAR, False),
    ("struct all", ".narrow[0]", UNKNOWN, None),
    # Structures in it, by name, by typedef, without a name
    ("struct all", ".in", RECORD, True),
    ("struct all", ".in.s", SCALAR, True),
    ("struct all", ".also_in.s", SCALAR, True),
    ("struct all", ".pair.y", WIDE, True),
    ("struct all", ".x", SCALAR, True),
    ("struct all", ".y", SCALAR, True),
    ("struct all", ".z", WIDE, True),
    ("struct all", ".u.half.hi", SCALAR, True),
    ("struct all", ".u", RECORD, True),
    ("struct all", ".near.deep", WIDE, True),
    # Missing members
    ("struct all", ".half", UNKNOWN, None),
    ("struct all", ".strange.x", UNKNOWN, None),
    ("struct all", ".stranger", UNKNOWN, True),
    ("struct missing", ".x", UNKNOWN, None),
    # At the end of a structure, which sizeof does not cover
    ("struct flex", ".last[0]", SCALAR, False),
    ("struct flex", ".last", SCALAR, False),
    ("struct flex", ".inner.w", WIDE, True),
    ("struct zero", ".tail[0]", SCALAR, False),
    ("struct declared", ".words[0]", SCALAR, False),
    ("struct declared", ".bytes[0]", SCALAR, False),
    ("struct declared", ".n", SCALAR, True),
    # The object itself
    ("u32", "", SCALAR, True),
    ("__u64", "", WIDE, True),
    ("my_wider", "", WIDE, True),
    ("const struct all", ".narrow", SCALAR, True),
    ("struct all __user", ".narrow", SCALAR, True),
    ("named_t", ".s", SCALAR, True),
    ("pair_t", ".x", SCALAR, True),
]


@pytest.mark.parametrize(("type_", "path", "kind", "inside"), PLACES)
def test_place(type_: str, path: str, kind: str, inside: bool | None) -> None:
    found = typed.place(TREE, "drivers/main.c", type_, steps(path))
    assert (found.kind, found.inside) == (kind, inside)
