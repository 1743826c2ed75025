# SPDX-License-Identifier: GPL-2.0
"""Files of a git revision, read without a checkout."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.touched import ends, texts_at


def _committed(place: Path) -> Path:
    """A tree below the top of a repository: a.c changes, b.c does not, new.c comes, gone.c goes."""
    tree = place / "linux"
    tree.mkdir()
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", "init", "-q"], cwd=place, check=True)
    for texts in ({"a.c": "1\r\n2\n", "b.c": "b\n", "gone.c": "g\n"}, {"a.c": "3\n"}):
        for name, text in texts.items():
            (tree / name).write_bytes(text.encode())
        subprocess.run(["git", "add", "."], cwd=place, check=True)
        subprocess.run(
            ["git", *identity, "commit", "-qm", "Change"], cwd=place, check=True
        )
    return tree


def test_only_files_that_differ_from_the_working_tree_are_read(tmp_path: Path) -> None:
    tree = _committed(tmp_path)
    assert texts_at(tree, "HEAD") == {}
    assert texts_at(tree, "HEAD~1") == {"a.c": "1\r\n2\n"}
    (tree / "gone.c").unlink()
    (tree / "new.c").write_text("new\n")
    subprocess.run(["git", "add", "."], cwd=tree, check=True)
    assert texts_at(tree, "HEAD") == {"gone.c": "g\n"}


def test_attributes_of_the_tree_have_no_effect(tmp_path: Path) -> None:
    tree = _committed(tmp_path)
    (tree / ".gitattributes").write_text("*.c export-ignore export-subst\n")
    assert texts_at(tree, "HEAD~1") == {"a.c": "1\r\n2\n"}


def test_an_unknown_revision_and_a_tree_without_a_repository(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no-such is not a revision"):
        texts_at(_committed(tmp_path), "no-such")
    with pytest.raises(UserError, match="is not in a git repository"):
        texts_at(Path("/proc"), "HEAD")


def test_a_range_has_two_ends() -> None:
    assert ends("v6.11..v6.12") == ("v6.11", "v6.12")
    assert ends("topic~2..") == ("topic~2", "HEAD")
    for wrong in ("v6.12", "..v6.12", "a...b"):
        with pytest.raises(UserError, match="is not a range of revisions"):
            ends(wrong)
