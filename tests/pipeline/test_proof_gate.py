# SPDX-License-Identifier: GPL-2.0
"""Failed checks and proofs on other targets hold back a rewrite."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hotcocci.findings import (
    DIFFERENT,
    NOT_PROVEN,
    PROVEN,
    SAME,
    Check,
    Edit,
    Execution,
    Finding,
    Proof,
    Rewrite,
)
from hotcocci.pipeline import proof_gate
from hotcocci.pipeline.gating import Change, Gated, change_of
from hotcocci.pipeline.settings import Settings
from hotcocci.proof import gate
from hotcocci.tree.kernel import Tree, find_tree

Make = Callable[..., Path]
STRICT = Settings()


def rewrite(place: int, text: str) -> Rewrite:
    """Replace one character; the function has the same name."""
    finding = Finding(
        "UA101",
        "a.c",
        place,
        place,
        text,
        "run",
        2,
        "p",
        "read",
        "rewrite",
        "safe",
        None,
    )
    return Rewrite(finding, (Edit(place, place + 1, text),), "A", "classic")


def execution(function: str, verdict: str) -> Execution:
    return Execution("arm64", "a.c", function, verdict, "seen")


def evidence(_: Tree, wanted: Sequence[gate.Change], args: object) -> list[Proof]:
    """A fake engine: D differs, N is not proven, P was sampled, C does not compile."""
    proofs = []
    for change in wanted:
        verdicts = {"D": DIFFERENT, "N": NOT_PROVEN, "P": SAME, "S": PROVEN}
        ran = [execution(c, v) for c, v in verdicts.items() if c in change.new]
        bad = Check("compile i386", "failed", "error: it says\nmore")
        proofs.append(Proof("a.c", (bad,) if "C" in change.new else (), (), tuple(ran)))
    return proofs


@pytest.fixture
def tree(small_tree: Make, monkeypatch: pytest.MonkeyPatch) -> Tree:
    monkeypatch.setattr(proof_gate, "prove", evidence)
    monkeypatch.setattr(
        proof_gate,
        "pass_gate",
        lambda _tree, some, _args: Gated(tuple(some), (), (), ()),
    )
    return find_tree(small_tree({}))


def gated(tree: Tree, texts: str, settings: Settings = STRICT) -> Gated:
    rewrites = [rewrite(place, text) for place, text in enumerate(texts)]
    before = "abcdef"
    change = change_of("a.c", before, rewrites, len(rewrites))
    return proof_gate.pass_proof(tree, Gated((change,), (), (), ()), settings)


def texts_of(changes: Sequence[Change]) -> list[str]:
    return [change.after for change in changes]


def test_only_the_function_that_differs_is_omitted(tree: Tree) -> None:
    result = gated(tree, "SD")
    assert texts_of(result.passed) == ["Sbcdef"]
    (refused,) = result.refused
    assert (refused.function, refused.reason) == ("D", "failed-proof")
    assert "the rewrite is not equivalent: D() on arm64: seen" in refused.message


def test_unproven_functions_are_omitted_unless_allowed(tree: Tree) -> None:
    result = gated(tree, "SN")
    assert texts_of(result.passed) == ["Sbcdef"]
    assert [skip.reason for skip in result.unproven] == [
        "line 1: N() on arm64 is not proven: seen"
    ]
    allowed = Settings(allow_unproven=True)
    assert texts_of(gated(tree, "SN", allowed).passed) == ["SNcdef"]


def test_sampled_functions_are_omitted_unless_allowed(tree: Tree) -> None:
    result = gated(tree, "SP")
    assert texts_of(result.passed) == ["Sbcdef"]
    assert [skip.reason for skip in result.unproven] == [
        "line 1: P() on arm64 is equivalent on all tested inputs (seen)"
    ]
    allowed = Settings(allow_sampled=True)
    assert texts_of(gated(tree, "SP", allowed).passed) == ["SPcdef"]
    assert texts_of(gated(tree, "SN", allowed).passed) == ["Sbcdef"]


def test_a_check_failing_on_another_target_refuses_the_file(
    tree: Tree,
) -> None:
    allowed = Settings(allow_unproven=True)
    for settings in (STRICT, allowed):
        result = gated(tree, "SC", settings)
        assert result.passed == ()
        assert {refused.reason for refused in result.refused} == {"failed-proof"}
        assert "compile i386 failed: error: it says" in result.refused[0].message
        assert result.proofs == ()
