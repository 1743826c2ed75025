# SPDX-License-Identifier: GPL-2.0
"""A file checked out again gets its old timestamp if unchanged."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.deliver.worktree import checked_out


def times(git: Any, commit: str, cache: Path) -> dict[str, int]:
    """Timestamps of the files in a checkout, in nanoseconds."""
    with checked_out(open_repository(git.root), commit, cache) as folder:
        return {
            str(path.relative_to(folder)): path.lstat().st_mtime_ns
            for path in folder.rglob("*")
            if path.name != ".git" and (path.is_symlink() or path.is_file())
        }


def test_same_contents_same_times(git: Any, tmp_path: Path) -> None:
    (git.root / "drivers/über lamp.h").symlink_to("lamp.c")
    git("add", "-A")
    git("commit", "-q", "-m", "light: another name")
    first = times(git, "master", tmp_path / "cache")
    assert len(first) > 20 and "drivers/über lamp.h" in first
    assert times(git, "master", tmp_path / "cache") == first
    assert not (git.root / ".git/worktrees").exists()


def test_other_contents_get_another_time(git: Any, tmp_path: Path) -> None:
    first = times(git, "master", tmp_path / "cache")
    old = git("rev-parse", "master")
    text = (git.root / "sound/player.c").read_text(encoding="utf-8")
    # The same length as before.
    new = git.commit("sound/player.c", text.replace("speed", "haste"), "ALSA: faster")
    second = times(git, new, tmp_path / "cache")
    assert {file for file in first if first[file] != second[file]} == {"sound/player.c"}
    # Results for the second contents must not look newer than the first.
    third = times(git, old, tmp_path / "cache")
    assert third["sound/player.c"] > second["sound/player.c"]


def test_recorded_times_in_the_future_are_ignored(git: Any, tmp_path: Path) -> None:
    first = times(git, "master", tmp_path / "cache")
    (memory,) = (tmp_path / "cache/worktrees").glob("*.times")
    text = memory.read_text(encoding="utf-8")
    memory.write_text(text.replace(" 1", " 9"), encoding="utf-8")
    assert times(git, "master", tmp_path / "cache") != first
    assert (
        max(times(git, "master", tmp_path / "cache").values())
        <= os.stat(memory).st_mtime_ns
    )
