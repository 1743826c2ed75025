# SPDX-License-Identifier: GPL-2.0
"""Check out what a series builds and compares of a commit, outside the user's checkout.

The directory stays in the cache, and the next run updates it: checking out a kernel takes minutes on
a busy disk, and builds and cached results depend on its name and on the times of its files.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hotcocci.deliver.gitrepo import Repository
from hotcocci.errors import UserError
from hotcocci.pipeline.settings import Observer
from hotcocci.tree.build import BUILD_FILES
from hotcocci.tree.source import decode

# Seconds to wait for the lock: processes of a killed run have ended by then.
PATIENCE = 60.0
TURN = 0.1
# What neither a build of one file nor a rule reads: documents, device trees, and of tools/ all but
# objtool. checkpatch.pl wants the folder of Documentation.
UNUSED = re.compile(
    r"Documentation/.+/|tools/(?!(?:objtool|lib|include|build|scripts|arch)/).+/|arch/\w+/boot/dts/"
)


@contextmanager
def checked_out(
    repository: Repository,
    commit: str,
    cache: Path,
    paths: Sequence[str],
    observer: Observer,
) -> Iterator[Path]:
    """Check out a commit, and what is at and below ``paths`` in full; yields the directory.

    Raises UserError while another run uses the directory.
    """
    home = cache.resolve() / "worktrees"
    home.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(
        f"{home}\0{repository.common}".encode("utf-8", "surrogateescape")
    ).hexdigest()[:16]
    folder = home / f"series-{digest}"
    with folder.with_suffix(".lock").open("w") as lock:
        with observer.progress("waiting for another series of this repository"):
            _lock(lock.fileno(), repository)
        with observer.progress("checking out"):
            _update(repository, commit, folder, paths)
        yield folder


def _lock(lock: int, repository: Repository) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() > until:
                raise UserError(
                    f"another run is making a series from {repository.root}: wait for it to finish"
                ) from error
            time.sleep(TURN)


def _update(
    repository: Repository, commit: str, folder: Path, paths: Sequence[str]
) -> None:
    """Make the directory hold the wanted files of a commit; git writes only those that differ from its index."""
    folder.mkdir(exist_ok=True)
    index = folder.with_suffix(".index")
    # A run that was killed leaves its lock.
    Path(f"{index}.lock").unlink(missing_ok=True)
    place = {
        "GIT_DIR": str(repository.common),
        "GIT_INDEX_FILE": str(index),
        "GIT_WORK_TREE": str(folder),
    }

    def listed(*command: str) -> list[str]:
        """The files that git lists whose name is UTF-8; kernel builds read no others."""
        names = repository.git(*command, extra=place).split("\0")
        return [name for name in names if name and "\ufffd" not in name]

    def mark(flag: str, names: Sequence[str]) -> None:
        told = decode("".join(f"{name}\0" for name in names).encode())
        repository.git("update-index", "-z", flag, "--stdin", stdin=told, extra=place)

    known = listed("ls-files", "-z")
    names = listed("ls-tree", "-r", "-z", "--name-only", commit)
    wanted = [name for name in names if _is_wanted(name, paths)]
    unused = sorted({*names} - {*wanted})
    # Before the index forgets them, or a run that is killed leaves them for ever.
    for name in {*known} - {*wanted}:
        (folder / name).unlink(missing_ok=True)
    repository.git("read-tree", "--reset", commit, extra=place)
    mark("--skip-worktree", unused)
    mark("--no-skip-worktree", wanted)
    repository.git("checkout-index", "-a", "-f", "-q", "-u", extra=place)


def _is_wanted(name: str, paths: Sequence[str]) -> bool:
    if not UNUSED.match(name) or name.rpartition("/")[2].startswith(BUILD_FILES):
        return True
    return any(name == path or name.startswith(f"{path}/") for path in paths)
