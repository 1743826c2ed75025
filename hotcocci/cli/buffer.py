# SPDX-License-Identifier: GPL-2.0
"""``--stdin``: take the text of a file from standard input, as an editor has it."""

from __future__ import annotations

import argparse
import sys

from hotcocci.errors import UserError
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
    if len(options.paths) != 1 or not options.paths[0].is_file():
        raise UserError("--stdin needs one path, that of the file in a kernel tree")
    if options.diff_base is not None or getattr(options, "diff", []):
        raise UserError("--stdin cannot be used with --diff or --diff-base: omit one")
    return decode(sys.stdin.buffer.read())
