# SPDX-License-Identifier: GPL-2.0
"""``--diff FILE``: reads patches that are not applied yet."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.incoming import Patch, read
from hotcocci.tree.source import decode

STDIN = "-"


def add_diff(parser: argparse.ArgumentParser) -> None:
    """``--diff``."""
    parser.add_argument(
        "--diff",
        action="append",
        default=[],
        metavar="FILE",
        help="what these patches would add to the tree, which they are not applied to: a diff, "
        "a mail or an mbox, or a folder of 'git format-patch', - for standard input; may be repeated",
    )


def patches_of(names: Sequence[str], diff_base: str | None, trees: int) -> list[Patch]:
    """The patches that were named, in their order, for this number of trees.

    Raises UserError if one cannot be read, or does not go with what else was asked for.
    """
    if names and diff_base:
        raise UserError(
            "--diff and --diff-base are two ways to name a change: use one of them"
        )
    if names and trees > 1:
        raise UserError(
            f"patches belong to one tree and the paths lie in {trees}: name one of them"
        )
    return [patch for name in names for patch in patches_in(name)]


def patches_in(name: str) -> list[Patch]:
    """The patches of a file, a folder or, with "-", standard input.

    Raises UserError if there are none, or they cannot be read.
    """
    if name == STDIN:
        return read("standard input", decode(sys.stdin.buffer.read()))
    path = Path(name)
    if path.is_dir():
        files = sorted(path.glob("*.patch"))
        if not files:
            raise UserError(
                f"{path} has no *.patch: write them with 'git format-patch -o {path}'"
            )
        # The cover letter of a folder is no mistake.
        return [p for f in files if not f.name.startswith("0000-") for p in _read(f)]
    return _read(path)


def _read(path: Path) -> list[Patch]:
    try:
        return read(str(path), decode(path.read_bytes()))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: name a diff, a mail, an mbox or a folder of them"
        ) from error
