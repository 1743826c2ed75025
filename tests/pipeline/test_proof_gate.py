# SPDX-License-Identifier: GPL-2.0
"""What another target's checks and runs say against a rewrite keeps it from being printed."""

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
    """Replaces one character of the function that is named like it."""
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
    made = []
    for change in wanted:
        verdicts = {"D": DIFFERENT, "N": NOT_PROVEN, "P": SAME, "S": PROVEN}
        ran = [execution(c, v) for c, v in verdicts.items() if c in change.new]
        bad = Check("compile i386", "failed", "error: it says\nmore")
        made.append(Proof("a.c", (bad,) if "C" in change.new else (), (), tuple(ran)))
    return made


@pytest.fixture
def tree(small_tree: Make, monkeypatch: pytest.MonkeyPatch) -> Tree:
    monkeypatch.setattr(proof_gate, "prove", evidence)
    monkeypatch.setattr(
        proof_gate,
        "pass_gate",
        lambda _tree, some, _args: Gated(tuple(some), (), (), ()),
    )
    return find_tree(small_tree({}))


def came_of(tree: Tree, texts: str, settings: Settings = STRICT) -> Gated:
    rewrites = [rewrite(place, text) for place, text in enumerate(texts)]
    before = "abcdef"
    change = change_of("a.c", before, rewrites, len(rewrites))
    return proof_gate.pass_proof(tree, Gated((change,), (), (), ()), settings)


def texts_of(changes: Sequence[Change]) -> list[str]:
    return [change.after for change in changes]


def test_only_the_function_that_differs_is_left_out(tree: Tree) -> None:
    came = came_of(tree, "SD")
    assert texts_of(came.passed) == ["Sbcdef"]
    (refused,) = came.refused
    assert (refused.function, refused.reason) == ("D", "failed-proof")
    assert "the rewrite is not equivalent: D() on arm64: seen" in refused.message


def test_what_is_not_proven_is_told_and_left_out_unless_allowed(tree: Tree) -> None:
    came = came_of(tree, "SN")
    assert texts_of(came.passed) == ["Sbcdef"]
    assert [skip.reason for skip in came.unproven] == [
        "line 1: N() on arm64 is not proven: seen"
    ]
    allowed = Settings(allow_unproven=True)
    assert texts_of(came_of(tree, "SN", allowed).passed) == ["SNcdef"]


def test_what_was_only_sampled_is_left_out_unless_allowed(tree: Tree) -> None:
    came = came_of(tree, "SP")
    assert texts_of(came.passed) == ["Sbcdef"]
    assert [skip.reason for skip in came.unproven] == [
        "line 1: P() on arm64 is equivalent on all tested inputs (seen)"
    ]
    allowed = Settings(allow_sampled=True)
    assert texts_of(came_of(tree, "SP", allowed).passed) == ["SPcdef"]
    assert texts_of(came_of(tree, "SN", allowed).passed) == ["Sbcdef"]


def test_a_check_that_fails_on_another_target_speaks_against_the_file(
    tree: Tree,
) -> None:
    allowed = Settings(allow_unproven=True)
    for settings in (STRICT, allowed):
        came = came_of(tree, "SC", settings)
        assert came.passed == ()
        assert {refused.reason for refused in came.refused} == {"failed-proof"}
        assert "compile i386 failed: error: it says" in came.refused[0].message
        assert came.proofs == ()
