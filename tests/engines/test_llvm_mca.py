# SPDX-License-Identifier: GPL-2.0
"""Rates from llvm-mca, if it is installed."""

from __future__ import annotations

import pytest

from hotcocci.engines import llvm_mca
from hotcocci.engines.llvm_mca import program, rates

X86 = ".intel_syntax noprefix"
PRODUCTS = ("imul rax, rax",) * 8
APART = tuple(f"mov r{n}, {n}" for n in range(8, 16))

needs_mca = pytest.mark.skipif(program() is None, reason="needs llvm-mca")


@needs_mca
def test_units_limit_the_rate() -> None:
    products, apart = rates("x86_64", "znver3", X86, [PRODUCTS, APART])
    assert products is not None and apart is not None
    assert products <= 1 < apart


@needs_mca
def test_what_cannot_be_read_is_left_out() -> None:
    found = rates("x86_64", "znver3", X86, [(*PRODUCTS, "nonsense"), ()])
    assert found[0] == rates("x86_64", "znver3", X86, [PRODUCTS])[0]
    assert found[1] is None


def test_without_the_program_there_is_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm_mca, "program", lambda: None)
    assert rates("x86_64", "znver3", X86, [PRODUCTS]) == [None]
