# SPDX-License-Identifier: GPL-2.0
"""Gains as a table and as text."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import Cost, Count, Cycles, Gain, Saves
from hotcocci.output import proofs

WHOLE = Count(200, 20, 2, 0)
KNOWN = Gain(
    "powerpc-8xx",
    "a.c",
    "f",
    Cost(Count(80, 0, 18, 0), WHOLE, 800),
    Cost(Count(13, 0, 2, 0), WHOLE, 60),
)
UNKNOWN = Gain("x86-64", "a.c", "longer", Cost(None, WHOLE, 9), Cost(None, WHOLE, 9))


def test_a_line_for_each_target() -> None:
    one, other = proofs.gains_summary([KNOWN, KNOWN, UNKNOWN])
    assert one == (
        "non-faulting path on powerpc-8xx, 2 functions: instructions 160 -> 26, "
        "calls 0 -> 0, user access opened or closed: 36 -> 4, fences 0 -> 0, bytes 1600 -> 120"
    )
    assert other.startswith("non-faulting path on x86-64, 0 functions")
    assert other.endswith("; path unknown in 1 more")
    (one,) = proofs.gains_summary([KNOWN])
    assert ", 1 function: instructions 80" in one
    assert proofs.gains_summary([]) == []


def test_cycles_have_a_column_if_they_are_modelled() -> None:
    taken = (Cycles("A", 80.4, 20.0), Cycles("B", 50.0, 30.2))
    known = replace(KNOWN, cycles=taken, saves=Saves(19.8, 60.4, 40.1))
    (head, row, unknown) = proofs.gains_table([known, UNKNOWN])
    assert head.endswith("bytes      cycles saved")
    assert row.endswith("800 -> 60  20 to 60")
    assert unknown.endswith("9          ?")
    assert proofs.gains_summary([known, known])[0].endswith(", cycles saved 40 to 121")
    assert proofs.saved(Saves(2.6, 3.4, 3.0)) == "3"
    assert proofs.saved(Saves(-4.0, 1.0, 0.0)) == "-4 to 1"
