# SPDX-License-Identifier: GPL-2.0
"""Git repositories: the lines that differ, patches applied, and files of a revision read without a checkout."""

import os
import shutil
from pathlib import Path

import pytest

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.errors import TryAgain, UserError
from hotcocci.tree.incoming import applied_or_present, read
from hotcocci.tree.touched import (
    Touched,
    between,
    ends,
    since,
    texts_at,
    touched_in,
    uncommitted,
)
from tests.tree.traps import arm, commit, git, sprung

OLD, NEW = "1\n2\n3\n4\n", "1\nnew\n3\n4\n"


@pytest.fixture
def repository(tmp_path):
    """A commit, a submodule, and a change of a.c that is not committed."""
    root = tmp_path / "linux"
    (root / "sub").mkdir(parents=True)
    for name in ("Makefile", "a.c", "b.c", "sub/s.c"):
        (root / name).write_text(OLD)
    for folder in ("sub", "."):
        commit(root / folder)
    (root / "a.c").write_text(NEW)
    return root


def test_no_trap_is_sprung(repository):
    arm(repository / "sub")
    (repository / "sub/s.c").write_text(NEW)
    (repository.parent / "sub-hooks").mkdir()
    found = since(repository, "HEAD")
    assert found == {"a.c": Touched((2,))} and sprung(repository / "sub") == []
    (repository / "SPRUNG").unlink(missing_ok=True)
    arm(repository)
    before = (repository / ".git/index").read_bytes()
    assert since(repository, "HEAD") == {"a.c": Touched((2,))}
    assert since(repository, "HEAD@{0}") == {"a.c": Touched((2,))}
    assert sprung(repository) == []
    assert (repository / ".git/index").read_bytes() == before


def test_missing_objects_are_not_fetched(repository):
    diff = git(repository, "diff", "HEAD")
    blob = git(repository, "rev-parse", "HEAD:a.c").strip()
    (repository / f".git/objects/{blob[:2]}/{blob[2:]}").unlink()
    arm(repository)
    with pytest.raises(UserError, match="cannot compare"):
        since(repository, "HEAD")
    # The tree has the patch, as its text says.
    made = applied_or_present(repository, read("x.diff", diff))
    assert made.touched == {"a.c": Touched((2,))}
    assert sprung(repository) == []


@pytest.mark.parametrize(
    "attributes",
    ["*.c -diff", "*.c binary", "*.c working-tree-encoding=UTF-16", "*.c ident"],
)
def test_attributes_hide_no_change(repository, attributes):
    (repository / ".gitattributes").write_text(f"{attributes}\n")
    assert since(repository, "HEAD") == {"a.c": Touched((2,))}
    added = f"""\
diff --git a/.gitattributes b/.gitattributes
new file mode 100644
--- /dev/null
+++ b/.gitattributes
@@ -0,0 +1 @@
+{attributes}
diff --git a/b.c b/b.c
--- a/b.c
+++ b/b.c
@@ -1,3 +1,3 @@
 1
-2
+new
 3
"""
    (repository / ".gitattributes").unlink()
    made = applied_or_present(repository, read("x.diff", added))
    assert made.touched["b.c"] == Touched((2,))


def test_replaced_objects_hide_no_change(repository):
    new = git(repository, "hash-object", "-w", "a.c").strip()
    git(repository, "replace", "HEAD:a.c", new)
    assert since(repository, "HEAD") == {"a.c": Touched((2,))}


def test_a_worktree_and_a_split_index(repository):
    git(repository, "worktree", "add", "-q", "../other")
    other = repository.parent / "other"
    git(other, "update-index", "--split-index")
    (other / "b.c").write_text(NEW)
    assert since(other, "HEAD") == {"b.c": Touched((2,))}


SETTINGS = """\
[diff]
	interHunkContext = 9
	context = 5
	noprefix = true
	external = false
[color]
	ui = always
"""


def test_other_hashes_and_settings_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text(SETTINGS)
    git(tmp_path, "init", "-q", "--object-format=sha256")
    for name in ("Makefile", "a.c"):
        (tmp_path / name).write_text(OLD)
    commit(tmp_path)
    (tmp_path / "a.c").write_text("new\n2\n3\nnew\n")
    assert since(tmp_path, "HEAD") == {"a.c": Touched((1, 4))}


