# SPDX-License-Identifier: GPL-2.0
"""``checkers``: add the smatch checkers to a source tree, or build the clang-tidy plugin."""

import argparse
from pathlib import Path

from hotcocci.cli.options import add_named
from hotcocci.deliver.installed import CHECKERS, put_checkers
from hotcocci.engines.clang_tidy import build, plugin
from hotcocci.errors import EngineMissing, UserError
from hotcocci.names import count


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = "Manage checkers that are compiled into another tool."
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    action = actions.add_parser(
        "install",
        help="copy the checkers and register them in check_list_local.h",
        description=(
            "Copy checkers/smatch into a smatch source tree and register the checkers. "
            "Then build smatch with 'make -C DIR'."
        ),
    )
    add_named(action, {"--smatch DIR": "smatch source tree"}, required=True)
    add_named(action, {"--remove": "remove the checkers and restore the tree"})
    action = actions.add_parser(
        "build",
        help="build the clang-tidy plugin",
        description="Build the clang-tidy plugin, unless it is up to date.",
    )
    action.set_defaults(run=run_build)


def run_build(_options: argparse.Namespace) -> int:
    """Build the clang-tidy plugin; returns the exit code."""
    try:
        built = build()
        library = plugin()
    except EngineMissing as error:
        raise UserError(str(error)) from error
    print(f"{library}: {'built' if built else 'already up to date'}")
    return 0


def run(options: argparse.Namespace) -> int:
    """Install or remove the checkers; returns the exit code."""
    tree: Path = options.smatch
    change = put_checkers(tree, None if options.remove else CHECKERS)
    number, rebuild = count(change.files, "file"), f"rebuild with 'make -C {tree}'"
    if change.changed:
        done = "removed" if options.remove else "installed"
        print(f"{tree}: {number} {done}; {rebuild}")
    elif options.remove:
        print(f"{tree}: no checkers installed")
    else:
        print(f"{tree}: already up to date ({number})")
    return 0
