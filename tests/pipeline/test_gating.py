# SPDX-License-Identifier: GPL-2.0
"""The gate passes changes without failed checks, and finds the rewrites that fail."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.findings import (
    Check,
    Cost,
    Count,
    Edit,
    Execution,
    Finding,
    Gain,
    Proof,
    Rewrite,
    Skip,
)
from hotcocci.pipeline import checks, gating
from hotcocci.pipeline.decisions import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.rules.entry import Rule
from hotcocci.tree import includes
from hotcocci.tree.build import Build, BuildError
from hotcocci.tree.kernel import Tree, find_tree
from hotcocci.tree.select import headers_state
from hotcocci.tree.targets import TARGETS

Make = Callable[..., Path]
Setup = Callable[..., Tree]
COMPILED = Check("compile x86-64", "passed")
COST = Cost(Count(20, 1, 2, 0), Count(40, 2, 3, 0), 160)
LOSS = Gain("x86-64", "a.c", "f", COST, COST, "20 become 21")


def rewrite(file: str, place: int, text: str) -> Rewrite:
    """Replace one character."""
    finding = Finding(
        "UA101", file, place, place, "f", "run", 2, "p", "read", "rewrite", "safe", None
    )
    return Rewrite(finding, (Edit(place, place + 1, text),), "A", "classic")


def prove(
    tree: object, wanted: Sequence[gate.Change], build: object, args: object
) -> dict[str, Proof]:
    """A fake compiler: fails for a B, and for L and R together; a W costs more."""
    result = {}
    for change in wanted:
        bad = "B" in change.new or {"L", "R"} <= set(change.new)
        verdict = Check("objtool", "failed", "call with UACCESS enabled\nmore")
        uncompiled = Check("compile x86-64", "skipped", "other architecture")
        seen = uncompiled if change.file.startswith("arch/") else COMPILED
        gains = (LOSS,) if "W" in change.new else ()
        checks = (seen, verdict) if bad else (seen,)
        result[change.file] = Proof(change.file, checks, gains)
    return result


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        rules=("UA101",),
        api="classic",
        jobs=1,
        timeout=9,
        cache_dir=tmp_path / "cache",
    )


@pytest.fixture
def tree(small_tree: Make, monkeypatch: pytest.MonkeyPatch) -> Tree:
    found = find_tree(small_tree({}))
    build = Build(found.root, found.root.parent / "out", TARGETS["x86-64"], (), ())
    monkeypatch.setattr(gating, "prepared", lambda *_: build)
    monkeypatch.setattr(gating, "check_changes", prove)
    monkeypatch.setattr(gating, "decide", lambda *_: ([], []))
    return found


def passed(tree: Tree, settings: Settings, rewrites: list[Rewrite]) -> gating.Gated:
    texts = {r.finding.file: "abcdef" for r in rewrites}
    return gating.pass_gate(tree, gating.changes(rewrites, rewrites, texts), settings)


def test_good_rewrites_pass_in_order(tree: Tree, settings: Settings) -> None:
    result = passed(
        tree,
        settings,
        [rewrite("b.c", 1, "x"), rewrite("b.c", 3, "y"), rewrite("a.c", 0, "")],
    )
    assert [(c.file, c.after) for c in result.passed] == [
        ("a.c", "bcdef"),
        ("b.c", "axcyef"),
    ]
    assert not result.refused and not result.held and not result.uncompiled


def test_without_rewrites_nothing_is_built(
    tree: Tree, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gating, "prepared", lambda *_: pytest.fail("a build"))
    assert passed(tree, settings, []) == gating.Gated((), (), (), ())


def test_a_refusal_names_the_failed_check(tree: Tree, settings: Settings) -> None:
    result = passed(tree, settings, [rewrite("a.c", 0, "B"), rewrite("b.c", 0, "x")])
    assert [c.file for c in result.passed] == ["b.c"]
    (finding,) = result.refused
    assert (finding.verdict, finding.tier, finding.reason) == (
        "report",
        None,
        "failed-proof",
    )
    assert finding.message == "run; objtool failed: call with UACCESS enabled"


def test_a_bad_rewrite_does_not_affect_others(tree: Tree, settings: Settings) -> None:
    rewrites = [rewrite("a.c", 0, "x"), rewrite("a.c", 2, "B"), rewrite("a.c", 4, "y")]
    result = passed(tree, settings, rewrites)
    assert [c.after for c in result.passed] == ["xbcdyf"]
    assert [finding.line for finding in result.refused] == [2]


def test_rewrites_that_only_fail_together_are_all_refused(
    tree: Tree, settings: Settings
) -> None:
    result = passed(tree, settings, [rewrite("a.c", 0, "L"), rewrite("a.c", 2, "R")])
    assert not result.passed and len(result.refused) == 2


def test_rewrites_that_cost_more_are_refused(tree: Tree, settings: Settings) -> None:
    rewrites = [rewrite("a.c", 0, "x"), rewrite("a.c", 2, "W"), rewrite("b.c", 0, "W")]
    result = passed(tree, settings, rewrites)
    assert [c.after for c in result.passed] == ["xbcdef"]
    assert [(f.file, f.line, f.reason) for f in result.refused] == [
        ("b.c", 0, "no-gain"),
        ("a.c", 2, "no-gain"),
    ]
    assert result.refused[0].message == (
        "run; the rewrite costs more than it saves: f() on x86-64: 20 become 21"
    )
    settings = replace(settings, allow_no_gain=True)
    result = passed(tree, settings, rewrites)
    assert [c.after for c in result.passed] == ["xbWdef", "Wbcdef"]
    assert result.proofs[0].gains == (LOSS,)


@pytest.mark.parametrize(
    ("rule", "loads", "function", "reason"),
    [
        ("LD301", 7, "f", ""),
        ("LD301", 7, "__do_sys_f", ""),
        (
            "LD301",
            9,
            "f",
            "the rewrite saves no load: f() on x86-64: 9 loads before, 9 after",
        ),
        ("LD301", 7, "g", "f() is not compiled in this configuration"),
        ("UA101", 9, "f", ""),
    ],
)
def test_rewrites_that_save_no_load_are_refused(
    tree: Tree,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    rule: str,
    loads: int,
    function: str,
    reason: str,
) -> None:
    before, after = (
        Cost(Count(20, 2, 0, 0, number), COST.whole, 160) for number in (9, loads)
    )
    gain = Gain("x86-64", "a.c", function, before, after)
    proof = Proof("a.c", (COMPILED,), (gain,))
    monkeypatch.setattr(gating, "check_changes", lambda *_: {"a.c": proof})
    result = rewrite("a.c", 0, "x")
    checked = replace(result, finding=replace(result.finding, rule=rule))
    outcome = passed(tree, settings, [checked])
    assert bool(outcome.passed) == (not reason)
    assert all(f.reason == "no-gain" and reason in f.message for f in outcome.refused)
    settings = replace(settings, allow_no_gain=True)
    assert passed(tree, settings, [checked]).passed


def test_shared_edits_are_made_once(tree: Tree, settings: Settings) -> None:
    twins = [rewrite("a.c", 0, "x"), rewrite("a.c", 0, "x")]
    assert [c.after for c in passed(tree, settings, twins).passed] == ["xbcdef"]


def test_uncompiled_rewrites_are_held(tree: Tree, settings: Settings) -> None:
    rewrites = [rewrite("arch/s390/a.c", 0, "x"), rewrite("b.c", 0, "x")]
    result = passed(tree, settings, rewrites)
    assert [c.file for c in result.passed] == ["b.c"]
    assert result.held == (Skip("arch/s390/a.c", "other architecture"),)
    settings = replace(settings, allow_uncompiled=True)
    result = passed(tree, settings, rewrites)
    assert [c.file for c in result.passed] == ["arch/s390/a.c", "b.c"]
    assert not result.held
    assert result.uncompiled == (Skip("arch/s390/a.c", "other architecture"),)


def test_a_failed_build_is_reported(
    tree: Tree, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise BuildError("no make: install it")

    monkeypatch.setattr(gating, "prepared", fail)
    result = passed(tree, settings, [rewrite("arch/s390/a.c", 0, "x")])
    assert result.held == (Skip("arch/s390/a.c", "no make: install it"),)


def test_patched_text_is_analysed_again(
    tree: Tree, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = rewrite("a.c", 0, "x"), rewrite("a.c", 2, "y")
    texts = {"a.c": "abcdef"}

    def decide(
        copy: Tree, rule: object, files: list[str], *_: object
    ) -> tuple[list[Decision], list[Skip]]:
        text = (copy.root / "a.c").read_text()
        assert copy.root != tree.root and text.startswith("x")
        return [Decision("a.c", text, (one.finding,), (one,))], []

    monkeypatch.setattr(gating, "decide", decide)
    # One of two was not selected: finding it again is fine.
    result = gating.pass_gate(tree, gating.changes([one], [one, two], texts), settings)
    assert [c.file for c in result.passed] == ["a.c"]
    result = gating.pass_gate(tree, gating.changes([one], [one], texts), settings)
    assert "rewritten again at line 0" in result.refused[0].message


def test_findings_of_other_rules_in_patched_text_are_ignored(
    tree: Tree, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = rewrite("a.c", 0, "x")
    own = replace(run, finding=replace(run.finding, rule="UA201"))
    settings = replace(settings, rules=("UA101", "UA201"))

    def decide(
        copy: Tree, files: list[tuple[Rule, list[str]]], *_: object
    ) -> tuple[list[Decision], list[Skip]]:
        result = [run.finding for rule, _ in files if rule.code == "UA101"]
        return [Decision("a.c", "", tuple(result), ())], []

    monkeypatch.setattr(gating, "decide", decide)
    assert passed(tree, settings, [own]).refused == ()
    assert len(passed(tree, settings, [run]).refused) == 1


def test_patched_text_must_parse(
    tree: Tree, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gating, "decide", lambda *_: ([], [Skip("a.c", "no parse")]))
    result = passed(tree, settings, [rewrite("a.c", 0, "x")])
    assert result.refused[0].message == "run; parse failed: no parse"


def test_proofs_are_cached(
    small_tree: Make, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = small_tree({"a.c": "", "b.c": '#include "a.c"\n', "include/x.h": ""})
    out = root.parent / "out"
    build = Build(root, out, TARGETS["x86-64"], (), ())
    checked: list[str] = []
    result = (COMPILED, Check("sparse", "failed", "x"))
    unknown = Gain("i386", "b.c", "f", Cost(None, COST.whole, 4), COST)
    gains = (LOSS, unknown)
    runs = (Execution("x86-64", "a.c", "f", "same", branches=(1, 2, 1, 2)),)

    def check_all(tree: object, changes: list[gate.Change], *_: object) -> list[Proof]:
        checked.extend(change.new for change in changes)
        return [Proof(c.file, result, gains, runs) for c in changes]

    monkeypatch.setattr(gate, "check_all", check_all)

    def is_checked(new: str = "new") -> bool:
        """Run the checks; returns whether the gate was called."""
        headers_state.cache_clear()
        includes._including.cache_clear()
        before = len(checked)
        change = gate.Change("a.c", "old", new, "diff")
        proof = checks.check_changes(find_tree(root), [change], build, settings)["a.c"]
        assert proof == Proof("a.c", result, gains, runs)
        return len(checked) > before

    assert is_checked() and not is_checked()
    assert is_checked("newer") and not is_checked("newer")
    (root / "b.c").write_text('#include "a.c"\nint x;\n')
    assert is_checked() and not is_checked()
    (root / "include/x.h").write_text("int x;\n")
    assert is_checked() and not is_checked()
