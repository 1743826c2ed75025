# SPDX-License-Identifier: GPL-2.0
"""A temporary checkout of one commit, outside of the user's own."""

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

# Seconds. What a killed run has started is ended by then.
PATIENCE = 60.0
TURN = 0.1


@contextmanager
def checked_out(repository: Repository, commit: str, cache: Path) -> Iterator[Path]:
    """The files of a commit, until the block ends.

    The folder has the same name at every run, and files that are the same have the same times: builds
    and answers are kept by both.
    What a killed run left there is taken away. Raises UserError while another run uses it.
    """
    home = cache.resolve() / "worktrees"
    home.mkdir(parents=True, exist_ok=True)
    told = hashlib.sha256(f"{home}\0{repository.common}".encode()).hexdigest()[:16]
    folder = home / f"hotcocci-{told}"
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
                    f"another run makes a series from {repository.root}: wait for its end"
                ) from error
            time.sleep(TURN)


def _add(repository: Repository, commit: str, folder: Path, lock: int) -> None:
    """Check out; git is ended with this process, and holds the lock until it is.

    That takes minutes on a busy disk: whoever kills a run need not wait for it.
    'git worktree add' leaves the checkout to a 'git reset' of its own, which would go on.
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
    """Take a checkout away, and what git remembers of it.

    'git worktree remove' refuses one that is half made, and 'prune' would take those of the user
    that are on a disk which is not mounted.
    """
    shutil.rmtree(folder, ignore_errors=True)
    known = repository.common / "worktrees"
    for entry in known.glob(f"{folder.name}*"):
        shutil.rmtree(entry, ignore_errors=True)
    if known.is_dir() and not any(known.iterdir()):
        known.rmdir()
