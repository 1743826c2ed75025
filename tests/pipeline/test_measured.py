# SPDX-License-Identifier: GPL-2.0
"""What compiling a rewrite showed is known to later runs, as long as the code is the same."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.cli.main import main
from hotcocci.findings import (
    REPORT,
    Check,
    Cost,
    Count,
    Cycles,
    Gain,
    Proof,
    Rewrite,
    Saves,
)
from hotcocci.output.html import About, page
from hotcocci.output.json import document
from hotcocci.pipeline.analysis import Analysis, analyse
from hotcocci.pipeline.measured import Benched, Measured, keep, measured
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import NO_GAIN, SMALL_GAIN, Refusal
from hotcocci.tree.kernel import Tree
from tests.shared import finding

TEXTS = Path(__file__).with_name("measured")
READS = (TEXTS / "reads.c").read_text(encoding="utf-8")
HEADERS = Path(__file__).resolve().parents[2] / "kernel-fixtures/scoped/include"
DEARER = Refusal(NO_GAIN, "the rewrite costs more than it saves: reads() on x86-64")
SAVES = Saves(30.0, 40.0, 35.0)


@pytest.fixture
def settings(tmp_path) -> Settings:
    cache = tmp_path / "cache"
    return Settings(rules=("UA101",), show="cold", jobs=1, timeout=9, cache_dir=cache)


@pytest.fixture
def tree(small_kernel) -> Tree:
    headers = {
        f"include/{file.relative_to(HEADERS)}": file.read_text()
        for file in HEADERS.rglob("*.h")
    }
    odd = {"include/linux/odd.h": "extern int odd;\n"}
    return small_kernel({"a.c": READS, **headers, **odd})


def analysed(tree: Tree, settings: Settings) -> Analysis:
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


def made(line: int, rounds: int | None = 1) -> Rewrite:
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
