# SPDX-License-Identifier: GPL-2.0
"""``cache``: what the cache folder holds; clear or prune it."""

from __future__ import annotations

import argparse
from pathlib import Path

from hotcocci.cache import default_folder
from hotcocci.cli.options import positive
from hotcocci.pipeline.storage import Part, parts, remove
from hotcocci.plural import count

DAYS = 30


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Show what the cache holds: results, prepared kernel builds, checkouts. "
        "'clear' removes all of it, 'prune' what was not used lately; it is made again when needed."
    )
    parser.add_argument(
        "action",
        nargs="?",
        choices=("show", "clear", "prune"),
        default="show",
        help="what to do (default: show)",
    )
    parser.add_argument(
        "--days",
        type=positive,
        default=DAYS,
        metavar="N",
        help="prune what was not used for N days (default: %(default)s)",
    )
    parser.add_argument(
        "--cache-dir",
        type=Path,
        default=default_folder(),
        metavar="DIR",
        help="where results are cached (default: %(default)s)",
    )
    parser.set_defaults(run=run)


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
    total = sum(part.size for part in found)
    print(f"{_megabytes(total):>10}  in {folder}")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
