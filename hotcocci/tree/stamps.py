# SPDX-License-Identifier: GPL-2.0
"""Tell whether files have changed since an earlier run.

A stamp is taken without reading the file, and may also change when the file does not: a hard link to it
changes its inode (``cp -al``, ``rsync --link-dest``). Then its content tells.
"""

from __future__ import annotations

import hashlib
import os
import stat
import time
from collections.abc import Iterable, Mapping

from hotcocci.tree.source import read, uncommented

# Nanoseconds. A younger file may change again with the same times.
SETTLED_NS = 2_000_000_000
MISSING = "-"

# Modification time and status change time in ns, size in bytes
Times = tuple[int, int, int]

# The files that this process has read, or an earlier one that kept their hash, by path.
_contents: dict[str, tuple[Times, str]] = {}
# The hash of what is left of a file without comments, by the hash of all of it.
_codes: dict[str, str] = {}


def stamp(path: str) -> str:
    """A text that changes when a file or folder is written, replaced, created or removed.

    With a slash at the end of the path, it changes when the list of names in the folder does.
    A file younger than `SETTLED_NS` is read.
    """
    if path.endswith("/"):
        return _names(path)
    try:
        times = times_of(os.stat(path))
    except OSError:
        return MISSING
    # The status change time also shows a file that was replaced by one of the same size and time.
    if times[1] >= settled_before():
        return content(path)
    return " ".join(map(str, times))


def content(path: str) -> str:
    """A hash of what a file contains; like `stamp` for a folder and for a file that does not exist.

    It does not depend on the path. A file is read again if its times or its size have changed.
    """
    if path.endswith("/"):
        return _names(path)
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            return "a folder"
        times = times_of(status)
        known = _contents.get(path)
        if known is not None and known[0] == times:
            return known[1]
        before = settled_before()
        found = hashed(read(path))
    except FileNotFoundError:
        return MISSING
    except OSError as error:
        return str(error.strerror)
    if times[1] < before:
        keep(path, times, found)
    return found


def code(path: str) -> str:
    """A hash of what a compiler reads of a file: comments, and blanks at the end of lines, do not count.

    Like `content` for a folder and for a file that cannot be read.
    """
    found = content(path)
    if found not in _codes:
        try:
            _codes[found] = code_of(read(path))
        except OSError:
            return found
    return _codes[found]


def code_of(data: bytes) -> str:
    """The hash that `code` has for a file with these contents."""
    # As compilers do, lines are joined first: a comment may go on after a backslash.
    if b"\\" in data:
        data = data.replace(b"\\\n", b"")
    bare = uncommented(data)
    return hashed(b"\n".join(filter(None, map(bytes.rstrip, bare.split(b"\n")))))


def know_codes(codes: Mapping[str, str]) -> None:
    """Take hashes of code as known, by the hash of the contents."""
    _codes.update(codes)


def keep(path: str, times: Times, found: str) -> None:
    """Keep the hash of a file that was settled when it was read."""
    _contents[path] = times, found


def hashed(data: bytes) -> str:
    """The hash of a file's contents."""
    return hashlib.sha256(data).hexdigest()[:32]


def times_of(status: os.stat_result) -> Times:
    """The times and the size of a file."""
    return status.st_mtime_ns, status.st_ctime_ns, status.st_size


def settled_before() -> int:
    """The status change time in ns before which a file cannot be written from now on and keep it."""
    return time.time_ns() - SETTLED_NS


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


def _names(folder: str) -> str:
    names = [os.path.basename(entry) for entry in entries(folder[:-1], "")]
    return hashlib.sha256(repr(names).encode()).hexdigest()
