# SPDX-License-Identifier: GPL-2.0
"""Classification of called names, by the text of their definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.windows.helpers import (
    INLINE,
    INLINED,
    OUT_OF_LINE,
    UNKNOWN,
    helpers_of,
    kind_of,
)

HEADER = """
#define twice(x) ((x) + (x))
static inline int maybe(int x) { return x; }
static __always_inline int surely(int x)
{
	return x;
}
extern int far_away(int x);
struct ring *
no_type_on_its_line(int x);
static noinline int never(int x) { return x; }
static int hidden(int x);
int both(int x);
#define both(x) (x)
int two_ways(int x);
static inline int two_ways(int x) { return x; }
"""
SOURCE = """
#include <linux/helpers.h>
#define unsafe_put_pair(a, b, to, label)	\\
do {						\\
	unsafe_put_user(a, to, label);		\\
	unsafe_put_user(b, (to) + 1, label);	\\
} while (0)
#define unsafe_add(to, label)			\\
do {						\\
	u32 __old;				\\
	unsafe_get_user(__old, to, label);	\\
	unsafe_put_pair(__old, 1, to, label);	\\
} while (0)
#define load(to, from) get(to, from)
#define give_up(x) if (x) goto out
#define leave(x) if (x) return
#define opens_one(to, from)			\\
({ user_read_access_begin(from, 4); unsafe_get_user(to, from, l); user_read_access_end(); })
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "include/linux").mkdir(parents=True)
    (tmp_path / "include/linux/helpers.h").write_text(HEADER)
    (tmp_path / "file.c").write_text(SOURCE)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("twice", INLINED),
        ("maybe", INLINE),
        ("surely", INLINED),
        ("far_away", OUT_OF_LINE),
        ("never", OUT_OF_LINE),
        ("hidden", INLINE),
        ("both", INLINED),
        ("two_ways", UNKNOWN),
        ("nobody_knows", UNKNOWN),
    ],
)
def test_kinds(root: Path, name: str, kind: str) -> None:
    assert kind_of(root, "file.c", name) == kind


def test_accesses_in_macros(root: Path) -> None:
    names = ["unsafe_put_pair", "unsafe_add", "load", "unsafe_get_user"]
    found = helpers_of(root, "file.c", names)
    assert found["unsafe_put_pair"].directions == ("write",)
    assert found["unsafe_put_pair"].label == 3
    assert found["unsafe_add"].directions == ("read", "write")
    assert found["unsafe_add"].label == 1
    assert found["load"].calls == ("get",)
    assert "unsafe_get_user" not in found


def test_exits_of_macros(root: Path) -> None:
    found = helpers_of(root, "file.c", ["give_up", "leave", "opens_one"])
    assert found["give_up"].jumps == ("out",)
    assert found["leave"].returns
    assert found["opens_one"].opens
