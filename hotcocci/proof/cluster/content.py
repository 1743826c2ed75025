# SPDX-License-Identifier: GPL-2.0
"""Identify a tree by the files that a build reads, and transfer it to other machines."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.build import BUILD_FILES
from hotcocci.tree.process import environment, run
from hotcocci.tree.source import read

# Bytes. dask warns of arguments above 10 MB, which its scheduler keeps for a while.
CHUNK = 4 << 20
# A build reads at most Kconfig files from these. Without them 6.12 is 1.4 GB.
LEFT_OUT = ("Documentation", "tools/perf", "tools/testing")
# Seconds; 6.12 takes 15 on an idle core.
UNPACK_TIMEOUT = 1800.0


@lru_cache
def state(tree: Path) -> str:
    """Return a hash that changes if a file is added, removed or written; 0.5 s for 6.12.

    It uses mode, size and mtime, as make and git do.
    """
    digest = hashlib.sha256()
    for file in files(tree):
        stat = (tree / file).lstat()
        seen = (file, stat.st_mode, stat.st_size, stat.st_mtime_ns)
        digest.update(repr(seen).encode())
    return digest.hexdigest()


@lru_cache
def name(tree: Path) -> str:
    """Return a hash of all contents, which names the tree on every machine; 5 s for 6.12.

    Raises OSError for a file that cannot be read.
    """
    digest = hashlib.sha256()
    for file in files(tree):
        path = tree / file
        if path.is_symlink():
            kind, data = "link", os.fsencode(os.readlink(path))
        else:
            # kbuild executes some scripts directly.
            kind = "program" if os.access(path, os.X_OK) else "file"
            data = read(path)
        digest.update(repr((file, kind, hashlib.sha256(data).digest())).encode())
    return digest.hexdigest()[:20]


def files(tree: Path) -> list[str]:
    """The files and links that a build may read, relative to the tree, sorted."""
    found = []
    for folder, folders, names in os.walk(tree):
        below = os.path.relpath(folder, tree)
        if below == ".":
            folders[:] = [each for each in folders if each != ".git"]
        links = [f for f in folders if os.path.islink(os.path.join(folder, f))]
        spare = f"{below}/".startswith(tuple(f"{left}/" for left in LEFT_OUT))
        for each in (*names, *links):
            if not spare or each.startswith(BUILD_FILES):
                found.append(os.path.normpath(os.path.join(below, each)))
    return sorted(found)


def packed(tree: Path) -> Iterator[bytes]:
    """Yield a tree as a compressed tar archive, in chunks.

    Raises UserError if it cannot be read.
    """
    with tempfile.TemporaryFile() as listed:
        listed.write(b"".join(os.fsencode(file) + b"\0" for file in files(tree)))
        listed.seek(0)
        argv = ["tar", "-c", "-I", "gzip -1", "--null", "--no-recursion", "-T", "-"]
        with subprocess.Popen(
            argv,
            cwd=tree,
            env=environment(),
            stdin=listed,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as process:
            assert process.stdout is not None
            try:
                while chunk := process.stdout.read(CHUNK):
                    yield chunk
            except BaseException:
                process.kill()
                raise
    if process.returncode:
        raise UserError(
            f"cannot pack {tree} for another machine: check with 'tar -c {tree} > /dev/null'"
        )


def unpack(archive: Path, place: Path, expected: str) -> None:
    """Unpack an archive to ``place``, entirely or not at all.

    Raises UserError if the content is not ``expected``, and OSError if there is no room.
    """
    staged = Path(tempfile.mkdtemp(prefix=".unpacked-", dir=place.parent))
    try:
        argv = ["tar", "-x", "-z", "--no-same-owner", "-f", str(archive)]
        outcome = run(argv, staged, UNPACK_TIMEOUT)
        if outcome.status != 0 or name(staged) != expected:
            raise UserError(
                f"the tree did not arrive whole in {staged.parent}: free some space there"
            )
        try:
            staged.rename(place)
        except OSError:
            # Another client was faster; the same name means the same content.
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(staged, ignore_errors=True)
