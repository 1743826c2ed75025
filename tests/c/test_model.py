# SPDX-License-Identifier: GPL-2.0
"""Integer types by their names, and declarations of members in the forms that headers use."""

import pytest

from hotcocci.c.model import Member, Record, declared, integer


@pytest.mark.parametrize(
    ("names", "sizes", "signed"),
    [
        ("const volatile unsigned char, bool", (1, 1, 1), False),
        ("char", (1, 1, 1), None),
        ("short unsigned int, __u16", (2, 2, 2), False),
        (
            "unsigned, uint32_t, __le32, __wsum, unsigned int __bitwise",
            (4, 4, 4),
            False,
        ),
        ("int, enum color", (4, 4, 4), True),
        ("long unsigned int, size_t", (4, 4, 8), False),
        ("ssize_t", (4, 4, 8), True),
        ("__be64", (8, 8, 8), False),
        ("long long, int64_t, loff_t", (8, 8, 8), True),
    ],
)
def test_sizes_and_signs(names, sizes, signed):
    for name in names.split(", "):
        found = integer(name)
        assert found is not None, name
        assert (found.sizes, found.signed) == (sizes, signed), name


def test_eight_bytes_are_aligned_to_four_on_i386():
    # A compat_u64 to 4 on x86-64, and to 8 elsewhere
    wanted = {"u64": (8, 4, 8), "__aligned_u64": (8, 8, 8), "compat_u64": (0, 0, 0)}
    assert {name: integer(name).aligns for name in wanted} == wanted


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
def test_declarations(text, wanted):
    assert list(declared(text)) == wanted
