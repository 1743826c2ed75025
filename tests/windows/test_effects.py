# SPDX-License-Identifier: GPL-2.0
"""Directions of the accesses that a called macro or function makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.findings import READ, WRITE
from hotcocci.windows.effects import directions

TREE = Path(__file__).parent / "effects"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("unsafe_get_user", {READ}),
        ("unsafe_try_cmpxchg_user", {READ, WRITE}),
        ("put_other", {WRITE}),
        ("put_pair", {WRITE}),
        ("asked", set()),
        ("fetched", {READ}),
        ("swapped", {READ, WRITE}),
        ("__builtin_expect", set()),
        ("flushed", None),
        ("through", None),
        ("further", None),
        ("declared", None),
        ("twice", None),
        ("nowhere", None),
        ("asm", None),
        ("", None),
    ],
)
def test_directions(name: str, expected: set[str] | None) -> None:
    found = directions(TREE, "effects.c", name)
    assert found == (None if expected is None else frozenset(expected))
