# SPDX-License-Identifier: GPL-2.0
"""The functions of a patch, by what they save."""

from __future__ import annotations

from dataclasses import replace

from hotcocci.findings import Cost, Count, Finding, Gain, Proof, Rewrite
from hotcocci.output.best_first import best_first
from hotcocci.pipeline.changes import Change, Gated


def changed(file: str, function: str, accesses: int) -> tuple[Change, Proof]:
    """A file with one rewrite that saves 10 instructions, and all window switches but two."""
    place = (file, 3, 4, function, "run", accesses, "p", "read")
    rewrite = Rewrite(Finding("UA101", *place, "rewrite", "safe", None), (), "A", "x")
    sides = [Count(100, 0, 10 * accesses, 0), Count(90, 0, 2, 0)]
    costs = [Cost(count, count, 0) for count in sides]
    gain = Gain("x86-64", file, function, *costs)
    return Change(file, "", "", (rewrite,), {}), Proof(file, gains=(gain,))


def test_savings_times_hotness() -> None:
    files = [("drivers/a.c", "rare", 9), ("fs/readdir.c", "filldir64", 3)]
    changes, proofs = zip(*(changed(*file) for file in files), strict=True)
    gated = Gated(changes, (), (), (), proofs)
    head, first, second = best_first(gated, False, str)
    assert "times estimated hotness" in head
    # 10 instructions, and 28 or 88 switches; a switch counts as ten.
    assert "filldir64(): 1 rewrite, saves 262, hotness 1" in first
    assert "rare(): 1 rewrite, saves 802, hotness 0.02" in second


def test_system_calls_are_compiled_by_another_name() -> None:
    other = changed("drivers/a.c", "rare", 9)
    change, proof = changed("fs/utimes.c", "utime", 3)
    for compiled, said in (
        ("__do_sys_utime", "saves 262"),
        ("__se_compat_sys_utime", "saves 262"),
        # Another system call whose name ends alike.
        ("__do_sys_futime", "saves unknown"),
    ):
        gains = tuple(replace(gain, function=compiled) for gain in proof.gains)
        proofs = (other[1], replace(proof, gains=gains))
        lines = best_first(Gated((other[0], change), (), (), (), proofs), False, str)
        assert any(f"utime(): 1 rewrite, {said}" in line for line in lines)


def test_a_single_function_needs_no_order() -> None:
    change, proof = changed("fs/readdir.c", "filldir64", 3)
    assert best_first(Gated((change,), (), (), (), (proof,)), False, str) == []
