# SPDX-License-Identifier: GPL-2.0
"""Check out what a series builds and compares of a commit, outside the user's checkout.

The directory stays in the cache, and the next run updates it: checking out a kernel takes minutes on
a busy disk, and builds and cached results depend on its name and on the times of its files.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hotcocci.deliver.gitrepo import SETTINGS, TIMEOUT, GitError, Repository
from hotcocci.errors import UserError
from hotcocci.pipeline.settings import Observer, Step
from hotcocci.tree.build import BUILD_FILES
from hotcocci.tree.process import run, with_parent
from hotcocci.tree.source import decode

# Seconds to wait for the lock: processes of a killed run have ended by then.
PATIENCE = 60.0
TURN = 0.1
# Files per git, between which progress is shown.
BATCH = 1000
# What neither a build of one file nor a rule reads: documents, device trees, and of tools/ all but
# objtool. checkpatch.pl wants the folder of Documentation.
UNUSED = re.compile(
    r"Documentation/.+/|tools/(?!(?:objtool|lib|include|build|scripts|arch)/).+/|arch/\w+/boot/dts/"
)

# A file's blob, and its modification time in nanoseconds; 0 for one that is being written.
State = tuple[str, int]


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
        with observer.progress("checking out") as show:
            _update(repository, commit, folder, paths, show)
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
    repository: Repository,
    commit: str,
    folder: Path,
    paths: Sequence[str],
    show: Step | None,
) -> None:
    """Make the directory hold the wanted files of a commit, and write only those that differ."""
    folder.mkdir(exist_ok=True)
    memory = folder.with_suffix(".times")
    known = _read(memory)
    wanted = {
        name: blob
        for name, blob in _files(repository, commit).items()
        if _is_wanted(name, paths)
    }
    for name in known.keys() - wanted.keys():
        (folder / name).unlink(missing_ok=True)
    stale = [
        name
        for name, blob in wanted.items()
        if known.get(name) != (blob, _time(folder / name))
    ]
    # The next run finds what this one leaves half-done, if it is interrupted.
    begun = dict.fromkeys(stale, 0)
    _write(
        memory,
        {
            n: (blob, begun.get(n, known.get(n, ("", 0))[1]))
            for n, blob in wanted.items()
        },
    )
    with tempfile.TemporaryDirectory(prefix="hotcocci-index-") as place:
        index = {"GIT_INDEX_FILE": f"{place}/index"}
        _git(repository, ["read-tree", commit], index)
        for start in range(0, len(stale), BATCH):
            if show:
                show(start, len(stale))
            names = "".join(f"{name}\0" for name in stale[start : start + BATCH])
            words = [
                "checkout-index",
                "-f",
                "-q",
                "-z",
                "--stdin",
                f"--prefix={folder}/",
            ]
            _git(repository, words, index, names)
    _write(memory, {n: (blob, _time(folder / n)) for n, blob in wanted.items()})


def _files(repository: Repository, commit: str) -> dict[str, str]:
    """The blob of each file of a commit whose name is UTF-8; kernel builds read no others."""
    listed = repository.git("ls-tree", "-r", "-z", "--full-tree", commit)
    found = {}
    for entry in listed.split("\0")[:-1]:
        head, _, name = entry.partition("\t")
        mode, kind, blob = head.split()
        if kind == "blob" and "\ufffd" not in name:
            # A file may become executable.
            found[name] = f"{blob}{mode[-3:]}"
    return found


def _is_wanted(name: str, paths: Sequence[str]) -> bool:
    if not UNUSED.match(name) or name.rpartition("/")[2].startswith(BUILD_FILES):
        return True
    return any(name == path or name.startswith(f"{path}/") for path in paths)


def _time(path: Path) -> int:
    try:
        return path.lstat().st_mtime_ns
    except (FileNotFoundError, NotADirectoryError):
        return -1


def _git(
    repository: Repository,
    words: Sequence[str],
    extra: dict[str, str],
    stdin: str = "",
) -> None:
    """Run git; it dies with this process, and must not write while the next run does."""
    settings = [word for setting in SETTINGS for word in ("-c", setting)]
    argv = with_parent(["git", *settings, *words])
    outcome = run(
        argv, repository.root, TIMEOUT, stdin=decode(stdin.encode()), extra=extra
    )
    if outcome.status != 0:
        said = (outcome.err.strip() or f"status {outcome.status}").splitlines()
        raise GitError(f"git {words[0]} failed in {repository.root}: {said[-1]}")


def _read(memory: Path) -> dict[str, State]:
    """Read the recorded state of each file."""
    try:
        text = memory.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    known = {}
    for entry in text.split("\0")[:-1]:
        head, _, name = entry.partition("\t")
        blob, written = head.split()
        known[name] = (blob, int(written))
    return known


def _write(memory: Path, files: dict[str, State]) -> None:
    fresh = memory.with_suffix(".new")
    lines = (f"{blob} {written}\t{name}\0" for name, (blob, written) in files.items())
    fresh.write_text("".join(lines), encoding="utf-8")
    os.replace(fresh, memory)
