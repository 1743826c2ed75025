# SPDX-License-Identifier: GPL-2.0
"""``rules`` and ``doctor``, and bad input to any command."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hotcocci.cli import doctor
from hotcocci.cli.main import COMMANDS, main
from hotcocci.rules.rulebook import REASONS, RULES

HOME = Path(__file__).parents[2]


def test_rules(run, capsys):
    assert run("rules") == 0
    codes = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert codes == [rule.code for rule in RULES]
    assert run("rules", "ua102") == 0
    assert capsys.readouterr().out.startswith("UA102: loop of user accesses\n")
    assert run("rules", "--reasons") == 0
    output = capsys.readouterr().out
    assert all(f"{code} " in output for code in REASONS)
    assert run("rules", "UA999") == 2
    assert "UA999" in capsys.readouterr().err


def test_doctor(run, capsys, monkeypatch):
    assert run("doctor") == 0
    assert "spatch" in capsys.readouterr().out
    monkeypatch.setenv("PATH", "/nowhere")
    assert run("doctor") == 2
    out = capsys.readouterr().out
    assert "apt-get install coccinelle" in out and "without it: " in out
    assert "\n".join(doctor.from_the_tree()) in out


@pytest.mark.parametrize("compiler, status", [(None, 2), ("gcc", 0), ("clang-19", 0)])
def test_doctor_needs_a_compiler(tmp_path, compiler, status):
    for name in filter(None, ("spatch", compiler)):
        (tmp_path / name).symlink_to("/bin/true")
    argv = [sys.executable, HOME / "run.py", "doctor"]
    ran = subprocess.run(
        argv, env={"PATH": str(tmp_path)}, capture_output=True, check=False
    )
    assert ran.returncode == status


def test_what_each_command_runs_from_the_tree():
    rows = ["| command | runs from the tree | writes |", "|---|---|---|"]
    for names, *others in doctor.TABLE:
        # Words after the options of a command stay text.
        words = (name.partition(" with ") for name in names.split(", "))
        said = ", ".join(f"`{word}`{link}{rest}" for word, link, rest in words)
        rows.append(f"| {said} | {' | '.join(others)} |")
    table = "\n".join(rows) + "\n"
    assert table in (HOME / "README.md").read_text(encoding="utf-8")
    assert {
        name.split()[0] for names, *_ in doctor.TABLE for name in names.split(", ")
    } == {*COMMANDS}
    said = " ".join(" ".join(doctor.from_the_tree()).split())
    assert "patch, prove, loads, check with any other engine: its Makefiles" in said
    assert "lsp, rules, doctor, cache" in said and "checkers build: nothing" in said


def test_doctor_says_what_cannot_be_used(run, capsys, monkeypatch, program):
    for name, version in (("spatch", "1.0.4"), ("smatch", "0.6.4")):
        program(name, f"echo version {version}")
    monkeypatch.delenv("SMATCH", raising=False)
    assert run("doctor") == 0
    lines = capsys.readouterr().out.splitlines()
    (spatch,) = (line for line in lines if line.startswith("spatch "))
    assert "1.0.4" in spatch and spatch.endswith("(tested with 1.1.1)")
    (smatch,) = (line for line in lines if line.startswith("smatch "))
    assert "unusable" in smatch and "lacks the user access checkers" in smatch


@pytest.mark.parametrize(
    "line",
    [
        *("lint /dev", "lint /no/such/path", "lint --rule XX1", "lint --jobs 0"),
        *("lint --min-run many", "lint --no-such-option", "lint --cache-dir fs"),
        *("lint --rule UA101\u2028UA102", "patch a.txt", "frobnicate", ""),
        *("loads fs --annotate nowhere.txt", "loads fs --annotate fs/a.c"),
    ],
)
def test_bad_input_is_one_line(small_tree, tmp_path, capsys, monkeypatch, line):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    root = small_tree({"a.txt": "", "fs/a.c": "int x;\n"})
    monkeypatch.chdir(root)
    before = sorted(os.walk(root))
    assert main([word.replace("\u2028", "\n") for word in line.split(" ") if word]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("hotcocci: ") and err.count("\n") == 1
    assert sorted(os.walk(root)) == before
