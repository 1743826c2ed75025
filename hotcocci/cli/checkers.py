# SPDX-License-Identifier: GPL-2.0
"""``checkers install --smatch DIR``: the project's checkers in the source of a smatch."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from hotcocci.deliver.smatch_tree import install, remove


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "checkers",
        help="put the window checkers into the source of a smatch",
        description="Checkers for programs that have to be built with them.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    action = actions.add_parser(
        "install",
        help="copy them, and register them in its check_list.h",
        description=(
            "Copies checkers/smatch into the source of a smatch and registers the checkers there. "
            "Building it is left to you: make -C DIR."
        ),
    )
    action.add_argument(
        "--smatch",
        metavar="DIR",
        type=Path,
        required=True,
        help="the folder of smatch's source",
    )
    action.add_argument(
        "--remove",
        action="store_true",
        help="take them out again; the tree is then what it was before",
    )
    action.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Put the checkers in or take them out; returns the exit code."""
    tree: Path = options.smatch
    if options.remove:
        change = remove(tree)
        print(
            f"{tree}: {len(change.files)} files taken out: make -C {tree}"
            if change.changed
            else f"{tree}: there are none of these checkers"
        )
        return 0
    change = install(tree)
    print(
        f"{tree}: {len(change.files)} files put in: make -C {tree}"
        if change.changed
        else f"{tree}: all {len(change.files)} files are there already"
    )
    return 0
