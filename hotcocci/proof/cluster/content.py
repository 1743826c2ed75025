# SPDX-License-Identifier: GPL-2.0
"""What of a tree a build reads: its names, and how it is carried to another machine."""

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

# Bytes. dask warns of arguments above 10 MB, as its scheduler holds each for a while.
CHUNK = 4 << 20
# Of these a build reads no more than the Kconfig files, if at all. 6.12 is 1.4 GB without them.
LEFT_OUT = ("Documentation", "tools/perf", "tools/testing")
# Seconds. 6.12 takes 15 on an idle core.
UNPACK_TIMEOUT = 1800.0


@lru_cache
def state(tree: Path) -> str:
    """A hash that changes when any file is added, removed or written to; half a second for 6.12.

    Trees of one state hold the same: it is what make goes by, and git.
    """
    digest = hashlib.sha256()
    for file in files(tree):
        stat = (tree / file).lstat()
        seen = (file, stat.st_mode, stat.st_size, stat.st_mtime_ns)
        digest.update(repr(seen).encode())
    return digest.hexdigest()


@lru_cache
def name(tree: Path) -> str:
    """A hash of all contents, the name of the tree on every machine; 5 s for 6.12.

    Raises OSError for a file that cannot be read.
    """
    digest = hashlib.sha256()
    for file in files(tree):
        path = tree / file
        if path.is_symlink():
            kind, data = "link", os.fsencode(os.readlink(path))
        else:
            # kbuild starts some scripts by their name.
            kind = "program" if os.access(path, os.X_OK) else "file"
            data = path.read_bytes()
        digest.update(repr((file, kind, hashlib.sha256(data).digest())).encode())
    return digest.hexdigest()[:20]


def files(tree: Path) -> list[str]:
    """The files and links that a build may read, relative to the tree, in a fixed order."""
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
    """A tree as a compressed tar archive, in chunks. Raises UserError if it cannot be read."""
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
    """Make an archive the tree at ``place``, whole or not at all.

    Raises UserError if it is not what is expected, and OSError if the disk does not take it.
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
            # Another client was faster; what has this name has this content.
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(staged, ignore_errors=True)
