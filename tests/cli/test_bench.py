# SPDX-License-Identifier: GPL-2.0
"""``bench`` compares stored tables, and names what grew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.bench.counts import Count, Table
from hotcocci.cli.main import main
from hotcocci.output import bench as output

Stored = Callable[..., str]


@pytest.fixture
def stored(tmp_path: Path) -> Stored:
    """Write a table of epoll_wait(64) and getppid()."""

    def write(name: str, value: float, unit: str = "ns") -> str:
        counts = {
            ("epoll_wait", 64): Count(value, value, value, 64),
            ("getppid", 1): Count(108.8, 100, 110, 1),
        }
        (tmp_path / name).write_text(output.document(Table(unit, name, counts, {})))
        return str(tmp_path / name)

    return write


def test_two_tables_are_compared(
    stored: Stored, capsys: pytest.CaptureFixture[str]
) -> None:
    tables = ["--against", stored("6.1", 100.2), "--table", stored("6.12", 84.5)]
    assert main(["bench", *tables]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "operation   size  ns before  after          per unit",
        "epoll_wait  64    100.2      84.5   -15.7%  -0.2 per ready descriptor",
        "1 of 2 operations changed, 1 the same",
        "before: 6.1",
        "after: 6.12",
    ]


def test_what_grew_is_named(stored: Stored, capsys: pytest.CaptureFixture[str]) -> None:
    tables = ["--against", stored("old", 84.5), "--table", stored("new", 100.5)]
    assert main(["bench", *tables, "--fail-above", "16"]) == 0
    assert main(["bench", *tables, "--fail-above", "15.5"]) == 1
    said = "hotcocci: epoll_wait 64 grew by 16 ns, more than 15.5\n"
    assert capsys.readouterr().err == said


def test_nothing_is_shown_of_what_is_the_same(
    stored: Stored, capsys: pytest.CaptureFixture[str]
) -> None:
    table = stored("same", 84.5)
    assert main(["bench", "--against", table, "--table", table]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "0 of 2 operations changed, 2 the same",
        "same",
    ]


def test_tables_of_other_units_and_other_files_are_no_tables(
    stored: Stored, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    counted = stored("counted", 7729, "instructions")
    assert main(["bench", "--against", counted, "--table", stored("ns", 80)]) == 2
    assert "counted has instructions, and this run ns" in capsys.readouterr().err
    (tmp_path / "other").write_text("{}")
    assert main(["bench", "--table", str(tmp_path / "other")]) == 2
    assert "is no table of bench: write it with --save" in capsys.readouterr().err
