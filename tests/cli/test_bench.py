# SPDX-License-Identifier: GPL-2.0
"""``bench`` compares stored tables, and names what grew."""

import json
from pathlib import Path

import pytest

from hotcocci.bench import run as benching
from hotcocci.bench.counts import Count, Table
from hotcocci.bench.run import Compared
from hotcocci.cli.main import main
from hotcocci.output import bench as output
from tests.shared import FIXTURES

ROW = ("epoll_wait", 64)


@pytest.fixture
def stored(tmp_path):
    """Write a table of epoll_wait(64) and getppid()."""

    def write(name, value, unit="ns"):
        counts = {
            ("epoll_wait", 64): Count(value, value, value, 64),
            ("getppid", 1): Count(108.8, 100, 110, 1),
        }
        (tmp_path / name).write_text(output.document(Table(unit, name, counts, {})))
        return str(tmp_path / name)

    return write


def test_two_tables_are_compared(stored, capsys):
    tables = ["--against", stored("6.1", 100.2), "--table", stored("6.12", 84.5)]
    assert main(["bench", *tables]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "operation   size  ns before  after          per unit",
        "epoll_wait  64    100.2      84.5   -15.7%  -0.2 per event",
        "1 of 2 operations changed, 1 the same",
        "before: 6.1",
        "after: 6.12",
    ]


def test_what_grew_is_named(stored, capsys):
    tables = ["--against", stored("old", 84.5), "--table", stored("new", 100.5)]
    assert main(["bench", *tables, "--fail-above", "16"]) == 0
    assert main(["bench", *tables, "--fail-above", "15.5"]) == 1
    said = "hotcocci: epoll_wait 64 grew by 16 ns, more than 15.5\n"
    assert capsys.readouterr().err == said
    assert main(["bench", *tables, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    values = [found[side]["counts"][0][2] for side in ("before", "after")]
    assert values == [84.5, 100.5]
    # What breaks is said, too.
    old, new = (stored(name, 228, "instructions") for name in ("old", "new"))
    broken = json.loads(Path(new).read_text())
    broken["counts"][0][-1] = -14
    Path(new).write_text(json.dumps(broken))
    assert main(["bench", "--against", old, "--table", new]) == 1
    assert "epoll_wait 64 returns -14, not 64" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("functions", "data", "status", "said"),
    [
        ({"put": (ROW,)}, (), 1, "more than 20"),
        ({"put": ()}, ("level",), 1, "more than 20"),
        ({"put": ()}, (), 0, "but runs no changed function: not counted"),
    ],
)
def test_what_runs_no_changed_function_is_not_counted(
    functions, data, status, said, capsys, monkeypatch, tmp_path
):
    tables = [
        Table("instructions", "", {ROW: Count(value, value, value, 64)}, {})
        for value in (200, 250)
    ]
    found = Compared(tables[0], tables[1], ({}, {}), functions, data)
    monkeypatch.setattr(benching, "compared", lambda *_: found)
    diff = tmp_path / "a.diff"
    diff.write_text("--- /dev/null\n+++ b/fs/new.c\n@@ -0,0 +1 @@\n+int new;\n")
    tree = ["--tree", str(FIXTURES / "classic"), "--diff", str(diff)]
    assert main(["bench", *tree, "--fail-above", "20"]) == status
    grew = f"hotcocci: epoll_wait 64 grew by 50 instructions, {said}\n"
    assert capsys.readouterr().err == grew


@pytest.mark.whole
def test_rewrites_that_are_not_offered_are_said(capsys):
    tree = FIXTURES / "classic"
    file = str(tree / "include/linux/uaccess.h")
    assert main(["bench", "--tree", str(tree), "--rewrites", file]) == 2
    said = f"hotcocci: no rewrite is offered in {file}: "
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.parametrize("target", ["arm64", "powerpc-e500"])
def test_what_a_target_lacks_here_is_one_line(target, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["bench", "--tree", str(FIXTURES / "classic"), "--target", target]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"hotcocci: bench --target {target} needs qemu-system-")
    assert ": apt install qemu-system-" in line
    with pytest.raises(SystemExit) as ended:
        main(["bench", "--help"])
    assert ended.value.code == 0
    assert target in capsys.readouterr().out


def test_tables_of_other_units_are_not_compared(stored, capsys):
    counted = stored("counted", 7729, "instructions")
    assert main(["bench", "--against", counted, "--table", stored("ns", 80)]) == 2
    assert "counted has instructions, and this run ns" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["patch", "prove"])
def test_a_kernel_that_cannot_boot_is_known_at_once(
    command, capsys, monkeypatch, tmp_path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([command, "--bench", str(FIXTURES / "classic")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("hotcocci: bench --target x86-64 needs qemu-system-")
