# SPDX-License-Identifier: GPL-2.0
"""``cache``: what the cache folder holds; clear or prune it."""

import argparse
import fcntl
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from hotcocci.cache import FILE_NAME
from hotcocci.cli.options import add, add_named
from hotcocci.errors import UserError
from hotcocci.heat.index import NAME
from hotcocci.names import count
from hotcocci.tree.build import is_used

DAY_SECONDS = 86400


@dataclass(frozen=True)
class Part:
    """The results, a prepared kernel build, or a checkout that series works in.

    ``files`` are its files and folders, without the lock: another run may be waiting for it. ``size`` is in bytes, ``idle_days`` since its last use.
    """

    name: str
    files: tuple[Path, ...]
    lock: Path | None
    size: int
    idle_days: int


def parts(folder: Path) -> list[Part]:
    """The parts of a cache folder, the results first."""
    results = sorted(folder.glob(f"{FILE_NAME}*"))
    found = [_part("results", results, None)] if results else []
    readers = sorted(folder.glob(f"{NAME}*"))
    found += [_part("reader of calls", readers, None)] if readers else []
    for kind, what in (("builds", "build"), ("worktrees", "checkout")):
        for place in sorted((folder / kind).glob("*/")):
            lock = place.with_suffix(".lock")
            files = [place, *place.parent.glob(f"{place.name}.*")]
            files = [file for file in files if file != lock]
            found.append(_part(f"{what} {place.name}", files, lock))
    return found


def remove(part: Part) -> bool:
    """Remove a part; False if another run uses it. Raises UserError if it cannot be removed."""
    try:
        if part.lock is None:
            _delete(part)
            return True
        with part.lock.open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            if is_used(part.lock.with_suffix("")):
                return False
            _delete(part)
            return True
    except OSError as error:
        raise UserError(
            f"cannot remove {error.filename or part.name}: {error.strerror}: remove it by hand"
        ) from error


def _delete(part: Part) -> None:
    for file in part.files:
        if file.is_dir():
            shutil.rmtree(file)
        else:
            file.unlink(missing_ok=True)


def _part(name: str, files: list[Path], lock: Path | None) -> Part:
    every = [path for file in files for path in (file, *file.rglob("*"))]
    stats = [path.lstat() for path in every]
    # Taking its lock is the last use of a build; its files are older.
    used = lock if lock is not None and lock.exists() else files[0]
    idle = int((time.time() - used.lstat().st_mtime) // DAY_SECONDS)
    # Hard links and sparse files take the blocks they have.
    size = sum(stat.st_blocks * 512 for stat in stats)
    return Part(name, tuple(files), lock, size, idle)


DAYS = 30


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Show what the cache holds: results, our compiled reader, prepared kernel builds, checkouts. "
        "'clear' removes all of it, 'prune' what was not used lately; it is made again when needed."
    )
    actions = ("show", "clear", "prune")
    text = {"action": "what to do (default: show)"}
    add_named(parser, text, nargs="?", choices=actions, default="show")
    text = {"--days N": "prune what was not used for N days (default: %(default)s)"}
    add_named(parser, text, default=DAYS)
    add(parser, "--cache-dir")


def run(options: argparse.Namespace) -> int:
    """Show or remove the parts of the cache; returns the exit code."""
    found = parts(options.cache_dir)
    if options.action == "prune":
        found = [part for part in found if part.idle_days >= options.days]
    if options.action == "show":
        _show(options.cache_dir, found)
        return 0
    removed = 0
    for part in found:
        if remove(part):
            removed += part.size
            print(f"removed: {part.name} ({_megabytes(part.size)})")
        else:
            print(f"in use by another run: {part.name}")
    print(f"{_megabytes(removed)} freed in {options.cache_dir}")
    return 0


def _show(folder: Path, found: list[Part]) -> None:
    for part in found:
        idle = (
            f"used {count(part.idle_days, 'day')} ago"
            if part.idle_days
            else "used today"
        )
        print(f"{_megabytes(part.size):>10}  {part.name}, {idle}")
    print(f"{_megabytes(sum(part.size for part in found)):>10}  in {folder}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
