# SPDX-License-Identifier: GPL-2.0
"""``--diff FILE``: read patches."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from collections.abc import Callable
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.incoming import Patch, read
from hotcocci.tree.source import decode
from hotcocci.tree.source import read as contents

STDIN = "-"


def add_diff(parser: argparse.ArgumentParser) -> None:
    """Add ``--diff``."""
    parser.add_argument(
        "--diff",
        action="append",
        default=[],
        metavar="FILE",
        help="only what these patches add, applied or not: a diff, a mail, an mbox, "
        "a 'git format-patch' directory, or - for standard input; may be repeated",
    )


def patches_of(names: Sequence[str], diff_base: str | None, trees: int) -> list[Patch]:
    """Read the patches of ``--diff``, in order; ``trees`` is the number of trees.

    Raises UserError if one cannot be read, for several trees, and together with --diff-base.
    """
    if names and diff_base:
        raise UserError(
            "--diff and --diff-base cannot be used together: omit one of them"
        )
    if names and trees > 1:
        raise UserError(
            f"--diff applies to one tree, but the paths are in {trees}: name one of them"
        )
    return [patch for name in names for patch in patches_in(name)]


def patches_in(name: str) -> list[Patch]:
    """Read the patches of a file, a directory or, for "-", standard input.

    Raises UserError if there are none, or they cannot be read.
    """
    if name == STDIN:
        return read("standard input", decode(sys.stdin.buffer.read()))
    path = Path(name)
    if path.is_dir():
        files = sorted(path.glob("*.patch"))
        if not files:
            raise UserError(
                f"{path} has no *.patch files: write them with 'git format-patch -o {path}'"
            )
        # A cover letter has no patch.
        own = [f for f in files if not f.name.startswith("0000-")]
        return [patch for file in own for patch in _read(file, contents)]
    # Whoever names a pipe wants it read.
    return _read(path, Path.read_bytes)


def _read(path: Path, contents_of: Callable[[Path], bytes]) -> list[Patch]:
    try:
        return read(str(path), decode(contents_of(path)))
    except OSError as error:
        raise UserError(
            f"cannot read {path}: {error.strerror}: name a diff, a mail, an mbox or a directory of patches"
        ) from error
