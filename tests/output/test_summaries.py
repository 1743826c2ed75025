# SPDX-License-Identifier: GPL-2.0
"""Gains as tables and text, the functions that save most, and lines on what is not shown."""

from dataclasses import replace

from hotcocci.findings import Cost, Count, Cycles, Gain, Proof, Rewrite, Saves
from hotcocci.output import gains
from hotcocci.output.text import best_first, not_offered
from hotcocci.pipeline.changes import Gated, Rewritten
from hotcocci.rules.offer import ONE_COPY, SMALL_GAIN
from tests.shared import finding

WHOLE = Count(200, 20, 2, 0)
KNOWN = Gain(
    "powerpc-8xx",
    "a.c",
    "f",
    Cost(Count(80, 0, 18, 0), WHOLE, 800),
    Cost(Count(13, 0, 2, 0), WHOLE, 60),
)
UNKNOWN = Gain("x86-64", "a.c", "longer", Cost(None, WHOLE, 9), Cost(None, WHOLE, 9))


def test_a_line_for_each_target():
    one, other = gains.summary([KNOWN, KNOWN, UNKNOWN])
    assert one == (
        "non-faulting path on powerpc-8xx with KUAP, 2 functions: instructions 160 -> 26, "
        "calls 0 -> 0, user access opened or closed: 36 -> 4, fences 0 -> 0, bytes 1600 -> 120"
    )
    assert other.startswith("non-faulting path on x86-64 with SMAP, 0 functions")
    assert other.endswith("; path unknown in 1 more")
    (one,) = gains.summary([KNOWN])
    assert ", 1 function: instructions 80" in one
    assert gains.summary([]) == []


def test_cycles_are_in_the_line_if_they_are_modelled():
    taken = (Cycles("A", 80.4, 20.0), Cycles("B", 50.0, 30.2))
    known = replace(KNOWN, cycles=taken, saves=Saves(19.8, 60.4, 40.1))
    assert gains.summary([known, known])[0].endswith(", cycles saved 40 to 121")


COST = Cost(Count(1, 0, 0, 0), Count(1, 0, 0, 0), 0)


def changed(file: str, function: str, saved: float) -> tuple[Rewritten, Proof]:
    """A file with one rewrite, estimated to save seven cycles, and as it was compiled."""
    heat = 0.02 if function == "rare" else 2.0
    found = finding(file=file, function=function, saves=Saves(7, 7, 7), heat=heat)
    rewrite = Rewrite(found, (), "A", "x")
    cycles = (Cycles("A", 900, 900 - saved), Cycles("B", 900, 0, mainstream=False))
    gain = Gain("x86-64", file, function, COST, COST, cycles=cycles)
    return Rewritten(file, "", "", (), (rewrite,)), Proof(file, gains=(gain,))


def test_cycles_times_heat():
    files = [("drivers/a.c", "rare", 802), ("fs/readdir.c", "filldir64", 62)]
    changes, proofs = zip(*(changed(*file) for file in files), strict=True)
    gated = Gated(changes, (), (), (), proofs)
    head, first, second = best_first(gated, False, str)
    assert "how often the function runs" in head
    assert "filldir64(): 1 rewrite, saves ~62 cycles" in first
    assert "rare(): 1 rewrite, saves ~800 cycles" in second


def test_system_calls_are_compiled_by_another_name():
    other = changed("drivers/a.c", "rare", 9)
    change, proof = changed("fs/utimes.c", "utime", 62)
    for compiled, said in (
        ("__do_sys_utime", "saves ~62 cycles"),
        ("__se_compat_sys_utime", "saves ~62 cycles"),
        # Another system call whose name ends alike: the estimate is all that is known.
        ("__do_sys_futime", "saves ~7 cycles"),
    ):
        own = tuple(replace(gain, function=compiled) for gain in proof.gains)
        proofs = (other[1], replace(proof, gains=own))
        lines = best_first(Gated((other[0], change), (), (), (), proofs), False, str)
        assert any(f"utime(): 1 rewrite, {said}" in line for line in lines)


def test_what_is_not_offered_is_counted_by_reason():
    small = finding(verdict="report", tier=None, reason=SMALL_GAIN)
    copy = replace(small, reason=ONE_COPY)
    assert not_offered([replace(small, reason="call-between")]) == []
    first, second = not_offered([small, copy, copy])
    assert first.startswith("1 rewrite not offered: too few cycles")
    assert second.startswith("2 windows not offered in new code: one copy is simpler")
