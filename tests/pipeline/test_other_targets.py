# SPDX-License-Identifier: GPL-2.0
"""Checks on targets requested in addition to x86-64."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hotcocci.findings import Check, Cost, Count, Gain, Proof
from hotcocci.pipeline import other_targets
from hotcocci.pipeline.proving import _targets
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.gate import FOREIGN, Change
from hotcocci.tree.build import BuildError
from hotcocci.tree.kernel import Features, Tree
from hotcocci.tree.targets import ALL, NAMES, among
from hotcocci.tree.targets.host import HOST
from hotcocci.tree.targets.x86_64 import X86_64

COMMON, OWN = "fs/a.c", "arch/arm64/kernel/a.c"
TREE = Tree(Path("/"), Features(False, False, False, False, frozenset()))
COST = Cost(None, Count(1, 0, 0, 0), 8)
X86 = {
    COMMON: Proof(COMMON, (Check("compile x86-64", "passed"),)),
    OWN: Proof(OWN, (Check("compile x86-64", "skipped", f"{FOREIGN} than x86-64"),)),
}


def settings(*names: str) -> Settings:
    return Settings(jobs=1, extra_targets=names)


@pytest.fixture
def builds(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Records which file is compiled for which target; powerpc-8xx has no compiler."""
    result: list[tuple[str, str]] = []

    def prepared(_: Any, target: Any, *__: Any) -> str:
        if target.name == "powerpc-8xx":
            raise BuildError("no compiler: install one")
        return str(target.name)

    def prove(_: Any, wanted: list[Change], build: str, __: Any) -> dict[str, Proof]:
        result.extend((build, change.file) for change in wanted)
        checks = (Check(f"compile {build}", "passed"), Check("checkpatch", "passed"))
        return {
            c.file: Proof(c.file, checks, (Gain(build, c.file, "f", COST, COST),))
            for c in wanted
        }

    monkeypatch.setattr(other_targets, "prepared", prepared)
    monkeypatch.setattr(other_targets, "check_changes", prove)
    monkeypatch.setattr(other_targets, "usual", lambda _: X86_64)
    return result


def extended(*names: str) -> dict[str, Proof]:
    todo = [Change(file, "old", "new", "diff") for file in X86]
    return other_targets.with_extra_targets(TREE, todo, X86, settings(*names))


def test_no_extra_targets(builds: list[tuple[str, str]]) -> None:
    assert extended() == X86 and builds == []


def test_the_default_target_is_not_compiled_twice(
    builds: list[tuple[str, str]],
) -> None:
    assert extended("x86-64") == X86 and builds == []


def test_results_of_an_extra_target_are_added(
    builds: list[tuple[str, str]],
) -> None:
    result = extended("arm64")
    assert builds == [("arm64", COMMON), ("arm64", OWN)]
    names = [check.name for check in result[COMMON].checks]
    assert names == ["compile x86-64", "compile arm64", "checkpatch"]
    assert [gain.target for gain in result[COMMON].gains] == ["arm64"]


def test_a_file_of_that_architecture_is_compiled(
    builds: list[tuple[str, str]],
) -> None:
    result = extended("arm64")[OWN]
    assert result.compiled
    assert [check.name for check in result.checks] == ["compile arm64", "checkpatch"]


def test_a_file_of_another_architecture_is_skipped(
    builds: list[tuple[str, str]],
) -> None:
    assert extended("i386")[OWN] == X86[OWN]
    assert builds == [("i386", COMMON)]


def test_all_skips_targets_without_a_compiler(
    builds: list[tuple[str, str]],
) -> None:
    result = extended(ALL)[COMMON]
    assert [name for name, file in builds if file == COMMON] == [
        name for name in NAMES if name not in ("x86-64", "powerpc-8xx")
    ]
    (missing,) = [check for check in result.checks if check.outcome == "skipped"]
    assert missing.detail == "no compiler: install one"


def test_a_named_target_needs_a_compiler(
    builds: list[tuple[str, str]],
) -> None:
    with pytest.raises(BuildError, match="install one"):
        extended("powerpc-8xx")


def test_a_tree_without_other_targets(
    builds: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_targets, "usual", lambda _: HOST)
    assert extended("arm64") == X86 and builds == []


def test_targets_of_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hotcocci.pipeline.proving.usual", lambda _: X86_64)

    def names(file: str, *also: str) -> list[str]:
        return [target.name for target in _targets(TREE, file, settings(*also))]

    assert names(COMMON) == ["x86-64"]
    assert names(COMMON, "arm64", "x86-64") == ["x86-64", "arm64"]
    assert names(OWN, "i386") == ["arm64"]
    assert names(COMMON, ALL) == list(NAMES)


def test_among() -> None:
    assert [t.name for t in among(["arm64", "i386"], COMMON)] == [
        name for name in NAMES if name in ("arm64", "i386")
    ]
    assert [t.name for t in among(["arm64", "i386"], OWN)] == ["arm64"]
    assert among([ALL], "arch/alpha/kernel/a.c") == ()
