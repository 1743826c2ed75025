# SPDX-License-Identifier: GPL-2.0
"""Member paths through types in headers: the type at the end, and whether it is inside the object."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c import typed
from hotcocci.c.expression import Expr, Index, Member
from hotcocci.c.parsing import parse_text
from hotcocci.c.typed import BITFIELD, RECORD, SCALAR, UNKNOWN, WIDE

BASIC = """\
typedef unsigned int u32;
typedef unsigned long long __u64;
typedef __u64 my_wide;
typedef my_wide my_wider;
typedef struct { int x; my_wide y; } __packed pair_t;
typedef struct named named_t;
enum color { RED };
struct named { short s; };
struct flex {
	int n;
	struct { char c; long long w; } inner;
	u32 last[];
};
struct zero { int n; int tail[0]; };
struct declared {
	int n;
	union {
		__DECLARE_FLEX_ARRAY(u32, words);
		DECLARE_FLEX_ARRAY(char, bytes);
	};
};
"""

MAIN = """\
#include <linux/basic.h>
#include "near.h"

struct all {
	u32 narrow; /* ; not the end } */
	my_wider wide;
	unsigned long long also_wide, wide_array[2];
	__s64 __user *pointer_to_wide;
	unsigned a : 4, b : 4;
	enum color color;
	char name[16] __aligned(8);
	int matrix[2][3];
	int named_bound[MAX_NAME];
	struct named in;
	named_t also_in;
	pair_t pair;
	struct named many[4];
	struct {
		int x;
		union { int y; my_wide z; };
	};
	union { int i; struct { u32 lo, hi; } half; } u __attribute__((aligned(8)));
	struct near near;
	void (*call)(int, int);
	const volatile int last_one;
	struct unknown_type strange;
	strange_t stranger;
};
"""

NEAR = "struct near { my_wide deep; };\n"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("types")
    (root / "include/linux").mkdir(parents=True)
    (root / "include/linux/basic.h").write_text(BASIC)
    (root / "drivers").mkdir()
    (root / "drivers/near.h").write_text(NEAR)
    (root / "drivers/main.c").write_text(MAIN)
    return root


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
def test_place(
    tree: Path, type_: str, path: str, kind: str, inside: bool | None
) -> None:
    found = typed.place(tree, "drivers/main.c", type_, steps(path))
    assert (found.kind, found.inside) == (kind, inside)
