# SPDX-License-Identifier: GPL-2.0
"""Git repositories: patches applied, and files of a revision read without a checkout."""

import os
from pathlib import Path

import pytest

from hotcocci.errors import TryAgain, UserError
from hotcocci.tree.incoming import applied_or_present, read
from hotcocci.tree.touched import Touched, ends, since, texts_at, touched_in
from tests.tree.traps import arm, commit, git, sprung

OLD, NEW = "1\n2\n3\n4\n", "1\nnew\n3\n4\n"


@pytest.fixture
def repository(tmp_path) -> Path:
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


def test_other_hashes(tmp_path):
    git(tmp_path, "init", "-q", "--object-format=sha256")
    for name in ("Makefile", "a.c"):
        (tmp_path / name).write_text(OLD)
    commit(tmp_path)
    (tmp_path / "a.c").write_text(NEW)
    assert since(tmp_path, "HEAD") == {"a.c": Touched((2,))}


@pytest.mark.parametrize(
    "name", ["config", "HEAD", "commondir", "index", "objects/info/alternates"]
)
def test_a_pipe_in_the_repository_does_not_block(repository, name):
    file = repository / ".git" / name
    file.unlink(missing_ok=True)
    os.mkfifo(file)
    if name == "commondir":
        assert since(repository, "HEAD") == {"a.c": Touched((2,))}
        return
    with pytest.raises(UserError, match="cannot read the git repository"):
        since(repository, "HEAD")


def test_a_pipe_among_the_objects_does_not_block(repository):
    head = git(repository, "rev-parse", "HEAD").strip()
    file = repository / ".git/objects" / head[:2] / head[2:]
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(TryAgain, match="git waited 3 s, perhaps for a pipe"):
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


def _committed(place: Path) -> Path:
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


def test_attributes_of_the_tree_have_no_effect(tmp_path):
    tree = _committed(tmp_path)
    (tree / ".gitattributes").write_text("*.c export-ignore export-subst\n")
    assert texts_at(tree, "HEAD~1") == {"a.c": "1\r\n2\n"}


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
