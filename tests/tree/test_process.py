# SPDX-License-Identifier: GPL-2.0
"""Outside programs end when they should, and see only what they should."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.process import MissingProgram, run, with_parent


def test_what_a_program_wrote_and_how_it_ended(tmp_path: Path) -> None:
    outcome = run(
        ["sh", "-c", "cat; echo bad >&2; exit 3"], tmp_path, 60, stdin="in \xe9\n"
    )
    assert (outcome.status, outcome.out, outcome.err) == (3, "in \xe9\n", "bad\n")


def test_the_callers_environment_stays_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MAKEFLAGS", "ARCH", "KCFLAGS", "LANGUAGE", "OBJTOOL_ARGS"):
        monkeypatch.setenv(name, "of the caller")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    seen = run(["env"], tmp_path, 60, extra={"ADDED": "yes"}).out.splitlines()
    assert not [line for line in seen if "of the caller" in line]
    assert {"LC_ALL=C", "ADDED=yes"} <= set(seen)


def test_a_time_limit_ends_the_children_too(tmp_path: Path) -> None:
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


def test_a_program_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingProgram, match="no-such-program"):
        run(["no-such-program"], tmp_path, 60)
    # A folder that is not there is another matter.
    with pytest.raises(FileNotFoundError):
        run(["sh"], tmp_path / "gone", 60)


def _running(process: int) -> bool:
    try:
        os.kill(process, 0)
        # Its parent is gone: whoever adopted it may not have asked for its status yet.
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False


def test_a_system_without_setpriv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(UserError, match="apt-get install util-linux"):
        with_parent(["true"])
