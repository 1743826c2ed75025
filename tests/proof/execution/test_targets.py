# SPDX-License-Identifier: GPL-2.0
"""The comparison for all inputs on other targets than x86-64: no wrong rewrite is proven."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted import Planted, planted, rewritten, run

from hotcocci.findings import DIFFERENT
from hotcocci.proof.symbolic.answer import PROVEN

# Every third planted case, and every eighth case of a rewrite.
TARGETS = ("arm64", "powerpc-8xx")
PLANTED, EVERY = 3, 8
# Contains x86 assembly.
# The last two are right elsewhere: divisions do not trap, and tracers are not called.
X86 = {
    "instruction-unknown",
    "feature-instruction",
    "feature-other",
    "feature-path-changed",
    "feature-path-kept",
    "division-overflows",
    "traced",
}
# Correct but not proven: C code instead of the exception table zeroes values that fail to load, and two
# lines have the same code.
UNPROVEN = {
    "arm64": {"destination-shared", "late-load", "line-number", "warning-entry"},
    "powerpc-8xx": {"destination-shared", "late-load", "line-number", "warning-entry"},
}
# Correct rewrites that are not proven where access_ok() looks at the size (x86-64 looks at the start): an object
# that ends outside of user space is refused before its first member, which others than errors tell.
PARTLY_OUTSIDE = {"copy-whole", "exit-break", "ifs-goto-out", "loop-array-size"}
# Correct rewrites that arm64 proves for up to three turns of their loop only.
FEW_TURNS = {"loop-member-array"}
# Correct without SMP and preemption: barriers between CPUs compile to nothing (asm/barrier.h), as
# preempt_enable() does.
RIGHT = {
    "arm64": set[str](),
    "powerpc-8xx": {"fence-dropped", "preemption-early"},
}


def is_proven(linux_tree: Path, folder: Path, case: Planted, target: str) -> bool:
    """Whether every function of a case is proven."""
    results = run(linux_tree, folder, case, target)
    assert results, case.name
    return all(e.answer.verdict == PROVEN and not e.answer.turns for e in results)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "case",
    [case for case in planted() if case.name not in X86][::PLANTED],
    ids=lambda case: case.name,
)
def test_verdicts(linux_tree: Path, tmp_path: Path, case: Planted, target: str) -> None:
    proven = is_proven(linux_tree, tmp_path, case, target)
    if case.verdict == DIFFERENT:
        assert not proven or case.name in RIGHT[target]
    elif case.proven:
        assert proven is (case.name not in UNPROVEN[target])


@pytest.mark.parametrize("target", (*TARGETS, "powerpc-book3s32"))
@pytest.mark.parametrize("case", rewritten()[::EVERY], ids=lambda case: case.name)
def test_rewrites(linux_tree: Path, tmp_path: Path, case: Planted, target: str) -> None:
    if case.proven and case.name not in PARTLY_OUTSIDE | FEW_TURNS:
        assert is_proven(linux_tree, tmp_path, case, target)
