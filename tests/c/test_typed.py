# SPDX-License-Identifier: GPL-2.0
"""Types in headers: of variables, and of members along a path, with whether that stays inside the object."""

from pathlib import Path

import pytest

from hotcocci.c import typed
from hotcocci.c.expression import Index, Member
from hotcocci.c.parsing import parse_text
from hotcocci.c.typed import BITFIELD, RECORD, SCALAR, UNKNOWN, WIDE, variable

HEADER = """
extern unsigned long ticks_per_second;
extern struct timer __user *first_timer;
extern int cells[4];
extern int read_ticks(void);
"""


@pytest.fixture
def root(tmp_path):
    header = tmp_path / "include/linux/ticks.h"
    header.parent.mkdir(parents=True)
    header.write_text(HEADER)
    (tmp_path / "clock.c").write_text("#include <linux/ticks.h>\n")
    return tmp_path


def test_variable(root):
    for name, type_ in (
        ("ticks_per_second", "unsigned long"),
        ("first_timer", "struct timer __user *"),
        ("current", "struct task_struct *"),
        *((name, None) for name in ("cells", "read_ticks", "ticks")),
    ):
        assert variable(root, "clock.c", name) == type_, name


TREE = Path(__file__).parent / "types"


def steps(path):
    """``.a.b[1]`` as the steps of a path, outermost object first."""
    found = []
    tree = parse_text("x" + path)
    while isinstance(tree, (Member, Index)):
        found.insert(0, tree)
        tree = tree.object
    return found


# Paths in a type; whether they are inside it is not known where that is None.
PLACES = [
    ("struct all", SCALAR, True, ".narrow .pointer_to_wide .color .last_one"),
    ("struct all", WIDE, True, ".wide .also_wide"),
    ("struct all", BITFIELD, True, ".a .b"),
    # Arrays
    ("struct all", SCALAR, True, ".name[15] .matrix[1][2] .named_bound[0] .many[3].s"),
    ("struct all", SCALAR, False, ".name[16] .matrix[1][3] .matrix[2][0] .many[4].s"),
    ("struct all", SCALAR, None, ".name[i] .named_bound[1]"),
    ("struct all", WIDE, True, ".wide_array[1]"),
    # Structures in it, by name, by typedef, without a name
    ("struct all", RECORD, True, ".in .u"),
    ("struct all", SCALAR, True, ".in.s .also_in.s .x .y .u.half.hi"),
    ("struct all", WIDE, True, ".pair.y .z .near.deep"),
    # Missing members
    ("struct all", UNKNOWN, None, ".half .strange.x .narrow[0]"),
    ("struct all", UNKNOWN, True, ".stranger"),
    ("struct missing", UNKNOWN, None, ".x"),
    # At the end of a structure, which sizeof does not cover
    ("struct flex", SCALAR, False, ".last[0] .last"),
    ("struct flex", WIDE, True, ".inner.w"),
    ("struct zero", SCALAR, False, ".tail[0]"),
    ("struct declared", SCALAR, False, ".words[0] .bytes[0]"),
    ("struct declared", SCALAR, True, ".n"),
    # The object itself
    ("u32", SCALAR, True, ""),
    ("__u64", WIDE, True, ""),
    ("my_wider", WIDE, True, ""),
    ("const struct all", SCALAR, True, ".narrow"),
    ("struct all __user", SCALAR, True, ".narrow"),
    ("named_t", SCALAR, True, ".s"),
    ("pair_t", SCALAR, True, ".x"),
]


@pytest.mark.parametrize(("type_", "kind", "inside", "paths"), PLACES)
def test_place(type_, kind, inside, paths):
    for path in paths.split() or [""]:
        found = typed.place(TREE, "drivers/main.c", type_, steps(path))
        assert (found.kind, found.inside) == (kind, inside), path
