# SPDX-License-Identifier: GPL-2.0
"""Restore the modification times of files that are checked out again.

The cache and make depend on modification times: without this, every checkout of the same files would
be analysed and built from scratch.
"""

from __future__ import annotations

import os
from pathlib import Path


def settle(folder: Path, listing: str, memory: Path) -> None:
    """Restore the times of unchanged files of a checkout and record those of all files.

    ``listing`` is the output of 'git ls-files --stage -z', ``memory`` the file of recorded times.
    Raises OSError if that cannot be written.
    """
    known = _read(memory)
    seen: dict[str, tuple[str, int]] = {}
    for entry in listing.split("\0")[:-1]:
        head, _, name = entry.partition("\t")
        blob = head.split()[1]
        path = folder / name
        try:
            now = path.lstat().st_mtime_ns
            before = known.get(name)
            if before is not None and before[0] == blob and before[1] <= now:
                now = before[1]
                os.utime(path, ns=(now, now), follow_symlinks=False)
        except FileNotFoundError:
            continue  # A name that is not UTF-8 counts as new each time.
        seen[name] = (blob, now)
    fresh = memory.with_suffix(".new")
    fresh.write_text(
        "".join(f"{blob} {time}\t{name}\0" for name, (blob, time) in seen.items()),
        encoding="utf-8",
        errors="surrogateescape",
    )
    fresh.replace(memory)


def _read(memory: Path) -> dict[str, tuple[str, int]]:
    """Read the recorded blob and time, in nanoseconds, of each file."""
    try:
        text = memory.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return {}
    known = {}
    for entry in text.split("\0")[:-1]:
        head, _, name = entry.partition("\t")
        blob, time = head.split()
        known[name] = (blob, int(time))
    return known
