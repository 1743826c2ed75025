# SPDX-License-Identifier: GPL-2.0
"""Rewrites are offered by what system calls take before and after them, if one runs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from hotcocci.bench import run as bench
from hotcocci.bench.catalogue import X86_64, catalogue, chosen
from hotcocci.bench.counts import Count, Table
from hotcocci.bench.kernel import Image
from hotcocci.bench.profile import Symbols
from hotcocci.bench.run import Counted
from hotcocci.deliver.message import paragraphs
from hotcocci.errors import UserError
from hotcocci.findings import (
    Change,
    Check,
    Cost,
    Edit,
    Finding,
    Gain,
    Proof,
    Rewrite,
)
from hotcocci.findings import (
    Count as Counts,
)
from hotcocci.pipeline import proof_gate as benching
from hotcocci.pipeline.changes import Gated, Rewritten, change_of
from hotcocci.pipeline.proof_gate import Bench, benched, with_bench
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Tree

TEXT = "int shorter;\n" + "\n" * 9 + "int longer;\n" + "\n" * 9 + "int unseen;\n"
FILE = "fs/a.c"
MADE = "QEMU icount, 6.12, gcc 12.2.0"
NO_IMAGE = Image(Path("/"), Path("/"), Path("/"))
ROW = ("epoll_wait", 64)


def _rewrite(name: str, new: str) -> Rewrite:
    start = TEXT.index(f"int {name}") + 4
    line = TEXT.count("\n", 0, start) + 1
    finding = Finding(
        "UA101", FILE, line, line, name, "", 2, "p", "write", "rewrite", "safe", None
    )
    return Rewrite(finding, (Edit(start, start + len(name), new),), "A", "classic")


def _kernel(monkeypatch: pytest.MonkeyPatch) -> Bench:
    """A kernel that takes what the texts of files say."""

    def measured(_: bench.Job, texts: Mapping[str, str]) -> Counted:
        text = "".join(texts.values())
        value = 7729
        value -= 836 * text.count("better")
        value += 71 if "worse" in text else 0
        if "broken" in text or text.count("needs") == 1 or text.count("half") == 2:
            raise UserError("the changed kernel did not get to the end: Oops")
        result = -14 if "wrong" in text else 64
        counts = {ROW: Count(value, value, value, result)}
        table = Table("instructions", MADE, counts, {})
        return Counted(table, {}, Symbols(NO_IMAGE))

    own = Table("instructions", MADE, {ROW: Count(7729, 7729, 7729, 64)}, {})
    job = bench.Job(
        Path("/"),
        X86_64,
        chosen(["epoll_wait"], catalogue()),
        Path("/"),
        1,
        1.0,
        Settings().observer.progress,
    )
    monkeypatch.setattr(bench, "measured", measured)
    return Bench(job, own, {ROW: {(FILE, 1): 64, (FILE, 11): 64}})


def _gate(
    monkeypatch: pytest.MonkeyPatch, *rewrites: Rewrite, gains: Sequence[Gain] = ()
) -> tuple[Gated, list[Sequence[Rewritten]]]:
    """Pass rewrites through a kernel; also what was checked again."""
    kernel = _kernel(monkeypatch)
    change = change_of(FILE, TEXT, rewrites, {})
    checked: list[Sequence[Rewritten]] = []

    def again(some: Sequence[Rewritten]) -> Gated:
        checked.append(some)
        return Gated(tuple(some), (), (), (), tuple(Proof(c.file) for c in some))

    gated = Gated((change,), (), (), (), (Proof(FILE, gains=tuple(gains)),))
    made = benched(kernel, gated, Settings(), again)
    return made, checked


def test_a_call_that_gets_shorter_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    gated, again = _gate(monkeypatch, _rewrite("shorter", "better"))
    assert not gated.refused and not again
    said = (
        "shorter(): epoll_wait(64 events): 7729 -> 6893 instructions "
        "(-13.1 per event), QEMU icount, 6.12, gcc 12.2.0"
    )
    assert gated.proofs[0].checks == (Check("bench", "passed", said),)
    assert f"{said}." in paragraphs(gated.proofs)


def test_a_rewrite_that_makes_a_call_longer_is_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    good, bad = _rewrite("shorter", "better"), _rewrite("longer", "worse")
    gated, again = _gate(monkeypatch, good, bad)
    assert [r for change in gated.passed for r in change.rewrites] == [good]
    assert [[c.rewrites for c in some] for some in again] == [[(good,)]]
    (refused,) = gated.refused
    assert refused.function == "longer" and refused.reason == "no-gain"
    assert "7729 -> 7800 instructions (+1.1 per event)" in refused.message


def test_what_a_patch_does_is_told_of_all_its_rewrites(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = _rewrite("shorter", "better"), _rewrite("longer", "better")
    gated, again = _gate(monkeypatch, *both)
    assert [r for change in gated.passed for r in change.rewrites] == [*both]
    assert not again
    said = (
        "shorter(), longer(): epoll_wait(64 events): 7729 -> 6057 instructions "
        "(-26.1 per event), QEMU icount, 6.12, gcc 12.2.0"
    )
    assert gated.proofs[0].checks == (Check("bench", "passed", said),)


def test_rewrites_that_break_an_operation_together_are_not_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    both = _rewrite("shorter", "better_half"), _rewrite("longer", "better_half")
    gated, _ = _gate(monkeypatch, *both)
    assert not gated.passed and not gated.proofs
    assert [f.reason for f in gated.refused] == ["failed-proof"] * 2


def test_a_patch_of_several_files_is_measured_as_one(
    monkeypatch: pytest.MonkeyPatch, small_kernel: Callable[[dict[str, str]], Tree]
) -> None:
    kernel = _kernel(monkeypatch)
    monkeypatch.setattr(benching, "own_kernel", lambda *_: kernel)
    new = TEXT.replace("shorter", "needs_better")
    wanted = [Change(FILE, TEXT, new), Change("fs/b.c", "int b;\n", "int needs;\n")]
    proofs = [Proof(change.file) for change in wanted]
    made = with_bench(small_kernel({}), wanted, proofs, Settings(), one=True)
    said = (
        "epoll_wait(64 events): 7729 -> 6893 instructions "
        "(-13.1 per event), QEMU icount, 6.12, gcc 12.2.0"
    )
    none = "no benchmark runs a line that this changes"
    assert [p.checks for p in made] == [
        (Check("bench", "passed", said),),
        (Check("bench", "skipped", none),),
    ]


@pytest.mark.parametrize(
    ("new", "said"),
    [
        ("better_but_wrong", "epoll_wait 64 returns -14, not 64"),
        ("broken", "the changed kernel did not get to the end: Oops"),
    ],
)
def test_what_breaks_an_operation_is_not_offered(
    monkeypatch: pytest.MonkeyPatch, new: str, said: str
) -> None:
    gated, _ = _gate(monkeypatch, _rewrite("shorter", new))
    assert not gated.passed
    (refused,) = gated.refused
    assert refused.reason == "failed-proof"
    assert f"in a booted kernel: {said}" in refused.message


def test_a_function_that_nothing_runs_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    gated, _ = _gate(monkeypatch, _rewrite("unseen", "worse"))
    said = "no benchmark reaches unseen()"
    assert gated.proofs[0].checks == (Check("bench", "skipped", said),)
    assert not gated.refused
    assert f"{said}." in paragraphs(gated.proofs)
    assert "bench of" not in " ".join(paragraphs(gated.proofs))


def test_no_gain_at_all_is_not_offered_either(monkeypatch: pytest.MonkeyPatch) -> None:
    gated, _ = _gate(monkeypatch, _rewrite("longer", "same"))
    assert not gated.passed and not gated.proofs
    assert "7729 instructions, unchanged" in gated.refused[0].message


def test_a_fence_less_is_a_gain_that_no_instruction_shows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts = [Counts(9, 0, 0, fences) for fences in (1, 0)]
    costs = [Cost(each, each, 40) for each in counts]
    gain = Gain("x86-64", FILE, "__do_sys_longer", *costs)
    gated, _ = _gate(monkeypatch, _rewrite("longer", "same"), gains=[gain])
    assert gated.passed and not gated.refused
    (check,) = gated.proofs[0].checks
    assert "7729 instructions, unchanged" in check.detail
    gated, _ = _gate(monkeypatch, _rewrite("longer", "worse"), gains=[gain])
    assert not gated.passed
