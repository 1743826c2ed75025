# SPDX-License-Identifier: GPL-2.0
"""Read and write source files byte-exactly."""

from __future__ import annotations

import errno
import os
import re
import stat
import tempfile
from pathlib import Path

from hotcocci.errors import UserError

# One character per byte: spatch counts columns in bytes, and any encoding is preserved.
ENCODING = "latin-1"
# Bytes. The largest file of 7.2, a generated header, has 24 million.
MOST = 64 << 20

# Without groups, as the search for one of a few first characters is fast.
COMMENT_OR_STRING = re.compile(
    rb"""/\*.*?\*/|//[^\n]*|"[^"\\\n]*(?:\\.[^"\\\n]*)*"|'(?:\\[^\n][^'\n]{0,3}|[^'\\\n])'""",
    re.DOTALL,
)
_COMMENT = re.compile(rb"/(?:\*[^*]*\*+(?:[^/*][^*]*\*+)*/|/[^\n]*)")
# What begins a comment, perhaps within a string or a character.
_QUOTED = (re.compile(rb'"[^"\n]*/[/*]'), re.compile(rb"'\\[^\n]{0,3}/"))
_SLASH = ord("/")


def without_comments(data: bytes) -> bytes:
    """A source file with blanks for comments, on the same lines."""

    def blank(found: re.Match[bytes]) -> bytes:
        if found[0][0] != _SLASH:
            return found[0]
        return b"\n".join(b" " * len(line) for line in found[0].split(b"\n"))

    return COMMENT_OR_STRING.sub(blank, data)


def uncommented(data: bytes) -> bytes:
    """A source file, whose lines were joined at backslashes, with one blank for each comment."""
    if any(each.search(data) for each in _QUOTED):
        return COMMENT_OR_STRING.sub(
            lambda found: b" " if found[0][0] == _SLASH else found[0], data
        )
    # Without a call for each comment and string it takes a fifth of the time.
    return _COMMENT.sub(b" ", data)


def read(path: str | Path, most: int = MOST) -> bytes:
    """The contents of a regular file of at most ``most`` bytes.

    Raises OSError, also for anything else: a pipe would block, and a device never end.
    """
    _check(os.stat(path), path, most)
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    # Not a stream, which takes as long as the rest: a tree has 60,000 files.
    try:
        # It may be another file by now.
        status = os.fstat(handle)
        _check(status, path, most)
        return os.read(handle, status.st_size + 1)
    finally:
        os.close(handle)


def _check(status: os.stat_result, path: str | Path, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))
    if status.st_size > most:
        raise OSError(errno.EFBIG, f"it has more than {most >> 20} MB", str(path))


def read_text(path: Path) -> str:
    """The text of a file whose other bytes than UTF-8 do not matter, with line ends of Unix.

    Raises OSError like read().
    """
    found = read(path).decode("utf-8", "surrogateescape")
    return found.replace("\r\n", "\n").replace("\r", "\n")


def decode(data: bytes) -> str:
    """The text of a source file, one character per byte."""
    return data.decode(ENCODING)


def encode(text: str) -> bytes:
    """The bytes of a text from decode()."""
    return text.encode(ENCODING)


def readable(text: str) -> str:
    """A text from decode() as UTF-8, for display."""
    return encode(text).decode("utf-8", "replace")


def replace(path: Path, before: str, after: str) -> None:
    """Atomically replace the contents ``before`` of a file by ``after``.

    The file keeps its mode. Raises UserError, and leaves the file unchanged, if its contents
    are no longer ``before`` or it cannot be written.
    """
    try:
        if read(path) != encode(before):
            raise UserError(
                f"{path} was changed in the meantime and is left alone: run the command again"
            )
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(encode(after))
                stream.flush()
                os.fchmod(stream.fileno(), path.stat().st_mode & 0o7777)
                os.fsync(stream.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UserError(
            f"cannot write {path}: {error.strerror}: the file is unchanged"
        ) from error
