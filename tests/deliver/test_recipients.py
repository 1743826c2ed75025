# SPDX-License-Identifier: GPL-2.0
"""Recipients come from get_maintainer.pl, sorted into To and Cc."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hotcocci.deliver.maintainers import Recipients, header, joined, recipients

DIFF = """diff --git a/{0} b/{0}
--- a/{0}
+++ b/{0}
@@ -1 +1 @@
-a
+b
"""


@pytest.mark.parametrize(
    "file", ["sound/core/pcm_native.c", "fs/namei.c", "lib/iov_iter.c"]
)
def test_recipients_match_the_script(
    linux_tree: Path, tmp_path: Path, file: str
) -> None:
    """A tree without git, so that history adds no recipients."""
    patch = DIFF.format(file)
    (tmp_path / "patch").write_text(patch)
    expected = subprocess.run(
        ["perl", "scripts/get_maintainer.pl", "--norolestats", tmp_path / "patch"],
        cwd=linux_tree,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    own = recipients(linux_tree, patch)
    assert own.to
    assert sorted({*own.to, *own.cc}) == sorted(set(expected))
    assert all("list" not in address for address in own.to if "<" in address)
    assert "linux-kernel@vger.kernel.org" in own.cc


def test_recipients_are_unique() -> None:
    one = Recipients(("A <a@b>",), ("list@b", "C <c@b>"))
    other = Recipients(("C <c@b>",), ("list@b",))
    assert joined([one, other]) == Recipients(("A <a@b>", "C <c@b>"), ("list@b",))


def test_a_header_is_ascii() -> None:
    assert header('"Ada Lüders" <a@b>') == "=?utf-8?q?Ada_L=C3=BCders?= <a@b>"
    assert header("list@b") == "list@b"
