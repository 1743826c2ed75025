# SPDX-License-Identifier: GPL-2.0
"""``cache`` shows, clears and prunes, and spares entries in use."""

import fcntl
import os
import time
from pathlib import Path

import pytest

from hotcocci.cache import FILE_NAME, Cache
from hotcocci.cli.main import main


@pytest.fixture
def folder(tmp_path) -> Path:
    with Cache(tmp_path) as cache:
        cache.remember({"key": "answer"})
    for name in ("x86-64-old", "x86-64-new"):
        (tmp_path / "builds" / name / "out").mkdir(parents=True)
        (tmp_path / "builds" / name / "out" / "vmlinux.o").write_bytes(b"x" * 100_000)
        (tmp_path / "builds" / f"{name}.lock").touch()
    past = time.time() - 40 * 86400
    os.utime(tmp_path / "builds" / "x86-64-old.lock", (past, past))
    return tmp_path


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("builds/*/"))


def test_prune_and_clear_keep_what_is_used(folder, capsys):
    assert main(["cache", "prune", "--cache-dir", str(folder)]) == 0
    assert names(folder) == ["x86-64-new"]
    assert (folder / FILE_NAME).exists()
    with (folder / "builds" / "x86-64-new.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert main(["cache", "clear", "--cache-dir", str(folder)]) == 0
    assert names(folder) == ["x86-64-new"]
    assert not (folder / FILE_NAME).exists()
    assert "in use by another run: build x86-64-new" in capsys.readouterr().out
