# SPDX-License-Identifier: GPL-2.0
"""Check out a commit temporarily, outside the user's checkout."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hotcocci.deliver.gitrepo import SETTINGS, GitError, Repository
from hotcocci.deliver.times import settle
from hotcocci.errors import UserError
from hotcocci.tree.process import environment, with_parent

# Seconds to wait for the lock: processes of a killed run have ended by then.
PATIENCE = 60.0
TURN = 0.1


@contextmanager
def checked_out(repository: Repository, commit: str, cache: Path) -> Iterator[Path]:
    """Check out a commit until the block ends; yields the directory.

    The directory has the same name in every run, and unchanged files keep their times, as builds and
    cached results depend on both. Leftovers of a killed run are removed. Raises UserError while
    another run uses the directory.
    """
    home = cache.resolve() / "worktrees"
    home.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(f"{home}\0{repository.common}".encode()).hexdigest()[:16]
    folder = home / f"hotcocci-{digest}"
    with folder.with_suffix(".lock").open("w") as lock:
        _lock(lock.fileno(), repository)
        _remove(repository, folder)
        try:
            _add(repository, commit, folder, lock.fileno())
            listing = repository.git("ls-files", "--stage", "-z", cwd=folder)
            settle(folder, listing, folder.with_suffix(".times"))
            yield folder
        finally:
            _remove(repository, folder)


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


def _add(repository: Repository, commit: str, folder: Path, lock: int) -> None:
    """Check out a commit; git inherits the lock and dies with this process.

    A checkout takes minutes on a busy disk and must not outlive a killed run. 'git worktree add'
    would run 'git reset' as a child of its own, which would survive.
    """
    place = str(folder)
    steps = (
        ["worktree", "add", "--quiet", "--detach", "--no-checkout", place, commit],
        ["-C", place, "reset", "--quiet", "--hard", "--no-recurse-submodules"],
    )
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    for words in steps:
        ran = subprocess.run(
            with_parent(["git", *settings, *words]),
            cwd=repository.root,
            env=environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            pass_fds=(lock,),
            check=False,
        )
        if ran.returncode != 0:
            said = (ran.stderr.strip() or f"status {ran.returncode}").splitlines()
            raise GitError(
                f"git cannot check out {commit[:12]} in {folder}: {said[-1]}"
            )


def _remove(repository: Repository, folder: Path) -> None:
    """Remove a checkout and git's record of it.

    'git worktree remove' refuses an incomplete one, and 'prune' would also remove worktrees of the
    user's on a disk that is not mounted.
    """
    shutil.rmtree(folder, ignore_errors=True)
    known = repository.common / "worktrees"
    for entry in known.glob(f"{folder.name}*"):
        shutil.rmtree(entry, ignore_errors=True)
    if known.is_dir() and not any(known.iterdir()):
        known.rmdir()
