# SPDX-License-Identifier: GPL-2.0
"""Rewrites whose only gain is smaller code must shrink it on some target."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hotcocci.findings import Cost, Count, Finding, Gain, Proof, Rewrite
from hotcocci.pipeline import other_targets
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.gate import Change
from hotcocci.tree.build import BuildError
from hotcocci.tree.kernel import Features, Tree
from hotcocci.tree.targets.x86_64 import X86_64

FILE = "fs/a.c"
TODO = [Change(FILE, "old", "new", "diff")]
TREE = Tree(Path("/"), Features(False, False, False, False, frozenset()))


def rewrite(code: str = "LD304") -> Rewrite:
    finding = Finding(
        code, FILE, 1, 1, "f", "", None, "x", None, "rewrite", "prepared", None
    )
    return Rewrite(finding, (), "widen", "classic")


def cost(instructions: int, size: int) -> Cost:
    return Cost(None, Count(instructions, 0, 0, 0), size)


def gain(target: str, after: int, size: int = 40) -> Gain:
    return Gain(target, FILE, "f", cost(10, 40), cost(after, size))


@pytest.mark.parametrize(
    ("gains", "small"),
    [
        ((gain("x86-64", 9),), True),
        ((gain("x86-64", 10, 39),), True),
        ((gain("x86-64", 10),), False),
        ((gain("x86-64", 11, 39),), False),
        ((gain("x86-64", 10), gain("arm64", 9)), True),
        ((), False),
    ],
)
def test_idle(gains: tuple[Gain, ...], small: bool) -> None:
    reason = other_targets.not_smaller([rewrite()], Proof(FILE, gains=gains))
    assert (reason == "") == small
    if not small and gains:
        assert reason.startswith("f(): 10 instructions in 40 bytes before,")
    if not gains:
        assert reason == "f(): its compiled code does not change"


def test_rules_with_other_gains() -> None:
    assert other_targets.not_smaller([rewrite("LD302")], Proof(FILE)) == ""


class _Others:
    """Fake builds and proofs for other targets that record what was requested."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, better: str = "") -> None:
        self.asked: list[str] = []
        self.better = better
        self.fails = False
        monkeypatch.setattr(other_targets, "usual", lambda _: X86_64)
        monkeypatch.setattr(other_targets, "prepared", self.prepared)
        monkeypatch.setattr(other_targets, "check_changes", self.prove)
        monkeypatch.setattr(
            other_targets, "compiled_for", lambda *_, **__: list(other_targets._OTHERS)
        )

    def prepared(self, _: object, target: Any, *__: Any) -> str:
        if self.fails:
            raise BuildError("no compiler")
        return str(target.name)

    def prove(self, _: Any, wanted: Any, build: str, __: Any) -> dict[str, Proof]:
        self.asked.append(build)
        after = 9 if build == self.better else 10
        return {c.file: Proof(c.file, gains=(gain(build, after),)) for c in wanted}


def others(proof: Proof) -> Proof:
    result = other_targets.with_shrinking_targets(
        TREE, TODO, {FILE: [rewrite()]}, {FILE: proof}, Settings(jobs=1)
    )
    return result[FILE]


def test_no_other_target_if_one_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = _Others(monkeypatch)
    proof = Proof(FILE, gains=(gain("x86-64", 9),))
    assert others(proof) == proof and stand_in.asked == []


def test_targets_are_tried_until_one_is_smaller(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (target.name for target in other_targets._OTHERS)
    stand_in = _Others(monkeypatch, better=first)
    result = others(Proof(FILE, gains=(gain("x86-64", 10),)))
    assert stand_in.asked == [first] and len(result.gains) == 2
    stand_in = _Others(monkeypatch)
    result = others(Proof(FILE, gains=(gain("x86-64", 10),)))
    assert stand_in.asked == [first, second]
    assert other_targets.not_smaller([rewrite()], result) != ""


def test_a_requested_target_is_not_tried_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = (target.name for target in other_targets._OTHERS)
    stand_in = _Others(monkeypatch)
    others(Proof(FILE, gains=(gain("x86-64", 10), gain(first, 10))))
    assert stand_in.asked == [second]


def test_a_target_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = _Others(monkeypatch)
    stand_in.fails = True
    result = others(Proof(FILE))
    assert [(c.outcome, c.detail) for c in result.checks] == [
        ("skipped", "no compiler")
    ] * len(other_targets._OTHERS)
