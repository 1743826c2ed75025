# SPDX-License-Identifier: GPL-2.0
"""``completion`` prints a shell's completions, or the manual page, of the whole command line."""

from __future__ import annotations

import argparse

from hotcocci.errors import UserError
from hotcocci.layout import setup_hint

MANUAL = "man"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Print completions for a shell, as for 'eval \"$(hotcocci completion bash)\"' in ~/.bashrc, "
        "or the manual page, for 'hotcocci completion man | man -l -'."
    )
    parser.add_argument("what", choices=("bash", "zsh", "tcsh", MANUAL))
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Print it; returns the exit code. Raises UserError if a library is missing."""
    from hotcocci.cli.main import parser

    try:
        if options.what == MANUAL:
            from argparse_manpage.manpage import Manpage

            print(Manpage(parser()))
        else:
            import shtab

            print(shtab.complete(parser(), options.what))
    except ModuleNotFoundError as error:
        raise UserError(
            f"the Python library {error.name} is missing: {setup_hint('shell', 'completion')}"
        ) from error
    return 0
