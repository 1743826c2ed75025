# SPDX-License-Identifier: GPL-2.0
"""Source files round-trip unchanged, are replaced atomically, and an overlay leaves them alone."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.errors import AGAIN, UserError, unreadable
from hotcocci.tree.source import lay, moved, read, replace, text_beside


def test_replace_keeps_the_mode(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_bytes(b"one")
    file.chmod(0o640)
    replace(file, "one", "two\xe4")
    assert file.read_bytes() == b"two\xe4"
    assert file.stat().st_mode & 0o777 == 0o640
    assert os.listdir(tmp_path) == ["x.c"]


@contextmanager
def no_room() -> Iterator[None]:
    """Let no file grow, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_failed_write_leaves_the_file(tmp_path: Path) -> None:
    file = tmp_path / "x.c"
    file.write_bytes(b"one")
    with (
        no_room(),
        pytest.raises(UserError, match="File too large: the file is unchanged"),
    ):
        replace(file, "one", "two")
    assert file.read_bytes() == b"one"
    assert os.listdir(tmp_path) == ["x.c"]


def test_only_regular_files_below_a_size_are_read(tmp_path: Path) -> None:
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
    # A read of its first byte fails as one from a broken disk does.
    assert read("/proc/self/mem") == b""
    assert text_beside(tmp_path / "pipe.c") == text_beside(tmp_path / "none.c") == ""


def test_a_lack_of_memory_is_no_empty_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.ENOMEM, "no memory")

    monkeypatch.setattr(os, "open", fail)
    with pytest.raises(OSError, match="no memory"):
        text_beside(Path(__file__))


def test_a_large_file_is_not_the_machine_s_fault() -> None:
    with pytest.raises(OSError) as found:
        read(Path(__file__), 1)
    assert not unreadable(found.value).endswith(AGAIN)


def test_changed_files_and_their_neighbours_are_visible(tmp_path: Path) -> None:
    tree = tmp_path / "linux"
    for file in ("fs/a.c", "fs/ext/b.c", "mm/c.c", "Makefile"):
        (tree / file).parent.mkdir(parents=True, exist_ok=True)
        (tree / file).write_text(f"{file} as it was")
    lay(tree, {"fs/a.c": "changed \xe9", "fs/new.h": "new"}, tmp_path / "over")
    seen = {
        str(Path(folder, name).relative_to(tmp_path / "over")): Path(
            folder, name
        ).read_bytes()
        for folder, _, names in os.walk(tmp_path / "over", followlinks=True)
        for name in names
    }
    assert seen == {
        "fs/a.c": b"changed \xe9",
        "fs/new.h": b"new",
        "fs/ext/b.c": b"fs/ext/b.c as it was",
        "mm/c.c": b"mm/c.c as it was",
        "Makefile": b"Makefile as it was",
    }
    assert (tree / "fs/a.c").read_text() == "fs/a.c as it was"
    assert not (tree / "fs/new.h").exists()


def test_names_in_a_command_move_with_the_tree() -> None:
    tree, place = Path("/usr/src/linux"), Path("/tmp/over")
    argv = [
        "gcc",
        "-I/usr/src/linux/include",
        "-include",
        "/usr/src/linux/include/linux/kconfig.h",
        "-fmacro-prefix-map=/usr/src/linux/=",
        "-I/usr/src/linux",
        "-I./include",
        "-I/usr/src/linux-2/include",
        "-I/mnt/usr/src/linux/include",
    ]
    assert moved(argv, tree, place) == [
        "gcc",
        "-I/tmp/over/include",
        "-include",
        "/tmp/over/include/linux/kconfig.h",
        "-fmacro-prefix-map=/tmp/over/=",
        "-I/tmp/over",
        "-I./include",
        "-I/usr/src/linux-2/include",
        "-I/mnt/usr/src/linux/include",
    ]
