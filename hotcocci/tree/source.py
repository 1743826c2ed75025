# SPDX-License-Identifier: GPL-2.0
"""Read and write source files byte-exactly."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hotcocci.errors import UserError

# One character per byte: spatch counts columns in bytes, and any encoding is preserved.
ENCODING = "latin-1"


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
        if path.read_bytes() != encode(before):
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
