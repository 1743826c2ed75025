# SPDX-License-Identifier: GPL-2.0
"""Declarations of members, in the forms that headers use."""

from __future__ import annotations

import pytest

from hotcocci.c.model import Member, Record, declared


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
