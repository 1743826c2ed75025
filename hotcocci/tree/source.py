# SPDX-License-Identifier: GPL-2.0
"""Reading and writing source files without changing a byte that was not meant."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hotcocci.errors import UserError

# One character per byte: spatch counts columns in bytes, and whatever else a file is
# written in comes out as it went in.
ENCODING = "latin-1"


def decode(data: bytes) -> str:
    """The text of a source file, one character per byte."""
    return data.decode(ENCODING)


def encode(text: str) -> bytes:
    """The bytes of a text that decode() made."""
    return text.encode(ENCODING)


def readable(text: str) -> str:
    """The text as it is meant for people, who read UTF-8."""
    return encode(text).decode("utf-8", "replace")


def replace(path: Path, before: str, after: str) -> None:
    """Make ``after`` the content of a file whose content is ``before``.

    The file is replaced as a whole and keeps its mode. Raises UserError, and leaves the file
    as it is, if its content is another by now or the disk does not take the new one.
    """
    try:
        if path.read_bytes() != encode(before):
            raise UserError(
                f"{path} was changed meanwhile and is left as it is: run the command again"
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
            f"cannot write {path}: {error.strerror}: the file is left as it was"
        ) from error
