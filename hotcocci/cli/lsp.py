# SPDX-License-Identifier: GPL-2.0
"""``lsp``: run the language server."""

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
from hotcocci.layout import setup_hint
from hotcocci.pipeline.settings import Settings

# initializationOptions, and the command line options they set
NAMES = {
    "tier": "--tier",
    "rules": "--rule",
    "api": "--api",
    "min-run": "--min-run",
    "cache-dir": "--cache-dir",
    "profile": "--profile",
    "timeout": "--timeout",
}


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Speak the Language Server Protocol on standard input and output. The server reports findings "
        "in C files of kernel trees as they are edited, and offers their rewrites. "
        "Exit code: 0 after a shutdown request, 1 if the editor exited without one, 2 error."
    )
    parser.add_argument(
        "--stdio",
        action="store_true",
        help="ignored, as standard input and output are always used",
    )
    add_analysis(parser)
    add_tier(parser, SAFE, "offer rewrites up to this tier (default: %(default)s)")
    parser.set_defaults(run=run, parser=parser)


def run(options: argparse.Namespace) -> int:
    """Serve one editor; returns the exit code."""
    settings = settings_of(options)
    lsp_runs.commands(settings)
    if importlib.util.find_spec("pygls") is None:
        raise UserError(
            f"the language server needs the Python library pygls: {setup_hint('lsp', 'lsp')}"
        )
    _check_input()
    # Importing pygls is slow.
    from hotcocci.cli.lsp_server import serve

    return serve(settings, partial(settled, options))


def _check_input() -> None:
    """Raise UserError if standard input cannot be polled: the server would hang."""
    with selectors.DefaultSelector() as selector:
        try:
            selector.register(0, selectors.EVENT_READ)
        except OSError as error:
            raise UserError(
                "standard input is a file, but the language server reads requests from it: start it from an editor"
            ) from error


def settled(options: argparse.Namespace, named: Any) -> Settings:
    """Return the settings of a command line, overridden by the editor's ``initializationOptions``.

    Raises UserError if one of them is unknown or invalid.
    """
    if named is None:
        return settings_of(options)
    if not isinstance(named, dict):
        raise UserError("initializationOptions is not an object")
    unknown = sorted(map(str, named.keys() - NAMES.keys()))
    if unknown:
        raise UserError(
            f"unknown initialization option {unknown[0]}: use one of {', '.join(NAMES)}"
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
