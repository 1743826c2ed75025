# SPDX-License-Identifier: GPL-2.0
"""The lines that a diff touches."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.touched import Touched, between, read, since

DIFF = """\
diff --git a/fs/a.c b/fs/a.c
index 1..2 100644
--- a/fs/a.c
+++ b/fs/a.c
@@ -3 +3,2 @@ int f(void)
-old
+new
+new
@@ -10,2 +10,0 @@ int f(void)
-old
-old
diff --git a/gone.c b/gone.c
deleted file mode 100644
--- a/gone.c
+++ /dev/null
@@ -1 +0,0 @@
-old
diff --git "a/gr\\303\\274n.c" "b/gr\\303\\274n.c"
--- "a/gr\\303\\274n.c"
+++ "b/gr\\303\\274n.c"
@@ -0,0 +1 @@
+++ b/no/name.c
"""


def test_a_diff_is_read_by_files() -> None:
    assert read(DIFF) == {
        "fs/a.c": Touched((3, 4), (10,)),
        "gr\u00fcn.c": Touched((1,)),
    }


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
def test_what_a_change_touches(first: int, last: int, expected: bool) -> None:
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


def test_a_repository_that_does_not_hold_the_tree(tmp_path: Path) -> None:
    tree = tmp_path / "linux"
    tree.mkdir()
    (tree / "Makefile").write_text("")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    with pytest.raises(UserError, match="does not hold it"):
        since(tree, "HEAD")