UNREADABLE = (UserError, "cannot read the git repository")


@pytest.mark.parametrize(
    ("name", "raised"),
    [
        ("commondir", None),
        *((name, UNREADABLE) for name in ("config", "HEAD", "index")),
        ("objects/info/alternates", UNREADABLE),
        ("objects/{head}", (TryAgain, "git waited 3 s, perhaps for a pipe")),
    ],
)
def test_a_pipe_in_the_repository_does_not_block(repository, name, raised):
    head = git(repository, "rev-parse", "HEAD").strip()
    file = repository / ".git" / name.format(head=f"{head[:2]}/{head[2:]}")
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    if raised is None:
        assert since(repository, "HEAD") == {"a.c": Touched((2,))}
        return
    error, message = raised
    with pytest.raises(error, match=message):
        since(repository, "HEAD")


def test_a_name_that_no_file_has(repository):
    (repository / ".git/commondir").write_bytes(b"a\0b\n")
    with pytest.raises(UserError, match="cannot read the git repository"):
        since(repository, "HEAD")
    (repository / ".git").rename(repository / "moved")
    (repository / ".git").write_text("gitdir: " + "a/" * 5000)
    with pytest.raises(UserError, match="cannot read .*: File name too long"):
        since(repository, "HEAD")


@pytest.mark.parametrize("flag", ["assume-unchanged", "skip-worktree"])
def test_an_index_hides_no_change(repository, flag):
    (repository / "l.h").symlink_to("a.c")
    git(repository, "add", "l.h")
    git(repository, "commit", "-q", "-m", "Link", "l.h")
    git(repository, "update-index", f"--{flag}", "a.c", "b.c", "l.h")
    for read_change in (since, texts_at):
        with pytest.raises(UserError, match="not show the changes of a.c.*--no-ass"):
            read_change(repository, "HEAD")
    # The twins: without a change, and as a sparse checkout leaves a file out
    (repository / "a.c").write_text(OLD)
    (repository / "b.c").unlink()
    assert since(repository, "HEAD") == {}


def _committed(place):
    """A tree below the top of a repository: a.c changes, b.c does not, new.c comes, gone.c goes."""
    tree = place / "linux"
    tree.mkdir()
    git(place, "init", "-q")
    for texts in ({"a.c": "1\r\n2\n", "b.c": "b\n", "gone.c": "g\n"}, {"a.c": "3\n"}):
        for name, text in texts.items():
            (tree / name).write_bytes(text.encode())
        commit(place)
    return tree


def test_only_files_that_differ_from_the_working_tree_are_read(tmp_path):
    tree = _committed(tmp_path)
    # It has no effect.
    (tree / ".gitattributes").write_text("*.c export-ignore export-subst\n")
    assert texts_at(tree, "HEAD") == {}
    assert texts_at(tree, "HEAD~1") == {"a.c": "1\r\n2\n"}
    (tree / "gone.c").unlink()
    (tree / "new.c").write_text("new\n")
    git(tree, "add", ".")
    assert texts_at(tree, "HEAD") == {"gone.c": "g\n"}


def test_lines_that_a_patch_left_with_cr(tmp_path):
    for text in (b"1\r\n2\r\n", b"1\r\n2\r\n3\r\n"):
        (tmp_path / "a.c").write_bytes(text)
        commit(tmp_path)
    diff = git(tmp_path, "diff", "--full-index", "HEAD~1")
    (tmp_path / "a.c").write_bytes(b"0\r\n" + text)
    assert touched_in(tmp_path, [diff]) == {"a.c": Touched((4,))}


def test_an_unknown_revision_and_a_tree_without_a_repository(tmp_path):
    with pytest.raises(UserError, match="no-such is not a revision"):
        texts_at(_committed(tmp_path), "no-such")
    with pytest.raises(UserError, match="is not in a git repository"):
        texts_at(Path("/proc"), "HEAD")


def test_a_range_has_two_ends():
    assert ends("v6.11..v6.12") == ("v6.11", "v6.12")
    assert ends("topic~2..") == ("topic~2", "HEAD")
    for wrong in ("v6.12", "..v6.12", "a...b"):
        with pytest.raises(UserError, match="is not a range of revisions"):
            ends(wrong)


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
