# SPDX-License-Identifier: GPL-2.0
"""Rewrites are offered by what system calls take before and after them, if one runs them."""

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
from hotcocci.findings import Change, Check, Cost, Edit, Gain, Proof, Rewrite
from hotcocci.findings import Count as Counts
from hotcocci.pipeline import proof_gate as benching
from hotcocci.pipeline.changes import Gated, Rewritten, change_of
from hotcocci.pipeline.proof_gate import Bench, benched, with_bench
from hotcocci.pipeline.settings import Settings
from tests.shared import finding

TEXT = "int shorter;\n" + "\n" * 9 + "int longer;\n" + "\n" * 9 + "int unseen;\n"
FILE = "fs/a.c"
MADE = "QEMU icount, 6.12, gcc 12.2.0"
NO_IMAGE = Image(Path("/"), Path("/"), Path("/"))
ROW = ("epoll_wait", 64)


def _rewrite(name: str, new: str) -> Rewrite:
    start = TEXT.index(f"int {name}") + 4
    line = TEXT.count("\n", 0, start) + 1
    found = finding(file=FILE, line=line, function=name, direction="write")
    return Rewrite(found, (Edit(start, start + len(name), new),), "A", "classic")


@pytest.fixture
def kernel(monkeypatch) -> Bench:
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
    operations = chosen(["epoll_wait"], catalogue())
    progress = Settings().observer.progress
    job = bench.Job(Path("/"), X86_64, operations, Path("/"), 1, 1.0, progress)
    monkeypatch.setattr(bench, "measured", measured)
    return Bench(job, own, {ROW: {(FILE, 1): 64, (FILE, 11): 64}})


@pytest.fixture
def gate(kernel) -> Callable[..., tuple[Gated, list[Sequence[Rewritten]]]]:
    """Pass rewrites through a kernel; also what was checked again."""

    def passed(*rewrites: Rewrite, gains: Sequence[Gain] = ()) -> object:
        change = change_of(FILE, TEXT, rewrites, {})
        checked: list[Sequence[Rewritten]] = []

        def again(some: Sequence[Rewritten]) -> Gated:
            checked.append(some)
            return Gated(tuple(some), (), (), (), tuple(Proof(c.file) for c in some))

        gated = Gated((change,), (), (), (), (Proof(FILE, gains=tuple(gains)),))
        return benched(kernel, gated, Settings(), again), checked

    return passed


SAID = (
    "epoll_wait(64 events): 7729 -> {} instructions "
    "({} per event), QEMU icount, 6.12, gcc 12.2.0"
)


def test_a_rewrite_that_makes_a_call_longer_is_not_offered(gate):
    good, bad = _rewrite("shorter", "better"), _rewrite("longer", "worse")
    gated, again = gate(good, bad)
    assert [r for change in gated.passed for r in change.rewrites] == [good]
    assert [[c.rewrites for c in some] for some in again] == [[(good,)]]
    (refused,) = gated.refused
    assert refused.function == "longer" and refused.reason == "no-gain"
    assert "7729 -> 7800 instructions (+1.1 per event)" in refused.message


def test_what_a_patch_does_is_told_of_all_its_rewrites(gate):
    both = _rewrite("shorter", "better"), _rewrite("longer", "better")
    gated, again = gate(*both)
    assert [r for change in gated.passed for r in change.rewrites] == [*both]
    assert not again and not gated.refused
    said = "shorter(), longer(): " + SAID.format(6057, "-26.1")
    assert gated.proofs[0].checks == (Check("bench", "passed", said),)
    assert f"{said}." in paragraphs(gated.proofs)


def test_rewrites_that_break_an_operation_together_are_not_offered(gate):
    gated, _ = gate(*(_rewrite(name, "better_half") for name in ("shorter", "longer")))
    assert not gated.passed and not gated.proofs
    assert [f.reason for f in gated.refused] == ["failed-proof"] * 2


def test_a_patch_of_several_files_is_measured_as_one(monkeypatch, small_kernel, kernel):
    monkeypatch.setattr(benching, "own_kernel", lambda *_: kernel)
    new = TEXT.replace("shorter", "needs_better")
    wanted = [Change(FILE, TEXT, new), Change("fs/b.c", "int b;\n", "int needs;\n")]
    proofs = [Proof(change.file) for change in wanted]
    made = with_bench(small_kernel({}), wanted, proofs, Settings(), one=True)
    none = "no benchmark runs a line that this changes"
    assert [p.checks for p in made] == [
        (Check("bench", "passed", SAID.format(6893, "-13.1")),),
        (Check("bench", "skipped", none),),
    ]


@pytest.mark.parametrize(
    ("new", "reason", "said"),
    [
        ("better_but_wrong", "failed-proof", "in a booted kernel: epoll_wait 64 returns -14, not 64"),
        ("broken", "failed-proof", "in a booted kernel: the changed kernel did not get to the end: Oops"),
        ("same", "no-gain", "7729 instructions, unchanged"),
    ],
)  # fmt: skip
def test_what_breaks_an_operation_or_gains_nothing_is_not_offered(
    gate, new, reason, said
):
    gated, _ = gate(_rewrite("longer", new))
    assert not gated.passed and not gated.proofs
    (refused,) = gated.refused
    assert refused.reason == reason and said in refused.message


def test_a_function_that_nothing_runs_is_said(gate):
    gated, _ = gate(_rewrite("unseen", "worse"))
    said = "no benchmark reaches unseen()"
    assert gated.proofs[0].checks == (Check("bench", "skipped", said),)
    assert not gated.refused
    assert f"{said}." in paragraphs(gated.proofs)
    assert "bench of" not in " ".join(paragraphs(gated.proofs))


def test_a_fence_less_is_a_gain_that_no_instruction_shows(gate):
    counts = [Counts(9, 0, 0, fences) for fences in (1, 0)]
    costs = [Cost(each, each, 40) for each in counts]
    gain = Gain("x86-64", FILE, "__do_sys_longer", *costs)
    gated, _ = gate(_rewrite("longer", "same"), gains=[gain])
    assert gated.passed and not gated.refused
    (check,) = gated.proofs[0].checks
    assert "7729 instructions, unchanged" in check.detail
    gated, _ = gate(_rewrite("longer", "worse"), gains=[gain])
    assert not gated.passed
