# SPDX-License-Identifier: GPL-2.0
"""smatch output becomes reports, and failures a sentence that says what to do."""

import dataclasses

import pytest

from hotcocci.engines import smatch
from hotcocci.engines.smatch import CHECKS, ONLY, check, found
from hotcocci.errors import EngineError, EngineMissing
from hotcocci.tree.targets import TARGETS


@pytest.fixture
def fake_smatch(program, monkeypatch):
    """Write a stand-in for smatch that runs this shell script."""

    return lambda script: monkeypatch.setenv(
        "SMATCH", str(program("own/smatch", script))
    )


def test_it_runs_in_the_build_with_the_flags_of_the_file(unit, fake_smatch):
    fake_smatch('pwd > args; printf "%s\\n" "$@" >> args')
    assert check(unit) == ()
    where, *words = (unit.build.out / "args").read_text().splitlines()
    assert where == str(unit.build.out)
    assert words[0] == "-p=kernel"
    assert f"--enable={','.join((*CHECKS, ONLY))}" in words
    assert "--arch=x86_64" in words
    assert words[-3:] == ["-m64", "-DX=1", str(unit.source)]


@pytest.mark.parametrize("name", sorted(TARGETS))
def test_every_target_has_an_architecture(name, unit, fake_smatch):
    fake_smatch('echo "$@" > args')
    build = dataclasses.replace(unit.build, target=TARGETS[name])
    check(dataclasses.replace(unit, build=build))
    machine = smatch.MACHINES.get(TARGETS[name].arch)
    arguments = (unit.build.out / "args").read_text()
    assert (machine is None) == (not TARGETS[name].arch)
    assert machine is None or f"--arch={machine} " in arguments


def test_reports_have_paths_below_the_root(unit, fake_smatch):
    a, b = unit.source, unit.root / "fs/b.c"
    fake_smatch(
        f"""cat <<'END'
{a}:9 f() warn: UW02 user access is still open at return, opened on line 4
{a}:9 f() warn: UW02 user access is still open at return, opened on line 5
{a}:4 f() warn: UW01 if this begin fails, user_access_end on line 8 is still reached
{b}:3 g() warn: UW06 calling h while user access is open, opened on line 3
{a}:5 f() warn: variable dereferenced before check 'p'
/elsewhere/c.c:1 f() warn: UW21 unsafe_get_user outside of any window
./generated/d.h:1 f() warn: UW21 unsafe_get_user outside of any window
END"""
    )
    reports = check(unit)
    assert [(r.file, r.line, r.rule, r.function) for r in reports] == [
        ("fs/a.c", 4, "UW01", "f"),
        ("fs/a.c", 9, "UW02", "f"),
        ("fs/b.c", 3, "UW06", "g"),
    ]
    assert [[note.line for note in r.notes] for r in reports] == [[], [4], []]
    assert reports[2].message == "calling h while user access is open, opened on line 3"
    assert {r.engine for r in reports} == {"smatch"}


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("echo \"'user_access_balance' not found\"; exit 1", "checkers install"),
        ("echo 'Error: no data'; exit 1", "Error: no data"),
        ("exit 1", "no message"),
        ("echo \"a.c:1:2: error: unable to open 'x.h'\" >&2", "unable to open 'x.h'"),
        ("echo 'a.c:1:2: error: too many errors' >&2", "too many errors"),
    ],
)
def test_a_failure_is_one_sentence(script, message, unit, fake_smatch):
    fake_smatch(script)
    with pytest.raises(EngineError, match=message) as raised:
        check(unit)
    assert "\n" not in str(raised.value)
    assert ": " in str(raised.value)


def test_a_missing_smatch_is_an_error_with_advice(unit, monkeypatch):
    monkeypatch.delenv("SMATCH", raising=False)
    monkeypatch.setenv("PATH", "/nonexistent")
    with pytest.raises(EngineError, match="no smatch.*checkers install --smatch DIR"):
        check(unit)
    monkeypatch.setenv("SMATCH", "/nonexistent/smatch")
    with pytest.raises(EngineError, match="SMATCH=/nonexistent/smatch is no program"):
        check(unit)


def test_the_variable_overrides_the_path(fake_smatch, tmp_path, monkeypatch, program):
    fake_smatch("exit 0")
    other = program("smatch", "")
    assert found() == str(tmp_path / "bin/own/smatch")
    monkeypatch.delenv("SMATCH")
    assert found() == str(other)


def test_a_copy_that_does_not_find_its_data_is_refused(fake_smatch):
    checks = " ".join(f"check_{name}" for name in (*CHECKS, ONLY))
    script = f"case $1 in --show-checks) echo '{checks}' ;; *) {{}} ;; esac"
    fake_smatch(script.format("true"))
    assert smatch.program() and smatch.problem() == ""
    fake_smatch(script.format("echo 'warn: /x/smatch_data/ is not accessible.'"))
    with pytest.raises(EngineMissing, match="does not find its directory smatch_data"):
        smatch.program()
    assert "put a link" in smatch.problem()


def test_a_program_without_the_checkers_is_refused(monkeypatch):
    monkeypatch.setenv("SMATCH", "/bin/true")
    with pytest.raises(EngineMissing, match="lacks the user access checkers"):
        smatch.program()
