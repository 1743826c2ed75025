# SPDX-License-Identifier: GPL-2.0
"""Each operation is a program that compiles and says what it measures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hotcocci.bench.catalogue import (
    Operation,
    catalogue,
    of_machine,
)
from hotcocci.bench.machines import X86_64
from hotcocci.bench.program import program
from hotcocci.errors import UserError

LONGEST = 60


def test_each_operation_describes_itself() -> None:
    for operation in catalogue():
        assert operation.unit and operation.reaches
        assert all(size > 0 for size in operation.sizes)
        assert len(operation.source.read_text().splitlines()) <= LONGEST


def test_a_machine_has_its_own_operations() -> None:
    assert of_machine(X86_64) == catalogue()
    other = replace(X86_64, target=replace(X86_64.target, name="other-bench"))
    names = [operation.name for operation in of_machine(other)]
    assert "epoll_wait" in names and "stat_32" not in names


def test_functions_that_an_operation_must_call_have_other_names_elsewhere() -> None:
    reaches = ("sys_rseq", "old|new", "__ia32_compat_sys_times")
    operation = Operation("f", "call", (1,), reaches, ())
    here = {"__x64_sys_rseq", "new", "__ia32_compat_sys_times"}
    there = {"__arm64_sys_rseq", "__do_sys_rseq", "old"}
    assert operation.missed(here) == []
    assert operation.missed(there) == ["__ia32_compat_sys_times"]
    assert operation.missed(here - {"__x64_sys_rseq", "new"}) == ["sys_rseq", "old|new"]


@pytest.mark.build
def test_all_operations_compile(tmp_path: Path) -> None:
    assert program(catalogue(), tmp_path, X86_64).is_file()


def test_an_operation_that_does_not_compile_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.c").write_text("int broken(void) { return 1 }\n")
    monkeypatch.setattr("hotcocci.bench.catalogue.FOLDER", tmp_path)
    with pytest.raises(UserError, match=r"do not compile: .*broken\.c"):
        program([Operation("broken", "call", (1,), ("f",), ())], tmp_path, X86_64)
