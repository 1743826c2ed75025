# SPDX-License-Identifier: GPL-2.0
"""``doctor``: list external programs and what needs them."""

from __future__ import annotations

import argparse
from importlib import metadata

from hotcocci.cli.config import NAME, read
from hotcocci.engines.programs import Found, look
from hotcocci.layout import setup_hint

# The libraries of each extra of setup.cfg, and a command that needs it.
EXTRAS = {
    "prove": "archinfo pycparser pyvex unicorn z3-solver",
    "cluster": "distributed",
    "lsp": "pygls",
    "shell": "argparse-manpage shtab",
}
COMMANDS_OF = {
    "prove": "prove",
    "cluster": "prove",
    "lsp": "lsp",
    "shell": "completion",
}


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "List external programs with their versions, and what does not work without them. "
        "Exit code: 0, 2 if a required program is missing."
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print the table; returns the exit code."""
    found = look()
    width = max(len(entry.program.name) for entry in found)
    for entry in found:
        if entry.problem:
            state = f"{'unusable':<12} {entry.problem}"
        elif entry.path:
            state = f"{entry.version or 'found':<12} {entry.path}{_untested(entry)}"
        else:
            state = f"{'missing':<12} without it: {entry.program.lost}; to install: {entry.program.remedy}"
        print(f"{entry.program.name:<{width}}  {state}")
    for extra, libraries in EXTRAS.items():
        for library in libraries.split():
            print(f"{library:<{width}}  {_library(library, extra)}")
    if options.config is None:
        print(f"no configuration file ({NAME}) here or above")
    else:
        print(f"options from {options.config}:")
        for name, value in read(options.config).items():
            print(f"  {name} = {value}")
    return 2 if any(entry.program.needed and not entry.path for entry in found) else 0


def _library(name: str, extra: str) -> str:
    """The version of a Python library, or how to install the extra that it is of."""
    try:
        return f"{metadata.version(name):<12} Python library"
    except metadata.PackageNotFoundError:
        return f"{'missing':<12} to install: {setup_hint(extra, COMMANDS_OF[extra])}"


def _untested(entry: Found) -> str:
    """A remark on a version that the tests were not run with."""
    tested = entry.program.tested
    if not tested or entry.version in tested:
        return ""
    return f" (tested with {', '.join(tested)})"
