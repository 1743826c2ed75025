# SPDX-License-Identifier: GPL-2.0
"""Integer types by their names, and declarations of members in the forms that headers use."""

from __future__ import annotations

import pytest

from hotcocci.c.model import Bytes, Member, Record, declared, integer


@pytest.mark.parametrize(
    ("name", "sizes", "signed"),
    [
        ("unsigned", (4, 4, 4), False),
        ("int", (4, 4, 4), True),
        ("short unsigned int", (2, 2, 2), False),
        ("const volatile unsigned char", (1, 1, 1), False),
        ("char", (1, 1, 1), None),
        ("long unsigned int", (4, 4, 8), False),
        ("long long", (8, 8, 8), True),
        ("__u16", (2, 2, 2), False),
        ("int64_t", (8, 8, 8), True),
        ("uint32_t", (4, 4, 4), False),
        ("size_t", (4, 4, 8), False),
        ("ssize_t", (4, 4, 8), True),
        ("enum color", (4, 4, 4), True),
        ("bool", (1, 1, 1), False),
        ("loff_t", (8, 8, 8), True),
    ],
)
def test_sizes_and_signs(name: str, sizes: Bytes, signed: bool | None) -> None:
    found = integer(name)
    assert found is not None
    assert (found.sizes, found.signed) == (sizes, signed)


def test_eight_bytes_are_aligned_to_four_on_i386() -> None:
    plain, aligned, compat = (
        integer("u64"),
        integer("__aligned_u64"),
        integer("compat_u64"),
    )
    assert plain is not None and plain.aligns == (8, 4, 8)
    assert aligned is not None and aligned.aligns == (8, 8, 8)
    # 4 on x86-64 and 8 elsewhere
    assert compat is not None and compat.aligns == (0, 0, 0)


@pytest.mark.parametrize(
    "name", ["__le32", "__be64", "__wsum", "unsigned int __bitwise"]
)
def test_types_of_sparse(name: str) -> None:
    found = integer(name)
    assert found is not None and found.size


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("u32 a;", [Member("a", "u32")]),
        ("const char __user *name;", [Member("name", "const char", 1)]),
        ("struct page **pages, *one;", [Member("pages", "struct page", 2), Member("one", "struct page", 1)]),
        ("int matrix[2][N + 1];", [Member("matrix", "int", bounds=("2", "N + 1"))]),
        ("unsigned a : 3, : 5;", [Member("a", "unsigned", width="3"), Member("", "unsigned", width="5")]),
        ("u8 data[] __counted_by(length);", [Member("data", "u8", bounds=("",), attributes=("__counted_by", "(", "length", ")"))]),
        ("__aligned_u64 a;", [Member("a", "__aligned_u64")]),
        ("int (*call)(int, void *);", [Member("call", "int", 1, function=True)]),
        ("void *(*calls[3])(int);", [Member("calls", "void", 1, bounds=("3",), function=True)]),
        ("DECLARE_FLEX_ARRAY(struct entry, entries);", [Member("entries", "struct entry", bounds=("",))]),
        ("struct { u8 a; } __packed both;", [Member("both", "struct", record=Record("struct", " u8 a; ", ("__packed",)))]),
        ("enum { RED, BLUE } color;", [Member("color", "enum", record=Record("enum", " RED, BLUE "))]),
        ("struct_group(both, u8 a; u8 b;);", [Member("", "")]),
    ],
)  # fmt: skip
def test_declarations(text: str, wanted: list[Member]) -> None:
    assert list(declared(text)) == wanted
