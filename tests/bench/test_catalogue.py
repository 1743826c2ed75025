# SPDX-License-Identifier: GPL-2.0
"""Each operation is a program that compiles and says what it measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.bench.catalogue import FOLDER, Operation, catalogue, chosen
from hotcocci.bench.program import program
from hotcocci.errors import UserError

LONGEST = 60


def test_each_operation_describes_itself() -> None:
    for operation in catalogue():
        assert operation.unit and operation.reaches
        assert all(size > 0 for size in operation.sizes)
        assert len(operation.source.read_text().splitlines()) <= LONGEST


def test_patterns_choose_operations() -> None:
    names = [operation.name for operation in chosen(["epoll_*", "getppid"])]
    assert names == ["epoll_wait", "getppid"]
    assert len(chosen([])) == len(list(FOLDER.glob("*.c"))) - 1


def test_an_unknown_operation_is_an_error() -> None:
    with pytest.raises(UserError, match="there is no operation sync"):
        chosen(["sync"])


@pytest.mark.build
def test_all_operations_compile(tmp_path: Path) -> None:
    assert program(catalogue(), tmp_path).is_file()


def test_an_operation_that_does_not_compile_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken.c").write_text("int broken(void) { return 1 }\n")
    monkeypatch.setattr("hotcocci.bench.catalogue.FOLDER", tmp_path)
    with pytest.raises(UserError, match=r"do not compile: .*broken\.c"):
        program([Operation("broken", "call", (1,), ("f",), ())], tmp_path)
