# SPDX-License-Identifier: GPL-2.0
"""Directions of the accesses that a called macro or function makes."""

from pathlib import Path

import pytest

from hotcocci.findings import READ, WRITE
from hotcocci.windows.effects import against, directions
from hotcocci.windows.outcome import OpenCall, Outcome

TREE = Path(__file__).parent / "effects"


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("unsafe_get_user fetched", {READ}),
        ("unsafe_try_cmpxchg_user swapped", {READ, WRITE}),
        ("put_other put_pair", {WRITE}),
        ("asked __builtin_expect", set()),
        ("flushed through further declared twice nowhere asm", None),
    ],
)
def test_directions(names, expected):
    for name in names.split():
        assert directions(TREE, "effects.c", name) == expected, name
    assert directions(TREE, "effects.c", "") is None


OTHER = "in a window for the other direction only"


@pytest.mark.parametrize(
    ("name", "flavour", "found"),
    [
        ("put_other", READ, f"put_other() writes {OTHER}"),
        ("fetched", WRITE, f"fetched() reads {OTHER}"),
        ("put_other", WRITE, None),
        ("swapped", "rw", None),
        ("flushed", READ, None),
        # A function of the file is followed, and its own lines are reported.
        ("put_other", "", None),
    ],
)
def test_helpers_of_headers_against_the_window(name, flavour, found):
    outcome = Outcome(open_calls={OpenCall(name, 7, 3, None, flavour)})
    said = [(v.rule, v.at, v.message) for v in against(outcome, TREE, "effects.c")]
    assert said == ([("UW04", 7, found)] if found else [])
