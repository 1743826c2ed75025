# SPDX-License-Identifier: GPL-2.0
"""External programs end when they should, with a controlled environment."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run, with_parent


def test_output_and_exit_status(tmp_path: Path) -> None:
    outcome = run(
        ["sh", "-c", "cat; echo bad >&2; exit 3"], tmp_path, 60, stdin="in \xe9\n"
    )
    assert (outcome.status, outcome.out, outcome.err) == (3, "in \xe9\n", "bad\n")


def test_the_environment_is_not_inherited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MAKEFLAGS", "ARCH", "KCFLAGS", "LANGUAGE", "OBJTOOL_ARGS"):
        monkeypatch.setenv(name, "of the caller")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    seen = run(["env"], tmp_path, 60, extra={"ADDED": "yes"}).out.splitlines()
    assert not [line for line in seen if "of the caller" in line]
    assert {"LC_ALL=C", "ADDED=yes"} <= set(seen)


def test_a_timeout_kills_children_too(tmp_path: Path) -> None:
    script = f"sleep 1000 & echo $! > {tmp_path / 'child'}; wait"
    start = time.monotonic()
    outcome = run(["sh", "-c", script], tmp_path, 0.5)
    assert outcome.status is None
    assert time.monotonic() - start < 30
    child = int((tmp_path / "child").read_text())
    deadline = time.monotonic() + 30
    while _running(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _running(child)


def test_a_missing_program(tmp_path: Path) -> None:
    with pytest.raises(MissingProgram, match="no-such-program"):
        run(["no-such-program"], tmp_path, 60)
    # A missing working directory is a different error.
    with pytest.raises(FileNotFoundError):
        run(["sh"], tmp_path / "gone", 60)


def _running(process: int) -> bool:
    try:
        os.kill(process, 0)
        # Orphaned; its new parent may not have reaped it yet.
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_system_without_setpriv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="apt-get install util-linux"):
        with_parent(["true"])


def test_each_line_is_followed(tmp_path: Path) -> None:
    seen: list[str] = []
    script = "echo one; echo bad >&2; echo two; printf three"
    outcome = run(["sh", "-c", script], tmp_path, 60, each_line=seen.append)
    assert seen == ["one\n", "two\n", "three"]
    assert (outcome.status, outcome.out, outcome.err) == (0, "".join(seen), "bad\n")
