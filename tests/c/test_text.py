# SPDX-License-Identifier: GPL-2.0
"""Sizes of types that differ between machines or configurations."""

from pathlib import Path

import pytest

from hotcocci.c.text import layout, scalars, size_of

TREE = Path(__file__).parent / "sizes"


@pytest.mark.parametrize(
    ("type_", "size"),
    [
        ("case_word_t", 8),
        ("struct case_event", 12),
        ("struct case_set", 16),
        ("struct case_aligned", 32),
        ("struct case_inside", 4),
        ("case_config_t", None),
        ("struct case_config", None),
        ("struct case_configured", None),
    ],
)
def test_sizes_in_generic_code_are_those_of_x86_64(type_, size):
    assert size_of(TREE, "fs/case.c", type_) == size


@pytest.mark.parametrize(
    ("type_", "sizes", "paths", "padding"),
    [
        ("struct pair", (16, 12, 16), [".a", ".b"], True),
        ("struct pointers", (12, 12, 24), [".a", ".b[0]", ".b[1]"], False),
        ("struct inner", (4, 4, 4), [".in.c[0]", ".in.c[1]", ".s"], False),
        ("struct whole", (16, 12, 16), [".pair.a", ".pair.b"], True),
        ("union either", (16, 12, 16), None, True),
        ("struct bits", (8, 8, 8), None, True),
        ("struct tight", (9, 9, 9), None, False),
        ("struct in_place", (5, 5, 5), None, False),
        ("struct moved", (16, 16, 16), [".a", ".b"], True),
        ("struct triple", (12, 12, 12), None, False),
        ("struct colored", (4, 4, 4), [".color"], False),
    ],
)
def test_layout(type_, sizes, paths, padding):
    found = layout(TREE, "fs/records.c", type_)
    known = None if found.members is None else [one.path for one in found.members]
    assert (found.sizes, known, found.padding) == (sizes, paths, padding)


@pytest.mark.parametrize(
    "type_", ["struct line", "struct member_packed", "struct missing", "triple_t[2]"]
)
def test_no_layout_is_guessed(type_):
    assert layout(TREE, "fs/records.c", type_) is None


def test_scalars_have_names_whatever_their_alignment():
    found = scalars(TREE, "fs/records.c", "struct by_name")
    assert found == ("a", "in.a", "in.b", "last[0]", "last[1]")
    assert layout(TREE, "fs/records.c", "struct by_name") is None
    assert scalars(TREE, "fs/records.c", "union either") == ()
    assert scalars(TREE, "fs/records.c", "struct unknown") == ()
