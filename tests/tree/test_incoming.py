# SPDX-License-Identifier: GPL-2.0
"""Reading patch files: the diffs in them, and their order."""

import base64
import quopri

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.incoming import (
    Patch,
    applied,
    applied_or_present,
    changed,
    left_out,
    not_compared,
    read,
)
from hotcocci.tree.touched import Touched
from tests.tree.traps import git

HEAD = "diff --git a/x.c b/x.c\n"
DIFF = "--- a/x.c\n+++ b/x.c\n@@ -1 +1 @@\n-{old}\n+{new}\n"


def mail(subject, old, new):
    """A patch in the format of git format-patch."""
    return (
        "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
        f"From: A <a@example.org>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: {subject}\n\n"
        f"Why.\n---\n x.c | 2 +-\n\n{DIFF.format(old=old, new=new)}-- \n2.39\n\n"
    )


BOTH = mail("[PATCH v2 2/2] b", "2", "3") + mail("[PATCH v2 1/2] a", "1", "2")


def test_patches_build_on_each_other(tmp_path):
    patches = read("mbox", BOTH)
    # They are sorted by number.
    names = [patch.name.partition("] ")[2].rstrip(")") for patch in patches]
    assert names == ["a", "b"]
    file, expected = tmp_path / "x.c", ({"x.c": "3\n"}, {"x.c": Touched((1,))})
    # The tree may have them already.
    for apply, text in (
        *((applied, "1\n"), (applied_or_present, "1\n"), (applied_or_present, "3\n")),
    ):
        file.write_text(text)
        result = apply(tmp_path, patches)
        assert (result.texts, result.touched) == expected
        assert file.read_text() == text
    file.write_text("4\n")
    with pytest.raises(UserError, match="does not apply"):
        applied_or_present(tmp_path, patches)


def test_a_name_that_git_does_not_find_is_said_as_it_is(tmp_path):
    diff = '--- "a/\\303\\274.c"\n+++ "b/\\303\\274.c"\n@@ -1 +1 @@\n-1\n+2\n'
    with pytest.raises(UserError, match=": ü.c: No such file"):
        applied(tmp_path, [Patch("a", diff)])


def test_a_renamed_file_that_the_tree_already_has(tmp_path):
    diff = (
        "diff --git a/x.c b/y.c\nsimilarity index 50%\nrename from x.c\nrename to y.c\n"
        "--- a/x.c\n+++ b/y.c\n@@ -1,2 +1,2 @@\n same\n-1\n+2\n"
    )
    (tmp_path / "y.c").write_text("same\n2\n")
    result = applied_or_present(tmp_path, read("diff", diff))
    expected = ({"y.c": "same\n2\n"}, {"y.c": Touched((2,))})
    assert (result.texts, result.touched) == expected


def test_a_renamed_file_is_new_to_make(tmp_path):
    diff = (
        "diff --git a/x.c b/y.c\nsimilarity index 100%\nrename from x.c\nrename to y.c\n"
        "diff --git a/Makefile b/Makefile\n--- a/Makefile\n+++ b/Makefile\n@@ -1 +1 @@\n-x.o\n+y.o\n"
    )
    (tmp_path / "x.c").write_text("same\n")
    (tmp_path / "Makefile").write_text("x.o\n")
    patches = read("diff", diff)
    texts = {"y.c": "same\n", "Makefile": "y.o\n"}
    assert applied(tmp_path, patches, "").texts == texts
    assert applied(tmp_path, patches).touched == {}
    assert changed(tmp_path, patches) == []


def test_skipped_files_are_named(tmp_path):
    for name in ("x.c", "Makefile", "gone.c", "was.c"):
        (tmp_path / name).write_text("1\n")
    changed_too = HEAD.replace("x.c", "Makefile") + DIFF.replace("x.c", "Makefile")
    diff = (HEAD + DIFF + changed_too).format(old=1, new=2) + (
        "diff --git a/gone.c b/gone.c\ndeleted file mode 100644\n"
        "--- a/gone.c\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n"
        "diff --git a/new.c b/new.c\nnew file mode 100644\n"
        "--- /dev/null\n+++ b/new.c\n@@ -0,0 +1 @@\n+1\n"
        "diff --git a/was.c b/is.c\nsimilarity index 100%\nrename from was.c\nrename to is.c\n"
    )
    patches = read("diff", diff)
    assert [each.file for each in changed(tmp_path, patches)] == ["x.c"]
    assert not_compared(tmp_path, patches) == {
        "Makefile": "not C source, not checked",
        "gone.c": "the file is removed: there is nothing to compare it with",
        "is.c": "renamed files are not compared",
        "new.c": "the file is new: there is nothing to compare it with",
    }


def encoded(how, body):
    """A patch as mangled by some mail programs."""
    head = (
        "From: A <a@example.org>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n"
        "Subject: [PATCH] a\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
        f"Content-Transfer-Encoding: {how}\n\n"
    )
    code = base64.encodebytes if how == "base64" else quopri.encodestring
    return head + code(body).decode("ascii")


BODY = f"Why.\n---\n\n{DIFF.format(old='1', new='2')}-- \n2.39\n".encode()
COLOURED = DIFF.format(old="1", new="2").replace("\n", "\x1b[m\n").splitlines(True)


