# SPDX-License-Identifier: GPL-2.0
"""Files that are checked out again bear the time at which they were first.

What is remembered of a tree, and what make builds of it, goes by the times of its files: a second
checkout of the same files would be a tree of which nothing is known.
"""

from __future__ import annotations

import os
from pathlib import Path


def settle(folder: Path, listing: str, memory: Path) -> None:
    """Give the files of a checkout their times of before; those with other contents keep theirs.

    ``listing`` is what 'git ls-files --stage -z' prints there, ``memory`` the file that is remembered
    in. Raises OSError if that cannot be written.
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
            continue  # A name that is not UTF-8: it is new each time.
        seen[name] = (blob, now)
    fresh = memory.with_suffix(".new")
    fresh.write_text(
        "".join(f"{blob} {time}\t{name}\0" for name, (blob, time) in seen.items()),
        encoding="utf-8",
        errors="surrogateescape",
    )
    fresh.replace(memory)


def _read(memory: Path) -> dict[str, tuple[str, int]]:
    """What is remembered of each file: its contents as git names them, and its time in nanoseconds."""
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
