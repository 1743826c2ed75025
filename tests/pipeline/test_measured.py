# SPDX-License-Identifier: GPL-2.0
"""What compiling a rewrite showed, and what system calls take, decides what is offered, and is known to later runs."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.bench import counts
from hotcocci.bench import run as bench
from hotcocci.bench.catalogue import X86_64, catalogue, chosen
from hotcocci.bench.counts import Symbols, Table
from hotcocci.bench.kernel import Image
from hotcocci.bench.run import Counted
from hotcocci.cli.main import main
from hotcocci.deliver.message import paragraphs
from hotcocci.errors import UserError
from hotcocci.findings import (
    REPORT,
    Change,
    Check,
    Cost,
    Count,
    Cycles,
    Edit,
    Gain,
    Proof,
    Rewrite,
    Saves,
)
from hotcocci.output.html import About, page
from hotcocci.output.json import document
from hotcocci.pipeline import proof_gate as benching
from hotcocci.pipeline.analysis import analyse
from hotcocci.pipeline.changes import Gated, change_of
from hotcocci.pipeline.measured import Benched, Measured, keep, measured
from hotcocci.pipeline.proof_gate import Bench, pass_bench, with_bench
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import NO_GAIN, SMALL_GAIN, Refusal
from tests.shared import finding

TEXTS = Path(__file__).with_name("measured")
READS = (TEXTS / "reads.c").read_text(encoding="utf-8")
DEARER = Refusal(NO_GAIN, "the rewrite costs more than it saves: reads() on x86-64")
SAVES = Saves(30.0, 40.0, 35.0)


@pytest.fixture
def tree(small_kernel, scoped_headers):
    odd = {"include/linux/odd.h": "extern int odd;\n"}
    return small_kernel({"a.c": READS, **scoped_headers, **odd})


def analysed(tree, settings):
    return analyse(tree, [tree.root / "a.c"], settings)


@pytest.mark.parametrize(
    ("sentences", "said"),
    [
        (("read(): 90 -> 80 instructions",), "read(): 90 -> 80 instructions"),
        ((), "no benchmark reaches reads()"),
    ],
)
def test_what_a_booted_kernel_showed_is_told_in_every_face(
    tree, settings, sentences, said, capsys
):
    (rewrite,) = analysed(tree, settings).rewrites
    assert rewrite.finding.benched is None
    keep(tree.root, {rewrite: Benched(sentences)}, settings)
    # What compiling shows is known besides.
    keep(tree.root, {rewrite: Measured(SAVES)}, settings)
    known = analysed(tree, settings)
    (finding,) = known.findings
    assert finding.benched == sentences and finding.saves == SAVES
    assert known.rewrites[0].finding == finding
    found = json.loads(document(tree, [finding], [], {}))["findings"]
    assert found[0]["benched"] == [*sentences]
    files = {"a.c": READS}
    made = page(tree, [finding], known.rewrites, [], files, {"a.c": ""}, About())
    assert f'"benched": ["{said}"]' in made.replace("\\u003e", ">")
    why = ["why", f"{tree.root}/a.c:{finding.line}"]
    assert main([*why, "--cache-dir", str(settings.cache_dir)]) == 0
    assert f"In a booted kernel: {said}." in capsys.readouterr().out
    (tree.root / "include/linux/odd.h").write_text("extern int even;\n")
    assert analysed(tree, settings).findings[0].benched is None


def test_what_did_not_pay_is_not_offered_again(tree, settings):
    (rewrite,) = analysed(tree, settings).rewrites
    keep(tree.root, {rewrite: Measured(refusal=DEARER)}, settings)
    known = analysed(tree, settings)
    (finding,) = known.findings
    assert (finding.verdict, finding.reason) == (REPORT, NO_GAIN)
    assert finding.message.endswith(DEARER.message) and not known.rewrites
    assert analysed(tree, replace(settings, allow_no_gain=True)).rewrites


def test_cycles_of_compiled_code_replace_the_estimate(tree, settings):
    (rewrite,) = analysed(tree, settings).rewrites
    keep(tree.root, {rewrite: Measured(SAVES)}, settings)
    (again,) = analysed(tree, settings).rewrites
    assert rewrite.finding.saves != again.finding.saves == SAVES
    assert again.edits == rewrite.edits


@pytest.mark.parametrize(
    ("file", "text", "known"),
    [
        ("include/linux/odd.h", "extern int even;\n", False),
        ("include/linux/odd.h", "extern int odd; /* and even */\n", True),
        ("a.c", READS + "\nint more;\n", False),
    ],
)
def test_it_holds_for_this_code(tree, settings, file, text, known):
    (rewrite,) = analysed(tree, settings).rewrites
    keep(tree.root, {rewrite: Measured(refusal=DEARER)}, settings)
    (tree.root / file).write_text(text)
    assert (not analysed(tree, settings).rewrites) == known


def test_what_the_settings_asked_for_is_not_kept(tree, settings):
    (rewrite,) = analysed(tree, settings).rewrites
    for other in (
        replace(settings, allow_no_gain=True),
        replace(settings, extra_targets=("arm64",)),
    ):
        keep(tree.root, {rewrite: Measured(refusal=DEARER)}, other)
    assert analysed(tree, settings).rewrites


PLACE = finding(accesses=3)


def made(line, rounds=1):
    return Rewrite(replace(PLACE, line=line), (), "A", "classic", rounds=rounds)


@pytest.mark.parametrize(("check", "known"), [("compile", True), ("again", False)])
def test_failed_checks(check, known):
    one = made(1)
    proof = Proof("a.c", (Check(check, "failed", "no"),))
    found = measured(one, [one], proof, Refusal("failed-proof", "no"))
    assert (found is not None) == known


COUNT = Cost(None, Count(9, 0, 0, 0), 40)
GAIN = Gain("x86-64", "a.c", "f", COUNT, COUNT, cycles=(Cycles("Zen 3", 50.0, 15.0),))


def test_what_a_proof_says_of_a_rewrite():
    one, other = made(1), made(9)
    proof = Proof("a.c", (), (GAIN,))
    saved = Measured(Saves(35.0, 35.0, 35.0))
    assert measured(one, [one], proof, None) == saved
    # How often the code runs is for each run to decide.
    assert measured(one, [one], proof, Refusal(SMALL_GAIN, "cold")) == saved
    assert measured(one, [one], proof, DEARER) == Measured(refusal=DEARER)
    # The figure is that of both, or of fewer rounds.
    assert measured(one, [one, other], proof, None) is None
    assert measured(made(1, None), [made(1, None)], proof, None) is None


TEXT = "int shorter;\n" + "\n" * 9 + "int longer;\n" + "\n" * 9 + "int unseen;\n"
FILE = "fs/a.c"
MADE = "QEMU icount, 6.12, gcc 12.2.0"
NO_IMAGE = Image(Path("/"), Path("/"), Path("/"))
ROW = ("epoll_wait", 64)


def _rewrite(name, new):
    start = TEXT.index(f"int {name}") + 4
    line = TEXT.count("\n", 0, start) + 1
    found = finding(file=FILE, line=line, function=name, direction="write")
    return Rewrite(found, (Edit(start, start + len(name), new),), "A", "classic")


@pytest.fixture
def kernel(monkeypatch):
    """A kernel that takes what the texts of files say."""

    def measured(_, texts):
        text = "".join(texts.values())
        value = 7729
        value -= 836 * text.count("better")
        value += 71 if "worse" in text else 0
        if "broken" in text or text.count("needs") == 1 or text.count("half") == 2:
            raise UserError("the changed kernel did not get to the end: Oops")
        result = -14 if "wrong" in text else 64
        rows = {ROW: counts.Count(value, value, value, result)}
        return Counted(Table("instructions", MADE, rows, {}), {}, Symbols(NO_IMAGE))

    own = Table("instructions", MADE, {ROW: counts.Count(7729, 7729, 7729, 64)}, {})
    operations = chosen(["epoll_wait"], catalogue())
    progress = Settings().observer.progress
    job = bench.Job(Path("/"), X86_64, operations, Path("/"), 1, 1.0, progress)
    monkeypatch.setattr(bench, "measured", measured)
    return Bench(job, own, {ROW: {(FILE, 1): 64, (FILE, 11): 64}})


@pytest.fixture
def gate(kernel, small_kernel, monkeypatch):
    """Pass rewrites through a kernel; also what was checked again."""

    def passed(*rewrites, gains=()):
        change = change_of(FILE, TEXT, rewrites, {})
        checked = []

        def again(_, some, __):
            checked.append(some)
            return Gated(tuple(some), (), (), (), tuple(Proof(c.file) for c in some))

        gated = Gated((change,), (), (), (), (Proof(FILE, gains=tuple(gains)),))
        monkeypatch.setattr(benching, "checked", again)
        return pass_bench(kernel, small_kernel({}), gated, Settings()), checked

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
    counts = [Count(9, 0, 0, fences) for fences in (1, 0)]
    costs = [Cost(each, each, 40) for each in counts]
    gain = Gain("x86-64", FILE, "__do_sys_longer", *costs)
    gated, _ = gate(_rewrite("longer", "same"), gains=[gain])
    assert gated.passed and not gated.refused
    (check,) = gated.proofs[0].checks
    assert "7729 instructions, unchanged" in check.detail
    gated, _ = gate(_rewrite("longer", "worse"), gains=[gain])
    assert not gated.passed
