# SPDX-License-Identifier: GPL-2.0
"""``--stdin``: take the text of a file from standard input, as an editor has it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.pipeline.paths import trees
from hotcocci.tree.kernel import Tree, find_root, find_tree
from hotcocci.tree.source import decode


def add_stdin(parser: argparse.ArgumentParser) -> None:
    """Add ``--stdin``."""
    parser.add_argument(
        "--stdin",
        action="store_true",
        help="take the text of the one file named from standard input, unsaved as it may be",
    )


def text_of(options: argparse.Namespace) -> str | None:
    """Read the text of the file; None without --stdin.

    Raises UserError if the command line does not name one file, or asks for parts of it.
    """
    if not options.stdin:
        return None
    if len(options.paths) != 1 or options.paths[0].is_dir():
        raise UserError("--stdin needs one path, that of the file in a kernel tree")
    if options.diff_base is not None or getattr(options, "diff", []):
        raise UserError("--stdin cannot be used with --diff or --diff-base: omit one")
    return decode(sys.stdin.buffer.read())


def trees_of(
    options: argparse.Namespace, edited: str | None
) -> list[tuple[Tree, list[Path]]]:
    """Return the trees of the paths, as `trees`; a file with an edited text, and its folder, need not be there yet."""
    (path, *_) = options.paths
    if edited is None or path.exists():
        return trees(options.paths)
    return [(find_tree(find_root(path) or path.parent), [path])]
