# SPDX-License-Identifier: GPL-2.0
"""Directions of the accesses that a called macro or function makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.findings import READ, WRITE
from hotcocci.windows.effects import against, directions
from hotcocci.windows.outcome import OpenCall, Outcome

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


@pytest.mark.parametrize(
    ("name", "flavour", "found"),
    [
        (
            "put_other",
            READ,
            "put_other() writes in a window for the other direction only",
        ),
        ("fetched", WRITE, "fetched() reads in a window for the other direction only"),
        ("put_other", WRITE, None),
        ("swapped", "rw", None),
        ("flushed", READ, None),
        # A function of the file is followed, and its own lines are reported.
        ("put_other", "", None),
    ],
)
def test_helpers_of_headers_against_the_window(
    name: str, flavour: str, found: str | None
) -> None:
    outcome = Outcome(open_calls={OpenCall(name, 7, 3, None, flavour)})
    said = [(v.rule, v.at, v.message) for v in against(outcome, TREE, "effects.c")]
    assert said == ([("UW04", 7, found)] if found else [])
