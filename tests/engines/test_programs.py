# SPDX-License-Identifier: GPL-2.0
"""Finding external programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from hotcocci.engines.programs import Program, look


def test_found_with_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "thing"
    program.write_text("#!/bin/sh\necho 'thing (GNU) v2.10.3-x, of 1.1.2020'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = look([Program("thing", "all", "buy it")])
    assert (found.path, found.version) == (str(program), "2.10.3-x")


def test_a_git_program_is_found_in_its_exec_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "git-core"
    own.mkdir()
    for program, text in (
        (own / "git-thing", "true"),
        (tmp_path / "git", f"echo {own}"),
    ):
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    (found,) = look([Program("git-thing", "all", "buy it")])
    assert found.path == str(own / "git-thing")


def test_a_header_stands_for_a_library() -> None:
    entries = [
        Program("libc", "", header="/usr/include/stdio.h"),
        Program("nolib", "", header="/usr/include/no-such-header.h"),
    ]
    libc, nolib = look(entries)
    assert libc.path is not None and nolib.path is None
