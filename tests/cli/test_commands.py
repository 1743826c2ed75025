# SPDX-License-Identifier: GPL-2.0
"""``rules`` and ``doctor``."""

import pytest

from hotcocci.cli import doctor
from hotcocci.cli.main import COMMANDS
from hotcocci.rules.rulebook import REASONS, RULES
from tests.shared import PROGRAM, ROOT, launch


def test_rules(said):
    code, out, _ = said("rules")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == [r.code for r in RULES]
    assert said("rules", "ua102")[1].startswith("UA102: loop of user accesses\n")
    out = said("rules", "--reasons")[1]
    assert all(f"{code} " in out for code in REASONS)


def test_doctor(said, monkeypatch):
    code, out, _ = said("doctor")
    assert code == 0 and "spatch" in out
    monkeypatch.setenv("PATH", "/nowhere")
    code, out, _ = said("doctor")
    assert code == 2
    assert "apt-get install coccinelle" in out and "without it: " in out
    assert "\n".join(doctor.from_the_tree()) in out


@pytest.mark.parametrize("compiler, status", [(None, 2), ("gcc", 0), ("clang-19", 0)])
def test_doctor_needs_a_compiler(tmp_path, compiler, status):
    for name in filter(None, ("spatch", compiler)):
        (tmp_path / name).symlink_to("/bin/true")
    ran = launch([*PROGRAM, "doctor"], env={"PATH": str(tmp_path)})
    assert ran.returncode == status


def test_what_each_command_runs_from_the_tree():
    rows = ["| command | runs from the tree | writes |", "|---|---|---|"]
    for names, *others in doctor.TABLE:
        # Words after the options of a command stay text.
        words = (name.partition(" with ") for name in names.split(", "))
        said = ", ".join(f"`{word}`{link}{rest}" for word, link, rest in words)
        rows.append(f"| {said} | {' | '.join(others)} |")
    table = "\n".join(rows) + "\n"
    assert table in (ROOT / "README.md").read_text(encoding="utf-8")
    assert {
        name.split()[0] for names, *_ in doctor.TABLE for name in names.split(", ")
    } == {*COMMANDS}
    said = " ".join(" ".join(doctor.from_the_tree()).split())
    assert "patch, prove, loads, check with any other engine: its Makefiles" in said
    assert "lsp, rules, doctor, cache" in said and "checkers build: nothing" in said


def test_doctor_says_what_cannot_be_used(said, monkeypatch, program):
    for name, version in (("spatch", "1.0.4"), ("smatch", "0.6.4")):
        program(name, f"echo version {version}")
    monkeypatch.delenv("SMATCH", raising=False)
    code, out, _ = said("doctor")
    lines = {line.split(" ")[0]: line for line in out.splitlines()}
    spatch, smatch = lines["spatch"], lines["smatch"]
    assert code == 0
    assert "1.0.4" in spatch and spatch.endswith("(tested with 1.1.1)")
    assert "unusable" in smatch and "lacks the user access checkers" in smatch
