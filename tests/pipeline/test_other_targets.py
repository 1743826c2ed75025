# SPDX-License-Identifier: GPL-2.0
"""Checks on targets other than x86-64: those asked for, and a file's own."""

from collections.abc import Callable

import pytest

from hotcocci.findings import Change, Check, Proof
from hotcocci.pipeline.checks import with_extra_targets
from hotcocci.pipeline.proving import _targets
from hotcocci.pipeline.settings import Settings
from hotcocci.proof.gate import FOREIGN
from hotcocci.tree.build import BuildError
from hotcocci.tree.kernel import Tree
from hotcocci.tree.targets import ALL, NAMES, among

COMMON, OWN = "fs/a.c", "arch/arm64/kernel/a.c"
OLD = "int f(int *p)\n{\n\tp[0] += 1;\n\treturn p[1];\n}\n"
NEW = OLD.replace("+=", "-=")
X86 = {
    COMMON: Proof(COMMON, (Check("compile x86-64", "passed"),)),
    OWN: Proof(OWN, (Check("compile x86-64", "skipped", f"{FOREIGN} than x86-64"),)),
}

Extended = Callable[..., dict[str, Proof]]


@pytest.fixture
def tree(small_kernel) -> Tree:
    return small_kernel({COMMON: OLD, OWN: OLD})


@pytest.fixture
def extended(tree, tmp_path) -> Extended:
    """Add the checks for targets of these names to the proofs for x86-64."""
    todo = [Change(file, OLD, NEW) for file in X86]

    def extend(*names: str) -> dict[str, Proof]:
        settings = Settings(jobs=1, extra_targets=names, cache_dir=tmp_path / "cache")
        return with_extra_targets(tree, todo, X86, settings)

    return extend


def compiled(proof: Proof) -> list[str]:
    """The targets that a file was compiled for."""
    return [
        check.name.removeprefix("compile ")
        for check in proof.checks
        if check.name.startswith("compile ") and check.outcome == "passed"
    ]


@pytest.mark.parametrize("names", [(), ("x86-64",)])
def test_a_file_of_another_architecture_is_compiled_for_that(extended, names):
    result = extended(*names)
    assert result[COMMON] == X86[COMMON]
    assert compiled(result[OWN]) == ["arm64"]
    assert not any(FOREIGN in check.detail for check in result[OWN].checks)


def test_results_of_an_extra_target_are_added_to_files_that_it_compiles(extended):
    result = extended("arm64")[COMMON]
    assert compiled(result) == ["x86-64", "arm64"]
    assert [(gain.target, gain.function) for gain in result.gains] == [("arm64", "f")]
    result = extended("i386")
    assert compiled(result[OWN]) == ["arm64"]
    assert compiled(result[COMMON]) == ["x86-64", "i386"]


def test_all_skips_targets_without_a_compiler(extended, without):
    without(["powerpc-linux-gnu-gcc"])
    # One that is named needs it.
    with pytest.raises(BuildError, match="install them"):
        extended("powerpc-8xx")
    result = extended(ALL)[COMMON]
    details = {check.name: check.detail for check in result.checks}
    missing = {n: d for n, d in details.items() if "powerpc-linux-gnu-gcc" in d}
    absent = {"powerpc-8xx", "powerpc-book3s32"}
    assert set(missing) == {f"compile {name}" for name in absent}
    assert all("install them" in detail for detail in missing.values())
    assert compiled(result) == [name for name in NAMES if name not in absent]


def test_targets_of_a_proof(tree):
    def names(file: str, *also: str) -> list[str]:
        settings = Settings(extra_targets=also)
        return [target.name for target in _targets(tree, file, settings)]

    assert names(COMMON) == ["x86-64"]
    assert names(COMMON, "arm64", "x86-64") == ["x86-64", "arm64"]
    assert names(OWN, "i386") == ["arm64"]
    assert names(COMMON, ALL) == list(NAMES)


def test_among():
    assert [t.name for t in among(["arm64", "i386"], COMMON)] == [
        name for name in NAMES if name in ("arm64", "i386")
    ]
    assert [t.name for t in among(["arm64", "i386"], OWN)] == ["arm64"]
    assert among([ALL], "arch/alpha/kernel/a.c") == ()
