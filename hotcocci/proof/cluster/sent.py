# SPDX-License-Identifier: GPL-2.0
"""Functions that run inside a dask worker: just enough to start our code in its own process.

Workers and scheduler need no installation of ours, which could be another version: the functions
are nested, so that they are pickled by value, and use the standard library only.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]

Answer = tuple[int, str, str]


def code() -> tuple[str, bytes]:
    """Return our package as a zip archive, and its hash as a name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(PACKAGE.rglob("*")):
            if file.is_file() and file.parent.name != "__pycache__":
                where = str(file.relative_to(PACKAGE.parent))
                # A fixed timestamp keeps the hash stable.
                archive.writestr(zipfile.ZipInfo(where), file.read_bytes())
    data = packed.getvalue()
    return hashlib.sha256(data).hexdigest()[:20], data


def installer() -> Callable[[str, bytes], str]:
    """Return a function that installs our code in a worker's cache and returns its folder."""

    def install(name: str, archive: bytes) -> str:
        import io
        import os
        import shutil
        import tempfile
        import zipfile

        cache = os.environ.get("XDG_CACHE_HOME", "")
        if not os.path.isabs(cache):
            cache = os.path.expanduser("~/.cache")
        home = os.path.join(cache, "hotcocci", "code", name)
        if not os.path.isdir(home):
            os.makedirs(os.path.dirname(home), exist_ok=True)
            staged = tempfile.mkdtemp(prefix=".new-", dir=os.path.dirname(home))
            try:
                with zipfile.ZipFile(io.BytesIO(archive)) as packed:
                    packed.extractall(staged)
                os.rename(staged, home)
            except OSError:
                # Another worker on this machine may have been faster.
                shutil.rmtree(staged, ignore_errors=True)
                if not os.path.isdir(home):
                    raise
        return home

    return install


def starter() -> Callable[[str, str], Answer]:
    """Return a function that starts our code with a request; it returns status, stdout and stderr."""

    def start(home: str, request: str) -> Answer:
        import os
        import subprocess
        import sys

        done = subprocess.run(
            [sys.executable, "-m", "hotcocci.proof.cluster.worker"],
            input=request,
            cwd=home,
            env={**os.environ, "PYTHONPATH": home},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            start_new_session=True,
        )
        return done.returncode, done.stdout, done.stderr

    return start


def writer() -> Callable[[str, int, bytes], None]:
    """Return a function that writes a chunk of a file at its offset; repeating it is harmless."""

    def write(file: str, offset: int, data: bytes) -> None:
        import os

        handle = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
        with os.fdopen(handle, "wb") as stream:
            stream.seek(offset)
            stream.write(data)

    return write
