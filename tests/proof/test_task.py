# SPDX-License-Identifier: GPL-2.0
"""A task gives the same result anywhere; failures count as not proven."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from hotcocci.findings import NOT_PROVEN, SAME, Execution
from hotcocci.proof import task as module
from hotcocci.proof.execution.compiled import (
    ExecutionError,
    NothingToRunError,
    NotCompiledError,
)
from hotcocci.proof.task import Task, from_json, to_json, work, work_apart
from hotcocci.tree.build import Build
from hotcocci.tree.command import Command
from hotcocci.tree.targets import TARGETS

FILE = "lib/part.c"
USERS = ("lib/user.c", "lib/other.c")


@pytest.fixture
def task(tmp_path: Path) -> Task:
    for file in (FILE, *USERS):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text("int x;\n")
    build = Build(
        tmp_path, tmp_path, TARGETS["x86-64"], ("-D__linux__",), ("--uaccess",)
    )
    commands = tuple(Command(file, ("gcc",)) for file in (FILE, *USERS))
    return Task(build, FILE, "int x;\n", "int y;\n", commands)


def test_json_round_trip(task: Task) -> None:
    assert from_json(json.loads(json.dumps(to_json(task)))) == task


def _outcomes(monkeypatch: pytest.MonkeyPatch, outcomes: dict[str, object]) -> None:
    """Set the result of running each file: a verdict, or an error."""

    def execute(build, command, *_others):  # type: ignore[no-untyped-def]
        outcome = outcomes[command.file]
        if isinstance(outcome, Exception):
            raise outcome
        return (Execution("x86-64", command.file, "f", str(outcome)),)

    monkeypatch.setattr(module, "execute", execute)
    monkeypatch.setattr(module, "processor_for", lambda build: object())


def test_an_included_file_need_not_compile_by_itself(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = {FILE: NotCompiledError("alone"), USERS[0]: SAME, USERS[1]: SAME}
    _outcomes(monkeypatch, outcomes)
    assert [e.unit for e in work(task)] == list(USERS)


def test_other_files_that_cannot_run_are_reported(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcomes = {FILE: SAME, USERS[0]: ExecutionError("why"), USERS[1]: SAME}
    _outcomes(monkeypatch, outcomes)
    results = {e.unit: (e.verdict, e.detail) for e in work(task)}
    assert results[USERS[0]] == (NOT_PROVEN, "why")
    assert results[USERS[1]] == (SAME, "")


def test_files_without_changed_code_count_only_alone(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    idle = NothingToRunError("no code")
    _outcomes(monkeypatch, {FILE: SAME, USERS[0]: idle, USERS[1]: idle})
    assert [e.unit for e in work(task)] == [FILE]
    _outcomes(monkeypatch, {FILE: idle, USERS[0]: idle, USERS[1]: idle})
    assert {e.verdict for e in work(task)} == {NOT_PROVEN}


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("sleep 60", "timed out after 0 s"),
        ("kill -SEGV $$", "the emulator was killed by signal 11"),
        ("echo odd >&2; exit 3", "it failed: odd"),
        ("exit 3", "it failed: no message"),
    ],
)
def test_a_failed_child_proves_nothing(
    task: Task,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    says: str,
) -> None:
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/bash\ncat >/dev/null\n{program}\n")
    os.chmod(fake, 0o755)
    monkeypatch.setattr(sys, "executable", str(fake))
    (results,) = work_apart(task, 0.3 if "sleep" in program else 30.0)
    assert (results.verdict, results.detail) == (NOT_PROVEN, says)
