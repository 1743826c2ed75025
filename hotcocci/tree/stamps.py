# SPDX-License-Identifier: GPL-2.0
"""Tell whether files have changed since an earlier run, without reading them."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable

from hotcocci.tree.select import SETTLED_NS


def stamp(path: str, settled_ns: int = SETTLED_NS) -> str:
    """A text that changes when a file or folder is written, replaced, created or removed.

    With a slash at the end of the path, it changes when the list of names in the folder does.
    A file younger than ``settled_ns`` is read.
    """
    if path.endswith("/"):
        names = [os.path.basename(entry) for entry in entries(path[:-1], "")]
        return hashlib.sha256(repr(names).encode()).hexdigest()
    try:
        stat = os.stat(path)
    except OSError:
        return "-"
    # The status change time also shows a file that was replaced by one of the same size and time.
    if time.time_ns() - stat.st_ctime_ns < settled_ns:
        # It may change again within the resolution of its times.
        return _content(path)
    return f"{stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_size}"


def stamps(paths: Iterable[str]) -> str:
    """A hash that changes with the stamp of any of the paths."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path}\0{stamp(path)}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def entries(folder: str, suffix: str) -> list[str]:
    """The sorted paths of the entries of a folder with this suffix; none if it cannot be read."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    return sorted(f"{folder}/{name}" for name in names if name.endswith(suffix))


def _content(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            return hashlib.sha256(stream.read()).hexdigest()
    except OSError as error:
        return str(error.strerror)
