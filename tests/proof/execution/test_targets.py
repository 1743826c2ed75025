# SPDX-License-Identifier: GPL-2.0
"""The comparison for all inputs on other targets than x86-64: no wrong rewrite is proven."""

from __future__ import annotations

from pathlib import Path

import pytest
from planted import Planted, is_drawn, planted, rewritten, run

from hotcocci.findings import DIFFERENT, PROVEN

pytestmark = pytest.mark.slow

# All cases ran once (benchmarks/results/by-hand.md).
TARGETS = ("arm64", "powerpc-8xx")
PLANTED, REWRITTEN = 12, 16
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
# Correct but not proven: C code instead of the exception table zeroes values that fail to load, also where
# access_ok() fails; two lines have the same code; __copy_to_user() and __put_user() check differently.
ELSEWHERE = {
    "copy-inline-as-store",
    "destination-shared",
    "late-load",
    "line-number",
    "line-number-in-name",
    "result-tells-of-fault",
    "warning-entry",
}
# Correct rewrites that are proven on x86-64 alone. access_ok() looks at the start of an object there, and at its
# size elsewhere: one that ends outside of user space is refused before its first member, or with fewer bytes is not.
PARTLY_OUTSIDE = {
    "arithmetic-between",
    "check-chain",
    "check-get",
    "check-later",
    "compute-between",
    "copy-whole",
    "declaration-tested",
    "destination-member",
    "exit-at-end",
    "exit-break",
    "guard-same-scope",
    "ifdef-around-both",
    "ifs-braced-goto",
    "ifs-goto-out",
    "loop-array-size",
    "pointer-advances-once",
    "struct-copy-between",
    "two-windows",
}
# The zero that a failed load leaves looks like any other, as above.
ZERO = {"destination-global"}
# Another access than the one that faulted may have stored, for all that is known.
STOPPED = {"accumulate-copy-joins"}
# Code for 64 bits alone.
LEFT_OUT = {"compat-branches", "ifdef-around", "ifdef-around-both", "ifdef-else-around"}
UNPROVEN = {
    "arm64": PARTLY_OUTSIDE | ZERO | STOPPED,
    "powerpc-8xx": PARTLY_OUTSIDE | ZERO | STOPPED | LEFT_OUT,
    "powerpc-book3s32": PARTLY_OUTSIDE | ZERO | STOPPED | LEFT_OUT,
}
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
    return all(e.verdict == PROVEN for e in results if e.unseen is None)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(
    "case",
    [c for c in planted() if is_drawn(c, PLANTED) and c.name not in X86],
    ids=lambda case: case.name,
)
def test_verdicts(linux_tree: Path, tmp_path: Path, case: Planted, target: str) -> None:
    proven = is_proven(linux_tree, tmp_path, case, target)
    if case.verdict == DIFFERENT:
        assert not proven or case.name in RIGHT[target]
    elif case.verdict == PROVEN:
        assert proven is (case.name not in ELSEWHERE)


@pytest.mark.parametrize("target", (*TARGETS, "powerpc-book3s32"))
@pytest.mark.parametrize(
    "case",
    [case for case in rewritten() if is_drawn(case, REWRITTEN)],
    ids=lambda case: case.name,
)
def test_rewrites(linux_tree: Path, tmp_path: Path, case: Planted, target: str) -> None:
    if case.verdict == PROVEN and case.name not in UNPROVEN[target]:
        assert is_proven(linux_tree, tmp_path, case, target)