@pytest.mark.parametrize(
    "data",
    [
        mail("[PATCH] a", "1", "2").replace("\n", "\r\n"),
        encoded("quoted-printable", BODY).replace("\n", "\r\n"),
        encoded("base64", BODY.replace(b"\n", b"\r\n")),
        DIFF.format(old="1", new="2").replace("\n", "\r\n"),
        "".join(f"\x1b[1m{line}" for line in COLOURED),
        "\xef\xbb\xbf" + mail("[PATCH] a", "1", "2"),
    ],
    ids=["crlf", "qp", "base64", "diff", "colour", "bom"],
)
def test_damage_by_mail_programs_is_undone(tmp_path, data):
    (tmp_path / "x.c").write_text("1\n")
    assert applied(tmp_path, read("mail", data)).texts == {"x.c": "2\n"}


def test_line_endings_of_the_file_are_kept(tmp_path):
    (tmp_path / "x.c").write_bytes(b"1\r\n")
    diff = DIFF.format(old="1\r", new="2\r")
    assert applied(tmp_path, read("diff", diff)).texts == {"x.c": "2\r\n"}


BINARIES = (
    "index 0000000..ba65f2a\nBinary files /dev/null and b/l.c differ\n",
    "GIT binary patch\nliteral 0\nHcmV?d00001\n\n",
)
PICTURE = "diff --git a/l.c b/l.c\nnew file mode 100644\n"
MERGE = " x.c\n--- a/x.c\n+++ b/x.c\n@@@ -1,1 -1,1 +1,1 @@@\n--1\n++2\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "has no diff: create one with"),
        ("hello\n", "has no diff: create one with"),
        ("From: A <a@example.org>\n\nhello\n", "has no diff: create one with"),
        *(((PICTURE + image).replace("l.c", "a.png"), "has no diff") for image in BINARIES),
        *((f"{DIFF}diff --{kind}{MERGE}", "has the diff of a merge") for kind in ("cc", "combined")),
    ],
)  # fmt: skip
def test_text_without_a_diff(text, says):
    with pytest.raises(UserError, match=says):
        read("file", text)


@pytest.mark.parametrize(
    "diff",
    [
        HEAD + "old mode 100644\nnew mode 100755\n",
        HEAD + "deleted file mode 100644\nindex e69de29..0000000\n",
        "diff --git a/x.c b/y.c\nsimilarity index 100%\nrename from x.c\nrename to y.c\n",
        "diff --git a/x.c b/y.c\nsimilarity index 100%\ncopy from x.c\ncopy to y.c\n",
        "diff --git a/y.c b/y.c\nnew file mode 100644\nindex 0000000..e69de29\n",
    ],
    ids=["mode", "empty and removed", "renamed", "copied", "empty and new"],
)
def test_changes_of_no_line(tmp_path, diff):
    (tmp_path / "x.c").write_text("")
    assert applied_or_present(tmp_path, read("diff", diff)).touched == {}


@pytest.mark.parametrize("how", ["rename", "copy", "change"])
@pytest.mark.parametrize(
    ("old", "new"), [("../x.c", "y.c"), ("x.c", "../y.c"), ("sub/x.c", "sub/y.c")]
)
def test_paths_out_of_the_tree(tmp_path, how, old, new):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "x.c").write_text("1\n")
    (tmp_path / "x.c").write_text("1\n")
    moved = f"similarity index 100%\n{how} from {old}\n{how} to {new}\n"
    diff = f"diff --git a/{old} b/{new}\n{moved}"
    if how == "change":
        diff = DIFF.format(old="1", new="2").replace("/x.c", "/../x.c")
    patches = read("diff", diff)
    for apply in (applied, applied_or_present):
        with pytest.raises(UserError, match="does not apply"):
            apply(tree, patches)
    assert [path.name for path in tree.iterdir()] == ["x.c"]
    assert (tmp_path / "x.c").read_text() == "1\n"


@pytest.mark.parametrize("name", ["gr\u00fcn.c", "\x1b[31mx.c", 'a "b".c', "a b%.c"])
@pytest.mark.parametrize("quoting", ["true", "false"])
def test_any_name_that_git_prints(tmp_path, name, quoting):
    file = tmp_path / name
    file.write_text("1\n")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    file.write_text("2\n")
    diff = git(tmp_path, "-c", f"core.quotePath={quoting}", "diff")
    file.write_text("1\n")
    patches = read("diff", diff.encode().decode("latin-1"))
    assert applied(tmp_path, patches).texts == {name: "2\n"}
    assert [each.file for each in changed(tmp_path, patches)] == [name]
    file.write_text("2\n")
    assert applied_or_present(tmp_path, patches).touched == {name: Touched((1,))}


LINK = "a link or submodule, not checked"
IMAGE = "binary file, not checked"


@pytest.mark.parametrize(
    ("section", "why"),
    [
        ("new file mode 120000\n--- /dev/null\n+++ b/l.c\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n", LINK),
        ("index 1111111..2222222 160000\n--- a/l.c\n+++ b/l.c\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", LINK),
        ("index 1111111..2222222 100644\nBinary files a/l.c and b/l.c differ\n", IMAGE),
        *((f"new file mode 100644\n{image}", IMAGE) for image in BINARIES),
    ],
)  # fmt: skip
def test_what_is_no_text_is_left_out(tmp_path, section, why):
    (tmp_path / "x.c").write_text("1\n")
    odd = f"diff --git a/l.c b/l.c\n{section}"
    text = HEAD + DIFF.format(old="1", new="2")
    assert left_out(read("diff", odd)) == {"l.c": why}
    for diff in (odd + text, text + odd):
        patches = read("diff", diff)
        assert left_out(patches) == not_compared(tmp_path, patches) == {"l.c": why}
        assert applied(tmp_path, patches).texts == {"x.c": "2\n"}
    assert not (tmp_path / "l.c").exists()
