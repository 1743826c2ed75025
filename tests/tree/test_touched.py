# SPDX-License-Identifier: GPL-2.0
"""The lines touched by a diff."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.errors import UserError
from hotcocci.tree.touched import Touched, between, since, uncommitted
from tests.tree.traps import git


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        (1, 2, False),
        (1, 3, True),
        (4, 4, True),
        (5, 10, False),
        (10, 10, False),
        (10, 11, True),
        (11, 20, False),
    ],
)
def test_touched_ranges(first: int, last: int, expected: bool) -> None:
    assert Touched((3, 4), (10,)).touches(first, last) is expected


def test_two_folders(tmp_path: Path) -> None:
    for side, text in (("old", "a\nb\nc\n"), ("new", "a\nc\nd\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "x.c").write_text(text)
    (tmp_path / "new/y.c").write_text("a\n")
    assert between(tmp_path / "old", tmp_path / "new") == {
        "x.c": Touched((3,), (1,)),
        "y.c": Touched((1,)),
    }


def test_a_repository_of_another_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q")
    program = tmp_path / "bin/git"
    program.parent.mkdir()
    # Like git's own tests.
    stranger = "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"
    program.write_text(f'#!/bin/sh\n{stranger} exec {shutil.which("git")} "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path))
    # Nothing that the other user configured is obeyed: git need not trust them.
    with pytest.raises(UserError, match="does not track it"):
        since(tmp_path, "HEAD")
    with pytest.raises(UserError, match="--add safe.directory"):
        open_repository(tmp_path)


def test_user_settings_have_no_effect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = (
        "interHunkContext = 9\n context = 5\n noprefix = true\n external = false\n"
    )
    (tmp_path / ".gitconfig").write_text(
        f"[user]\n name = A\n email = a@example.org\n[diff]\n {settings}[color]\n ui = always\n"
    )
    for name in ("Makefile", "a.c"):
        (tmp_path / name).write_text("1\n2\n3\n4\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Old"]):
        git(tmp_path, *command)
    (tmp_path / "a.c").write_text("new\n2\n3\nnew\n")
    assert since(tmp_path, "HEAD") == {"a.c": Touched((1, 4))}


def test_a_repository_without_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "linux"
    tree.mkdir()
    (tree / "Makefile").write_text("")
    git(tmp_path, "init", "-q")
    with pytest.raises(UserError, match="does not track it"):
        since(tree, "HEAD")


def test_files_with_uncommitted_changes(tmp_path: Path) -> None:
    tree = tmp_path / "linux"
    (tree / "fs").mkdir(parents=True)
    names = ("fs/a.c", "fs/b.c", "fs/*.c", "c.c")
    for name in names:
        (tree / name).write_text("1\n")
    assert uncommitted(tree, names) == [], "there is no repository"
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "Old"]):
        git(tmp_path, *command)
    assert uncommitted(tree, names) == []
    for name in ("fs/b.c", "c.c", "fs/new.c"):
        (tree / name).write_text("2\n")
    git(tmp_path, "add", "linux/c.c")
    assert uncommitted(tree, names) == ["c.c", "fs/b.c"], "staged or not"
    assert uncommitted(tree, ["."]) == ["c.c", "fs/b.c"]
    assert uncommitted(tree, ["fs"]) == ["fs/b.c"]
    assert uncommitted(tree, ["fs/a.c", "fs/*.c"]) == [], "names are no patterns"
    assert uncommitted(tree, []) == []
