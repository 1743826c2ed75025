# SPDX-License-Identifier: GPL-2.0
"""The types along a chain of members."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.c.types import (
    Type,
    is_record,
    member,
    parsed,
    pointed,
)

TEXT = """\
struct inner {
	int n;
};
typedef struct inner inner_t;
typedef inner_t *inner_p;
typedef unsigned int flags_t;
struct outer {
	struct inner *next;
	inner_t here, *there[4];
	volatile unsigned int beats;
	const char *name;
	unsigned int few:3;
	union {
		struct inner *one;
		unsigned long other;
	};
	struct {
		struct inner *deep;
	} place;
	unknown_t what;
};
union both {
	int a;
	void *b;
};
"""
OUTER = Type("struct outer")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.c").write_text(TEXT)
    return tmp_path


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("const struct a *", Type("struct a", 1, const=True)),
        ("struct a **", Type("struct a", 2)),
        ("u32[4]", Type("u32", bounds=("4",))),
        ("struct a *[2][3]", Type("struct a", 1, ("2", "3"))),
        ("char __user *", Type("char", 1)),
        ("volatile unsigned int", Type("unsigned int", volatile=True)),
    ],
)
def test_parsed(text: str, type_: Type) -> None:
    assert parsed(text) == type_


def test_pointed() -> None:
    assert pointed(Type("struct a", 2)) == Type("struct a", 1)
    assert pointed(Type("struct a", 1, ("2", "3"))) == Type("struct a", 1, ("3",))
    assert pointed(Type("int")) is None


@pytest.mark.parametrize(
    ("name", "type_"),
    [
        ("next", Type("struct inner", 1)),
        ("here", Type("inner_t")),
        ("there", Type("inner_t", 1, ("4",))),
        ("beats", Type("unsigned int", volatile=True)),
        ("name", Type("char", 1, const=True)),
        ("few", Type("unsigned int", bitfield=True)),
        ("one", Type("struct inner", 1, shared=True)),
        ("absent", None),
    ],
)
def test_member(root: Path, name: str, type_: Type | None) -> None:
    assert member(root, "a.c", OUTER, name) == type_


def test_members_of_members(root: Path) -> None:
    place = member(root, "a.c", OUTER, "place")
    assert place is not None and place.record is not None
    assert member(root, "a.c", place, "deep") == Type("struct inner", 1)
    assert member(root, "a.c", Type("union both"), "a") == Type("int", shared=True)
    # Neither a pointer nor an undefined type has members.
    assert member(root, "a.c", Type("struct outer", 1), "next") is None
    assert member(root, "a.c", Type("struct elsewhere"), "next") is None


@pytest.mark.parametrize(
    ("type_", "is_one"),
    [
        (Type("struct inner"), True),
        (Type("inner_t"), True),
        (Type("struct inner", 1), False),
        (Type("inner_p"), False),
        (Type("flags_t"), False),
        (Type("u32"), False),
        (Type("enum kind"), False),
        (Type("unknown_t"), None),
    ],
)
def test_is_record(root: Path, type_: Type, is_one: bool | None) -> None:
    assert is_record(root, "a.c", type_) is is_one
