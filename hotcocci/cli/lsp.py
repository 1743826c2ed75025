# SPDX-License-Identifier: GPL-2.0
"""``lsp``: findings in the editor."""

from __future__ import annotations

import argparse
import copy
import importlib.util
import selectors
from functools import partial
from typing import Any

from hotcocci.cli import lsp_runs
from hotcocci.cli.options import add_analysis, add_tier, settings_of
from hotcocci.errors import UserError
from hotcocci.findings import SAFE
from hotcocci.pipeline.settings import Settings

# The names in initializationOptions, and the options they stand for
NAMES = {
    "tier": "--tier",
    "rules": "--rule",
    "api": "--api",
    "min-run": "--min-run",
    "cache-dir": "--cache-dir",
    "profile": "--profile",
    "timeout": "--timeout",
}


def add(commands: Any) -> None:
    """Register the command."""
    parser = commands.add_parser(
        "lsp",
        help="a language server: findings in the editor",
        description="Speaks the Language Server Protocol on standard input and output: shows what is found in C files of "
        "kernel trees as they are opened and saved, and offers the rewrites. "
        "Exit code: 0 after a shutdown, 1 if the editor just went, 2 error.",
    )
    parser.add_argument(
        "--stdio", action="store_true", help="what it always does: some editors say so"
    )
    add_analysis(parser)
    add_tier(parser, SAFE, "rewrites of this tier and the ones before it are offered")
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Serve one editor; returns the exit code."""
    settings = settings_of(options)
    lsp_runs.commands(settings)
    if importlib.util.find_spec("pygls") is None:
        raise UserError(
            "the language server needs the Python library pygls: install it with "
            "'python3 run.py --setup', or 'pip install hotcocci[lsp]'"
        )
    _check_input()
    # What the protocol is written with takes its time to load.
    from hotcocci.cli.lsp_server import serve

    return serve(settings, partial(settled, options))


def _check_input() -> None:
    """Raise UserError if standard input is nothing that could be waited for: the server would hang."""
    with selectors.DefaultSelector() as selector:
        try:
            selector.register(0, selectors.EVENT_READ)
        except OSError as error:
            raise UserError(
                "the language server listens to an editor on standard input, which is a file here: let the editor start it"
            ) from error


def settled(options: argparse.Namespace, named: Any) -> Settings:
    """The settings of a command line with those that the editor names in ``initializationOptions``.

    Raises UserError if one is unknown or cannot be understood.
    """
    if named is None:
        return settings_of(options)
    if not isinstance(named, dict):
        raise UserError("initializationOptions is no object")
    unknown = sorted(map(str, named.keys() - NAMES.keys()))
    if unknown:
        raise UserError(
            f"{unknown[0]} is no option of lsp: there are {', '.join(NAMES)}"
        )
    words: list[str] = []
    for name, value in named.items():
        for each in value if isinstance(value, list) else [value]:
            words.append(f"{NAMES[name]}={each}")
    given = copy.copy(options)
    if "rules" in named:
        given.rules = []
    parser: argparse.ArgumentParser = options.parser
    given = parser.parse_args(words, given)
    settings = settings_of(given)
    lsp_runs.commands(settings)
    return settings
