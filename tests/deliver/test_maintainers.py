# SPDX-License-Identifier: GPL-2.0
"""MAINTAINERS, recipients from get_maintainer.pl, and subject prefixes from the history of a file."""

from pathlib import Path

import pytest

from hotcocci.deliver.gitrepo import open_repository
from hotcocci.deliver.maintainers import (
    Recipients,
    header,
    joined,
    read,
    recipients,
    subsystem,
)
from hotcocci.deliver.message import by_path, histories, is_capital, prefix_of
from hotcocci.errors import UserError
from tests.shared import launch

TEXTS = Path(__file__).with_name("maintainers")

TEXT = (TEXTS / "text.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("file", "title"),
    [
        ("net/socket.c", "FOLDER"),
        ("net/core/dev.c", None),
        ("net/ipv4/inet.c", "GLOB"),
        ("net/ipv4/tcp/inet.c", "DEEP"),
        ("net/ipv4/deep/inet.c", "FOLDER"),
        ("lib/tcp.c", "NAMED"),
        ("lib/mytcp.c", None),
        ("lib/inet.c", "ANYWHERE"),
        ("network.c", None),
        ("lib/a/b/inetXc", None),
    ],
)
def test_most_specific_section(small_tree, file, title):
    tree = small_tree({"MAINTAINERS": TEXT, "net/core/dev.c": ""})
    assert subsystem(read(tree), file) == title


def test_a_bad_expression_is_reported(small_tree):
    # Without the file there are no sections.
    assert read(small_tree({})) == []
    with pytest.raises(UserError, match=r"'N: \(' is not a valid regular expression"):
        read(small_tree({"MAINTAINERS": "A\nN:\t(\n"}))


DIFF = """diff --git a/{0} b/{0}
--- a/{0}
+++ b/{0}
@@ -1 +1 @@
-a
+b
"""


@pytest.mark.parametrize("file", ["sound/core/pcm_native.c", "lib/iov_iter.c"])
def test_recipients_match_the_script(linux_tree, tmp_path, file):
    """A tree without git, so that history adds no recipients."""
    patch = DIFF.format(file)
    (tmp_path / "patch").write_text(patch)
    argv = ["perl", "scripts/get_maintainer.pl", "--norolestats", tmp_path / "patch"]
    expected = launch(argv, cwd=linux_tree).stdout.splitlines()
    own = recipients(linux_tree, patch)
    assert own.to
    assert sorted({*own.to, *own.cc}) == sorted(set(expected))
    assert all("list" not in address for address in own.to if "<" in address)
    assert "linux-kernel@vger.kernel.org" in own.cc


def test_recipients_are_unique():
    one = Recipients(("A <a@b>",), ("list@b", "C <c@b>"))
    other = Recipients(("C <c@b>",), ("list@b",))
    assert joined([one, other]) == Recipients(("A <a@b>", "C <c@b>"), ("list@b",))


def test_a_header_is_ascii():
    assert header('"Ada Lüders" <a@b>') == "=?utf-8?q?Ada_L=C3=BCders?= <a@b>"
    assert header("list@b") == "list@b"


def test_common_prefix():
    for one, other, expected in (
        ("ALSA: pcm: a", "ALSA: rawmidi: b", "ALSA: "),
        ("drm/i915: a", "drm/xe: b", "drm: "),
        ("net: a", "net: b", "net: "),
    ):
        assert prefix_of({"a.c": [one], "b.c": [other]}) == expected
    # Files without a history follow the others.
    subjects = {"sound/a.c": ["ALSA: pcm: Fix"], "sound/b.c": ["ALSA: rawmidi: Add"]}
    bare = {"sound/core/c.c": [], "sound/core/d.c": ["import"], "sound/core/e.c": []}
    assert prefix_of({**subjects, **bare}) == "ALSA: "
    assert prefix_of(bare) == "sound: core: "


def test_without_a_history():
    for file, expected in {
        "arch/x86/kernel/ldt.c": "x86",
        "drivers/net/tun.c": "net",
        "drivers/lamp.c": "lamp",
        "sound/core/pcm.c": "sound: core",
        "fs/open.c": "fs",
        "include/linux/lamp.h": "lamp",
    }.items():
        assert by_path(file) == expected


def test_capitals_of_the_first_word():
    assert is_capital({"a.c": ["ALSA: Use", "ALSA: Fix", "ALSA: add"]})
    assert not is_capital({"a.c": ["mm: use", "mm: fix", "Nothing: At all"]})


def test_the_initial_import_is_ignored(git):
    files = ["drivers/lamp.c", "Kconfig"]
    subjects = histories(open_repository(git.root), "HEAD", files)
    lamp = ["light: lamp: off", "treewide: rename", "light: lamp: dim it"]
    assert subjects == {"drivers/lamp.c": lamp, "Kconfig": []}
