# SPDX-License-Identifier: GPL-2.0
"""End all programs that this process started, and theirs."""

from __future__ import annotations

import os
import signal
from pathlib import Path

# Enough for a chain of programs, each of which starts the next as it is killed.
SWEEPS = 5

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
        for process in found:
            _end(process)


def _descendants(ancestor: int) -> list[int]:
    """The processes that a process started, directly or not, parents first; no zombies."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            # The name, in parentheses, may contain anything.
            fields = entry.read_bytes().rpartition(b") ")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has just ended.
        state, parent = fields[0], int(fields[1])
        if state != b"Z":
            children.setdefault(parent, []).append(int(entry.parent.name))
    found = [ancestor]
    for process in found:
        found += children.get(process, [])
    return found[1:]


def _end(process: int) -> None:
    try:
        if os.getpgid(process) == process:
            os.killpg(process, signal.SIGKILL)
        else:
            os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # It has ended, or is not ours to end (sudo).
