# SPDX-License-Identifier: GPL-2.0
"""The lines touched by a diff."""

import shutil

import pytest

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.errors import UserError
from hotcocci.tree.touched import Touched, between, since, uncommitted
from tests.tree.traps import commit, git


def test_touched_ranges():
    touched = Touched((3, 4), (10,))
    assert all(touched.touches(*r) for r in ((1, 3), (4, 4), (10, 11)))
    assert not any(touched.touches(*r) for r in ((1, 2), (5, 10), (10, 10), (11, 20)))


def test_two_folders(tmp_path):
    for side, text in (("old", "a\nb\nc\n"), ("new", "a\nc\nd\n")):
        (tmp_path / side).mkdir()
        (tmp_path / side / "x.c").write_text(text)
    (tmp_path / "new/y.c").write_text("a\n")
    assert between(tmp_path / "old", tmp_path / "new") == {
        "x.c": Touched((3,), (1,)),
        "y.c": Touched((1,)),
    }


def test_a_repository_of_another_user(tmp_path, monkeypatch, program):
    git(tmp_path, "init", "-q")
    # Like git's own tests.
    stranger = "GIT_TEST_ASSUME_DIFFERENT_OWNER=1"
    program("git", f'{stranger} exec {shutil.which("git")} "$@"')
    monkeypatch.setenv("HOME", str(tmp_path))
    # Nothing that the other user configured is obeyed: git need not trust them.
    with pytest.raises(UserError, match="does not track it"):
        since(tmp_path, "HEAD")
    with pytest.raises(UserError, match="--add safe.directory"):
        open_repository(tmp_path)


def test_user_settings_have_no_effect(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = (
        "interHunkContext = 9\n context = 5\n noprefix = true\n external = false\n"
    )
    (tmp_path / ".gitconfig").write_text(
        f"[user]\n name = A\n email = a@example.org\n[diff]\n {settings}[color]\n ui = always\n"
    )
    for name in ("Makefile", "a.c"):
        (tmp_path / name).write_text("1\n2\n3\n4\n")
    commit(tmp_path)
    (tmp_path / "a.c").write_text("new\n2\n3\nnew\n")
    assert since(tmp_path, "HEAD") == {"a.c": Touched((1, 4))}


def test_a_repository_without_the_tree(tmp_path):
    tree = tmp_path / "linux"
    tree.mkdir()
    (tree / "Makefile").write_text("")
    git(tmp_path, "init", "-q")
    with pytest.raises(UserError, match="does not track it"):
        since(tree, "HEAD")


def test_files_with_uncommitted_changes(tmp_path):
    tree = tmp_path / "linux"
    (tree / "fs").mkdir(parents=True)
    names = ("fs/a.c", "fs/b.c", "fs/*.c", "c.c")
    for name in names:
        (tree / name).write_text("1\n")
    assert uncommitted(tree, names) == [], "there is no repository"
    commit(tmp_path)
    assert uncommitted(tree, names) == []
    for name in ("fs/b.c", "c.c", "fs/new.c"):
        (tree / name).write_text("2\n")
    git(tmp_path, "add", "linux/c.c")
    assert uncommitted(tree, names) == ["c.c", "fs/b.c"], "staged or not"
    assert uncommitted(tree, ["."]) == ["c.c", "fs/b.c"]
    assert uncommitted(tree, ["fs"]) == ["fs/b.c"]
    assert uncommitted(tree, ["fs/a.c", "fs/*.c"]) == [], "names are no patterns"
    assert uncommitted(tree, []) == []
