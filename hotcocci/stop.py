# SPDX-License-Identifier: GPL-2.0
"""End all programs that this process started, and theirs, and leave no temporary files.

They are in one folder for all of a run; a later run removes it if this one is killed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

# Enough for a chain of programs, each of which starts the next as it is killed.
SWEEPS = 5
SLEEPING = b"S"

_stopped = False


def is_stopped() -> bool:
    """Whether `stop_all` was called: what a program prints from then on is no answer."""
    return _stopped


def stop_all() -> None:
    """Kill all programs that this process started, directly or not, with their process groups."""
    global _stopped
    _stopped = True
    for _ in range(SWEEPS):
        found = _descendants(os.getpid())
        if not found:
            return
        for process, _ in found:
            _end(process)


def is_asleep(process: int) -> bool:
    """Whether a child and all that it started wait for something other than a processor or a disk."""
    # Looking at all processes takes longer than at one.
    try:
        state, _ = _state(str(process))
    except (FileNotFoundError, ProcessLookupError):
        return False  # It has just ended.
    if state != SLEEPING:
        return False
    return all(state == SLEEPING for _, state in _descendants(process))


def processor_time(pid: int) -> float:
    """The processor time of a child that was not waited for, in seconds."""
    # The clock of clock_getcpuclockid(3), which Python does not have.
    return time.clock_gettime(~pid << 3 | 2)


def _descendants(ancestor: int) -> list[tuple[int, bytes]]:
    """The processes that a process started, directly or not, with their states; parents first, no zombies."""
    children: dict[int, list[tuple[int, bytes]]] = {}
    # Path.glob() looks at each entry, and fails if a process has just ended.
    for process in filter(str.isdecimal, os.listdir("/proc")):
        try:
            state, parent = _state(process)
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has just ended.
        if state != b"Z":
            children.setdefault(parent, []).append((int(process), state))
    found = children.get(ancestor, [])
    for child, _ in found:
        found += children.get(child, [])
    return found


def _state(process: str) -> tuple[bytes, int]:
    """The state of a process, and its parent."""
    # The name, in parentheses, may contain anything.
    fields = Path(f"/proc/{process}/stat").read_bytes().rpartition(b") ")[2].split()
    return fields[0], int(fields[1])


def _end(process: int) -> None:
    try:
        if os.getpgid(process) == process:
            os.killpg(process, signal.SIGKILL)
        else:
            os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # It has ended, or is not ours to end (sudo).


PREFIX = "hotcocci-run."

# Where the folder of this run is; None without one.
_place: str | None = None


def place() -> str:
    """The folder with all temporary files, which TMPDIR names."""
    return _place or tempfile.gettempdir()


@contextmanager
def own_folder() -> Iterator[None]:
    """Have a folder of our own for temporary files, and for those of the programs that are started."""
    global _place
    before = tempfile.tempdir, os.environ.get("TMPDIR"), _place
    try:
        where = tempfile.gettempdir()
        _remove_abandoned(where)
        name, lock = _locked(where)
    except OSError:
        # Most runs need none. One that does says so.
        yield
        return
    _place = where
    tempfile.tempdir = os.environ["TMPDIR"] = name
    try:
        yield
    finally:
        tempfile.tempdir, variable, _place = before
        os.environ.pop("TMPDIR")
        if variable is not None:
            os.environ["TMPDIR"] = variable
        shutil.rmtree(name, ignore_errors=True)
        os.close(lock)


def _locked(where: str) -> tuple[str, int]:
    """A new folder, and its lock, which the kernel drops as this process ends."""
    while True:
        name = tempfile.mkdtemp(prefix=PREFIX, dir=where)
        lock = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.isdir(name):
            return name, lock
        # Another run removed it before it was locked.
        os.close(lock)


def _remove_abandoned(where: str) -> None:
    """Remove the folders of this user's runs that have ended."""
    for path in Path(where).glob(f"{PREFIX}*"):
        # It may be gone by now.
        with suppress(OSError):
            lock = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
            finally:
                os.close(lock)
