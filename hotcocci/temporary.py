# SPDX-License-Identifier: GPL-2.0
"""One folder for all temporary files of a run; a later run removes it if this one is killed."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

PREFIX = "hotcocci-run."

# Where the folder of this run is; None without one.
_place: str | None = None


def place() -> str:
    """The folder with all temporary files, which TMPDIR names."""
    return _place or tempfile.gettempdir()


@contextmanager
def own_folder() -> Iterator[None]:
    """Have a folder of our own for temporary files, and for those of the programs that are started."""
    global _place
    before = tempfile.tempdir, os.environ.get("TMPDIR"), _place
    try:
        where = tempfile.gettempdir()
        _remove_abandoned(where)
        name, lock = _locked(where)
    except OSError:
        # Most runs need none. One that does says so.
        yield
        return
    _place = where
    tempfile.tempdir = os.environ["TMPDIR"] = name
    try:
        yield
    finally:
        tempfile.tempdir, variable, _place = before
        os.environ.pop("TMPDIR")
        if variable is not None:
            os.environ["TMPDIR"] = variable
        shutil.rmtree(name, ignore_errors=True)
        os.close(lock)


def _locked(where: str) -> tuple[str, int]:
    """A new folder, and its lock, which the kernel drops as this process ends."""
    while True:
        name = tempfile.mkdtemp(prefix=PREFIX, dir=where)
        lock = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.isdir(name):
            return name, lock
        # Another run removed it before it was locked.
        os.close(lock)


def _remove_abandoned(where: str) -> None:
    """Remove the folders of this user's runs that have ended."""
    for path in Path(where).glob(f"{PREFIX}*"):
        # It may be gone by now.
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
