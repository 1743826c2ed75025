# SPDX-License-Identifier: GPL-2.0
"""The functions of a patch, by what they save."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import (
    Cost,
    Count,
    Cycles,
    Finding,
    Gain,
    Proof,
    Rewrite,
    Saves,
)
from hotcocci.output.text import best_first
from hotcocci.pipeline.changes import Rewritten, Gated

COST = Cost(Count(1, 0, 0, 0), Count(1, 0, 0, 0), 0)


def changed(file: str, function: str, saved: float) -> tuple[Rewritten, Proof]:
    """A file with one rewrite, estimated to save seven cycles, and as it was compiled."""
    place = (file, 3, 4, function, "run", 2, "p", "read")
    finding = Finding(
        *("UA101", *place, "rewrite", "safe"),
        reason=None,
        saves=Saves(7, 7, 7),
        heat=0.02 if function == "rare" else 2.0,
    )
    rewrite = Rewrite(finding, (), "A", "x")
    cycles = (Cycles("A", 900, 900 - saved), Cycles("B", 900, 0, mainstream=False))
    gain = Gain("x86-64", file, function, COST, COST, cycles=cycles)
    return Rewritten(file, "", "", (), (rewrite,)), Proof(file, gains=(gain,))


def test_cycles_times_heat() -> None:
    files = [("drivers/a.c", "rare", 802), ("fs/readdir.c", "filldir64", 62)]
    changes, proofs = zip(*(changed(*file) for file in files), strict=True)
    gated = Gated(changes, (), (), (), proofs)
    head, first, second = best_first(gated, False, str)
    assert "how often the function runs" in head
    assert "filldir64(): 1 rewrite, saves ~62 cycles" in first
    assert "rare(): 1 rewrite, saves ~800 cycles" in second


def test_system_calls_are_compiled_by_another_name() -> None:
    other = changed("drivers/a.c", "rare", 9)
    change, proof = changed("fs/utimes.c", "utime", 62)
    for compiled, said in (
        ("__do_sys_utime", "saves ~62 cycles"),
        ("__se_compat_sys_utime", "saves ~62 cycles"),
        # Another system call whose name ends alike: the estimate is all that is known.
        ("__do_sys_futime", "saves ~7 cycles"),
    ):
        gains = tuple(replace(gain, function=compiled) for gain in proof.gains)
        proofs = (other[1], replace(proof, gains=gains))
        lines = best_first(Gated((other[0], change), (), (), (), proofs), False, str)
        assert any(f"utime(): 1 rewrite, {said}" in line for line in lines)
