# SPDX-License-Identifier: GPL-2.0
"""Source files round-trip unchanged, are replaced atomically, and a stamp changes with a file and with nothing else."""

import errno
import os
import resource
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.errors import AGAIN, UserError, unreadable
from hotcocci.tree import source
from hotcocci.tree.source import (
    SETTLED_NS,
    content,
    keep_links,
    lay,
    moved,
    put,
    read,
    read_named,
    replace,
    stamp,
    text_beside,
)


def test_replace_keeps_the_mode(tmp_path):
    file = tmp_path / "x.c"
    file.write_bytes(b"one")
    file.chmod(0o640)
    replace(file, "one", "two\xe4")
    assert file.read_bytes() == b"two\xe4"
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["x.c"]


def test_a_new_file_has_the_mode_of_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        put(tmp_path / "x.c", b"one")
    finally:
        os.umask(before)
    assert (tmp_path / "x.c").stat().st_mode & 0o777 == 0o640


@contextmanager
def no_room():
    """Let no file grow, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_failed_write_leaves_the_file(tmp_path):
    file = tmp_path / "x.c"
    file.write_bytes(b"one")
    with (
        no_room(),
        pytest.raises(UserError, match="File too large: the file is unchanged"),
    ):
        replace(file, "one", "two")
    assert file.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["x.c"]


def test_only_regular_files_below_a_size_are_read(tmp_path):
    pipe, big = tmp_path / "pipe.c", tmp_path / "big.c"
    os.mkfifo(pipe)
    (tmp_path / "link.c").symlink_to("/dev/zero")
    big.write_bytes(bytes(3 << 20))
    for name in ("pipe.c", "link.c", "."):
        with pytest.raises(OSError, match="not a regular file"):
            read(tmp_path / name)
    with pytest.raises(OSError, match="more than 2 MB"):
        read(big, 2 << 20)
    assert read(big, 3 << 20) == bytes(3 << 20)
    with pytest.raises(OSError, match="more than 2 MB"):
        read_named(Path("/dev/zero"), 2 << 20)
    shown, given = os.pipe()
    with os.fdopen(shown), os.fdopen(given, "wb") as stream:
        stream.write(b"{}")
        stream.close()
        assert read_named(Path(f"/proc/self/fd/{shown}")) == b"{}"
    # A read of its first byte fails as one from a broken disk does.
    assert read("/proc/self/mem") == b""
    assert text_beside(tmp_path / "pipe.c") == text_beside(tmp_path / "none.c") == ""


def test_a_lack_of_memory_is_no_empty_file(monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOMEM, "no memory")

    # A large file is not the machine's fault.
    with pytest.raises(OSError) as found:
        read(Path(__file__), 1)
    assert not unreadable(found.value).endswith(AGAIN)
    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(OSError, match="no memory"):
        text_beside(Path(__file__))


def test_changed_files_and_their_neighbours_are_visible(tmp_path):
    tree, over = tmp_path / "linux", tmp_path / "over"
    kept = ("fs/ext/b.c", "mm/c.c", "Makefile")
    for file in ("fs/a.c", *kept):
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        (tree / file).write_text(f"{file} as it was")
    lay(tree, {"fs/a.c": "changed \xe9", "fs/new.h": "new"}, over)
    seen = {
        str(path.relative_to(over)): path.read_bytes().decode("latin-1")
        for folder, _, names in os.walk(over, followlinks=True)
        for path in map(Path(folder).joinpath, names)
    }
    assert seen == {
        "fs/a.c": "changed \xe9",
        "fs/new.h": "new",
        **{file: f"{file} as it was" for file in kept},
    }
    assert (tree / "fs/a.c").read_text() == "fs/a.c as it was"
    assert not (tree / "fs/new.h").exists()


@pytest.mark.parametrize("works", [True, False])
def test_links_are_those_of_the_tree_as_it_is_now(tmp_path, monkeypatch, works):
    def fails(*_, **__):
        raise PermissionError

    if not works:
        monkeypatch.setattr("os.link", fails)
    tree = tmp_path / "linux"
    (tree / "fs").mkdir(parents=True)
    for name in "abc":
        (tree / f"fs/{name}.c").write_text(name)
    keep_links(tree, "fs/a.c")
    lay(tree, {"fs/a.c": "changed"}, tmp_path / "before")
    (tree / "fs/b.c").unlink()
    (tree / "fs/new.c").write_text("new")
    lay(tree, {"fs/c.c": "changed"}, tmp_path / "after")
    there = {f.name: f.read_text() for f in (tmp_path / "after/fs").iterdir()}
    assert there == {"a.c": "a", "c.c": "changed", "new.c": "new"}
    assert (tmp_path / "after/fs/a.c").readlink() == tree / "fs/a.c"
    assert (tree / "fs/a.c").stat().st_nlink == 1


def test_names_in_a_command_move_with_the_tree():
    move = (
        "-I{}/include -include {}/include/linux/kconfig.h -fmacro-prefix-map={}/= -I{}"
    )
    stay = "gcc -I./include -I/usr/src/linux-2/include -I/mnt/usr/src/linux/include"
    tree, place = "/usr/src/linux", "/tmp/over"
    before, after = (f"{stay} {move.replace('{}', at)}".split() for at in (tree, place))
    assert moved(before, Path(tree), Path(place)) == after


@pytest.mark.parametrize("settled", [0, SETTLED_NS])
@pytest.mark.parametrize("stamp", [stamp, content])
def test_every_way_to_change_a_file(tmp_path, stamp, settled, monkeypatch):
    monkeypatch.setattr(source, "SETTLED_NS", settled)
    file = tmp_path / "a.h"
    seen = [stamp(str(file))]
    file.write_text("one")
    seen.append(stamp(str(file)))
    assert stamp(str(file)) == seen[-1]
    times = file.stat()
    # The same size and time.
    file.write_text("two")
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    seen.append(stamp(str(file)))
    other = tmp_path / "b.h"
    other.write_text("six")
    other.replace(file)
    seen.append(stamp(str(file)))
    assert len({*seen}) == 4
    file.unlink()
    assert stamp(str(file)) == seen[0]


@pytest.mark.parametrize("age", [0, SETTLED_NS])
def test_a_file_written_twice_within_the_resolution_of_its_times(
    tmp_path, monkeypatch, age
):
    written = time.time_ns() - age
    monkeypatch.setattr(source, "times_of", lambda _: (written, written, 3))
    file = tmp_path / "a.h"
    seen = set()
    for text in ("one", "two"):
        file.write_text(text)
        seen.add(content(str(file)))
    # An older one cannot be written without another time.
    assert len(seen) == (1 if age else 2)


@pytest.mark.parametrize("stamp", [stamp, content])
def test_the_names_in_a_folder(tmp_path, stamp):
    for folder in ("tree", "overlay"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.h").write_text("")
    before = stamp(f"{tmp_path}/tree/")
    assert before == stamp(f"{tmp_path}/overlay/")
    (tmp_path / "tree/a.h").write_text("more")
    assert stamp(f"{tmp_path}/tree/") == before
    (tmp_path / "tree/b.h").write_text("")
    assert stamp(f"{tmp_path}/tree/") != before


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (b"int a; /* x */\n", b"int a;\n\n", True),
        (b"#define A \\\n\t1\n", b"#define A \t1\n", True),
        (b"int a; // x\nint b;\n", b"int a; // x \\\nint b;\n", False),
        (b"#define A \\\n\nint b;\n", b"#define A \\\nint b;\n", False),
        (b'char a[] = "/* x */";\n', b'char a[] = "";\n', False),
        (b'char a[] = "\\"//";\n', b'char a[] = "\\"";\n', False),
        (b"char a = '\"'; /* \" */ char b;\n", b"char a = '\"'; char b;\n", False),
        (b"char a = '\"'; /* \" */ char b;\n", b"char a = '\"';   char b;\n", True),
        (b"int a; /* don't **/\n", b"int a;\n", True),
    ],
)
def test_what_a_compiler_reads(one, other, same):
    assert (source.code_of(one) == source.code_of(other)) is same
