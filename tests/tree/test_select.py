# SPDX-License-Identifier: GPL-2.0
"""Selecting candidate files, and caching the scan."""

import os
import shutil
import time

import pytest

from hotcocci.cache import Cache
from hotcocci.errors import UserError
from hotcocci.findings import Skip
from hotcocci.tree import select, source
from hotcocci.tree.kernel import find_tree
from hotcocci.tree.select import ACCESS, BEGIN
from tests.shared import launch

USER = "int f(int *p) { int v; return get_user(v, p); }\n"


def mentions(root, path, *asked):
    """What is mentioned below a path of a tree, by file, and what was skipped."""
    with Cache(root.parent / "cache") as cache:
        return select.mentions(find_tree(root), [path], cache, asked or [ACCESS])


def chosen(root):
    """The files with an access."""
    found, skipped = mentions(root, root)
    assert skipped == []
    return select.mentioning(found, ACCESS)


@pytest.fixture
def settled(monkeypatch):
    """Every file is old enough to be cached."""
    monkeypatch.setattr(source, "SETTLED_NS", 0)


def test_every_access_counts_and_no_other_name(small_tree, tmp_path):
    found = "get_user(a, b)", "__get_user (a, b)", "put_user\t(a,b)", "__put_user(a)"
    other = "get_user;", "forget_user(a)", "get_user_pages(a)", "unsafe_get_user(a)"
    files = {f"{n}.c": text for n, text in enumerate((*found, *other))}
    assert chosen(small_tree(files)) == [f"{n}.c" for n in range(len(found))]


def test_only_c_files_inside_the_kernel(small_tree, tmp_path):
    places = "drivers/a.c fs/b.h samples/c.c tools/d.c scripts/e.c Documentation/f.c"
    others = "x.S y.txt .git/g.c drivers/tools/h.c"
    root = small_tree({place: USER for place in f"{places} {others}".split()})
    assert chosen(root) == ["drivers/a.c", "drivers/tools/h.c", "fs/b.h", "samples/c.c"]


def test_links_are_not_followed(small_tree, tmp_path):
    root = small_tree({"fs/a.c": USER})
    (root / "link").symlink_to(root / "fs")
    (root / "loop").symlink_to(root)
    (root / "fs/b.c").symlink_to(root / "fs/a.c")
    (root / "fs/c.c").symlink_to("d.c")
    (root / "fs/d.c").symlink_to("c.c")
    found, skipped = mentions(root, root)
    assert (list(found), skipped) == (["fs/a.c"], [])


@pytest.mark.usefixtures("settled")
@pytest.mark.parametrize(
    ("again", "unused"),
    [("tree", "read_listed"), ("linked", "mentioned"), ("copy", "mentioned")],
)
def test_what_was_looked_at_is_not_read_or_searched_again(
    small_tree, tmp_path, monkeypatch, again, unused
):
    root = small_tree({"a.c": USER, "b.c": ""})
    first = chosen(root)
    if again == "linked":
        # All status change times are new.
        shutil.copytree(root, tmp_path / "backup", copy_function=os.link)
    elif again == "copy":
        root = shutil.copytree(root, tmp_path / "copy")
        monkeypatch.setattr(select, "WORTH_A_PROCESS", 1)
    monkeypatch.delattr(select, unused)
    assert chosen(root) == first == ["a.c"]


@pytest.mark.usefixtures("settled")
def test_changes_are_noticed(small_tree, tmp_path):
    root = small_tree({"a.c": USER, "b.c": "", "gone.c": USER})
    assert chosen(root) == ["a.c", "gone.c"]
    (root / "a.c").write_text("")
    (root / "b.c").write_text(USER)
    (root / "gone.c").unlink()
    assert chosen(root) == ["b.c"]
    key = select._key(str(root))
    with Cache(tmp_path / "cache") as cache:
        seen = cache.answers([key])[key]
        assert isinstance(seen, dict) and seen.keys() == {"a.c", "b.c"}
        # What is no answer of ours is made again.
        cache.remember({key: {name: [[1, 2, 3], "c", 7] for name in seen}})
    assert chosen(root) == ["b.c"]


@pytest.mark.usefixtures("settled")
def test_another_question_reads_the_files_again(small_tree, tmp_path):
    root = small_tree({"a.c": USER, "b.c": "\taccess_ok(p, 4);\n"})
    for asked, found in (
        ([ACCESS], {"a.c": {ACCESS}}),
        ([BEGIN, ACCESS], {"a.c": {ACCESS}, "b.c": {BEGIN}}),
        ([BEGIN], {"b.c": {BEGIN}}),
    ):
        assert mentions(root, root, *asked)[0] == found


def test_a_fresh_file_is_not_cached(small_tree, tmp_path, monkeypatch):
    root = small_tree({"a.c": " " * len(USER)})
    now = time.time_ns()
    # As if written within the clock's resolution.
    monkeypatch.setattr(select, "times_of", lambda _: (now, now, len(USER)))
    assert chosen(root) == []
    (root / "a.c").write_text(USER)
    assert chosen(root) == ["a.c"]


def test_unreadable(small_tree, tmp_path, restricted):
    root = small_tree({"a.c": "", "b.c": USER})
    (root / "b.c").chmod(0)
    lint = [*restricted, "lint", f"--cache-dir={tmp_path / 'cache'}"]
    everything, named = launch([*lint, root]), launch([*lint, root / "b.c"])
    assert everything.returncode == 0
    assert "b.c: skipped: cannot be read: Permission denied" in everything.stderr
    assert named.returncode == 2
    assert f"cannot read {root}/b.c: Permission denied" in named.stderr


def test_invalid_paths(small_tree, tmp_path):
    root = small_tree({"a.txt": ""})
    (tmp_path / "other.c").write_text(USER)
    with pytest.raises(UserError, match="not a C file"):
        mentions(root, root / "a.txt")
    with pytest.raises(UserError, match="not in the kernel tree"):
        mentions(root, tmp_path / "other.c")


@pytest.mark.parametrize(
    ("name", "printed", "why"),
    [
        (b"fs/caf\xe9.c", "fs/caf\\xe9.c", "its name is not UTF-8: rename it"),
        (b"fs/a\nb.h", "fs/a\\nb.h", "its name has a newline: rename it"),
        (b"fs/a:b.c", "fs/a:b.c", "its name has a colon, after which spatch expects a line: rename it"),
    ],
)  # fmt: skip
def test_unsupported_file_names(small_tree, tmp_path, name, printed, why):
    root = small_tree({"fs/good.c": USER})
    file = root / os.fsdecode(name)
    file.write_text(USER)
    for path, files in ((root, ["fs/good.c"]), (file, [])):
        found, skipped = mentions(root, path)
        assert (list(found), skipped) == (files, [Skip(printed, why)])
    with Cache(tmp_path / "cache") as cache:
        assert select.headers_state(root, cache)
