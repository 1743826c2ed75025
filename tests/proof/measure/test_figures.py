# SPDX-License-Identifier: GPL-2.0
"""What the turns of both sides show, from turns that are given."""

from __future__ import annotations

from hotcocci.proof.measure.figures import CORE, TSC, Figure, timing
from hotcocci.proof.measure.runner import Turn


def turns(whole: list[float], empty: list[float], core: float = 0.0) -> list[Turn]:
    return [
        Turn(took, took / 2, core and took * 2, (loop, loop / 2, loop * 2), 1.5)
        for took, loop in zip(whole, empty, strict=True)
    ]


BEFORE = [30.0, 31.0, 32.0, 90.0]
AFTER = [18.0, 19.0, 20.0, 20.0]
LOOP = [2.0, 3.0, 3.0, 3.0]


def test_the_loop_is_subtracted() -> None:
    found = timing("0 cycles", False, True, turns(BEFORE, LOOP), turns(AFTER, LOOP))
    assert (found.unit, found.ratio) == (TSC, 1.5)
    assert found.before.least == 28.0 and found.before.median == 28.5
    assert found.after.least == 16.0 and found.after.median == 16.5
    # The minimum is of the minima; the rest of turns that followed each other.
    assert found.saved == Figure(12.0, 12.0, 12.0, 55.5)
    assert found.saved_ns.least == 6.0


def test_cycles_of_the_core_if_all_turns_have_them() -> None:
    old, new = turns(BEFORE, LOOP, 1.0), turns(AFTER, LOOP, 1.0)
    assert timing("0 cycles", False, True, old, new).unit == CORE
    assert timing("0 cycles", False, True, old, new).saved.least == 24.0
    new[1] = turns(AFTER, LOOP)[1]
    assert timing("0 cycles", False, True, old, new).unit == TSC


def test_a_slow_loop_makes_no_negative_minimum() -> None:
    slow = [3.0, 25.0, 25.0, 25.0]
    found = timing("0 cycles", False, True, turns(BEFORE, slow), turns(AFTER, slow))
    assert found.after.least == 15.0
    assert found.after.median < 0, "what the spread shows is not hidden"
