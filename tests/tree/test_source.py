# SPDX-License-Identifier: GPL-2.0
"""Source files round-trip unchanged and are replaced atomically."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hotcocci.errors import UserError
from hotcocci.tree.source import read, replace


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
