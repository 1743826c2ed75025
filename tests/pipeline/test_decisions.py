# SPDX-License-Identifier: GPL-2.0
"""Cached decisions are valid exactly as long as their inputs are unchanged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hotcocci.cache import Cache
from hotcocci.findings import Edit, Facts, Finding, Rewrite
from hotcocci.pipeline import decisions
from hotcocci.pipeline.decisions import Decision
from hotcocci.rewrite.options import Options
from hotcocci.rules.rulebook import rule
from hotcocci.rules.ua101_user_access_run import implementation
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.select import headers_state

Make = Callable[..., Path]
EMPTY: dict[str, Any] = {
    name: [] for name in ("accesses", "types", "locals", "statements")
}


class Decider:
    """Counts its calls; the result uses every kind of field."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(
        self, text: str, facts: Facts, options: Options
    ) -> tuple[list[Finding], list[Rewrite]]:
        self.calls += 1
        finding = Finding(
            "UA101", facts.file, 1, 2, None, text, 2, "p", "rw", "rewrite", "safe", None
        )
        edits = (Edit(0, 1, "ä\t\n"), Edit(2, 3, ""))
        return [finding], [Rewrite(finding, edits, "A", options.api, ("Note.",))]


@pytest.fixture
def decider(monkeypatch: pytest.MonkeyPatch) -> Decider:
    counting = Decider()
    runs = replace(implementation.IMPLEMENTATION, decide=counting)
    monkeypatch.setattr(implementation, "IMPLEMENTATION", runs)
    return counting


def decide(
    root: Path, files: tuple[str, ...] = ("a.c",), api: str = "classic", **facts: Any
) -> list[Decision]:
    headers_state.cache_clear()
    options = Options(
        root=root,
        api=api,
        min_run=2,
        arm_get_u64=False,
        arches=frozenset({"x86", "arm"}),
        gain_arches=frozenset({"x86"}),
    )
    seen = {file: {**EMPTY, **facts} for file in files}
    with Cache(root.parent / "cache") as cache:
        inputs = [decisions.Asked(rule("UA101"), seen, options)]
        return decisions.decisions(find_tree(root), inputs, cache, 2)


def test_the_second_run_uses_the_cache(small_tree: Make, decider: Decider) -> None:
    root = small_tree({"a.c": "one", "fs/b.c": "one"})
    first = decide(root, ("a.c", "fs/b.c"))
    assert decider.calls == 2
    assert decide(root, ("a.c", "fs/b.c")) == first
    assert decider.calls == 2
    assert [decision.findings[0].file for decision in first] == ["a.c", "fs/b.c"]


def test_the_key_of_a_cached_decision(small_tree: Make, decider: Decider) -> None:
    root = small_tree({"a.c": '#include "b.c"\n', "b.c": "", "include/x.h": ""})
    decide(root)
    calls = decider.calls
    for change in (
        lambda: (root / "a.c").write_text('#include "b.c"\n\n'),
        lambda: (root / "b.c").write_text("struct s { int x; };"),
        lambda: (root / "include/x.h").write_text("struct t { int x; };"),
        lambda: (root / "include/y.h").write_text(""),
    ):
        change()
        decide(root)
        decide(root)
        calls += 1
        assert decider.calls == calls
    decide(root, api="masked")
    decide(root, statements=[[1, 2, 3, 4]])
    assert decider.calls == calls + 2


def test_a_cached_rewrite_refers_to_its_finding(
    small_tree: Make, decider: Decider
) -> None:
    root = small_tree({"a.c": "one"})
    decide(root)
    (decision,) = decide(root)
    assert decision.rewrites[0].finding == decision.findings[0]
    assert replace(decision, text="two") != decision


def test_accesses_missed_by_spatch_are_cached_too(
    small_tree: Make, decider: Decider
) -> None:
    root = small_tree({"a.c": "f(void)\n{ get_user(a, p); }\n"})
    first = decide(root)
    assert first[0].unseen == (2,)
    assert decide(root) == first
    assert decider.calls == 1
