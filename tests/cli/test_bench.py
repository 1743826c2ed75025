# SPDX-License-Identifier: GPL-2.0
"""``bench`` compares stored tables, and names what grew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from hotcocci.bench import run as benching
from hotcocci.bench.counts import Count, Row, Table
from hotcocci.bench.run import Compared
from hotcocci.cli.main import main
from hotcocci.output import bench as output

FIXTURES = Path(__file__).resolve().parents[2] / "kernel-fixtures"
Stored = Callable[..., str]
ROW = ("epoll_wait", 64)


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
        "epoll_wait  64    100.2      84.5   -15.7%  -0.2 per event",
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


@pytest.mark.parametrize(
    ("functions", "data", "status", "said"),
    [
        ({"put": (ROW,)}, (), 1, "grew by 50 instructions, more than 20"),
        ({"put": ()}, ("level",), 1, "grew by 50 instructions, more than 20"),
        (
            {"put": ()},
            (),
            0,
            "grew by 50 instructions, but runs no changed function: not counted",
        ),
    ],
)
def test_what_runs_no_changed_function_is_not_counted(
    functions: dict[str, tuple[Row, ...]],
    data: tuple[str, ...],
    status: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    tables = [
        Table("instructions", "", {ROW: Count(value, value, value, 64)}, {})
        for value in (200, 250)
    ]
    found = Compared(tables[0], tables[1], ({}, {}), functions, data)
    monkeypatch.setattr(benching, "compared", lambda *_: found)
    (tmp_path / "a.diff").write_text(
        "--- /dev/null\n+++ b/fs/new.c\n@@ -0,0 +1 @@\n+int new;\n"
    )
    tree = ["--tree", str(FIXTURES / "classic"), "--diff", str(tmp_path / "a.diff")]
    assert main(["bench", *tree, "--fail-above", "20"]) == status
    assert capsys.readouterr().err == f"hotcocci: epoll_wait 64 {said}\n"


@pytest.mark.whole
def test_rewrites_that_are_not_offered_are_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tree = FIXTURES / "classic"
    file = str(tree / "include/linux/uaccess.h")
    assert main(["bench", "--tree", str(tree), "--rewrites", file]) == 2
    said = f"hotcocci: no rewrite is offered in {file}: "
    assert capsys.readouterr().err.startswith(said)


def test_what_breaks_is_said(
    stored: Stored, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    old = stored("old", 228, "instructions")
    broken = json.loads(Path(stored("new", 228, "instructions")).read_text())
    broken["counts"][0][-1] = -14
    (tmp_path / "new").write_text(json.dumps(broken))
    tables = ["--against", old, "--table", str(tmp_path / "new")]
    assert main(["bench", *tables]) == 1
    assert "epoll_wait 64 returns -14, not 64" in capsys.readouterr().out


def test_what_cannot_be_compared_is_refused_at_once(
    stored: Stored, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def said(*argv: str) -> str:
        assert main(["bench", "--tree", str(tmp_path), *argv]) == 2
        return capsys.readouterr().err

    table = stored("table", 80)
    assert "--fail-above compares" in said("--table", table, "--fail-above", "1")
    assert "--faults compares two kernels" in said("--faults")
    twice = said("--against", table, "--diff", "x.diff")
    assert "--against compares with a table" in twice
    assert "cannot read" in said("--against", str(tmp_path / "none"))
    assert "it is in no folder" in said("--save", str(tmp_path / "no/table"))
    assert "it is a folder" in said("--save", str(tmp_path))
    assert "omit --target" in said("--native", "--target", "arm64")
    assert "there is no operation sync" in said("sync")
    assert "there is no operation sync" in said("--rewrites", "sound", "sync")
    assert "'nan' is not a number" in said("--fail-above", "nan")


@pytest.mark.parametrize("target", ["arm64", "powerpc-e500"])
def test_what_a_target_lacks_here_is_one_line(
    target: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    tree = str(FIXTURES / "classic")
    assert main(["bench", "--tree", tree, "--target", target]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"hotcocci: bench --target {target} needs qemu-system-")
    assert ": apt install qemu-system-" in line
    with pytest.raises(SystemExit) as ended:
        main(["bench", "--help"])
    assert ended.value.code == 0
    assert target in capsys.readouterr().out


def test_two_tables_as_json(stored: Stored, capsys: pytest.CaptureFixture[str]) -> None:
    tables = ["--against", stored("old", 84.5), "--table", stored("new", 100.5)]
    assert main(["bench", *tables, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = [found[side]["counts"][0][2] for side in ("before", "after")]
    assert values == [84.5, 100.5]


def test_tables_of_other_units_and_other_files_are_no_tables(
    stored: Stored, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    counted = stored("counted", 7729, "instructions")
    assert main(["bench", "--against", counted, "--table", stored("ns", 80)]) == 2
    assert "counted has instructions, and this run ns" in capsys.readouterr().err
    (tmp_path / "other").write_text("{}")
    assert main(["bench", "--table", str(tmp_path / "other")]) == 2
    assert "is no table of bench: write it with --save" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["patch", "prove"])
def test_a_kernel_that_cannot_boot_is_known_at_once(
    command: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([command, "--bench", str(FIXTURES / "classic")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hotcocci: bench --target x86-64 needs qemu-system-")
