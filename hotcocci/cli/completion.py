# SPDX-License-Identifier: GPL-2.0
"""``completion`` prints a shell's completions, or the manual page, of the whole command line."""

import argparse
import re

from hotcocci.errors import UserError
from hotcocci.layout import setup_hint
from hotcocci.rules.rulebook import RULES

MANUAL = "man"


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Print completions for a shell, as for 'eval \"$(hotcocci completion bash)\"' in ~/.bashrc, "
        "or the manual page, for 'hotcocci completion man | man -l -'."
    )
    parser.add_argument("what", choices=("bash", "zsh", "tcsh", MANUAL))


def run(options: argparse.Namespace) -> int:
    """Print it; returns the exit code. Raises UserError if a library is missing."""
    from hotcocci.cli.main import parser

    try:
        if options.what == MANUAL:
            from argparse_manpage.manpage import Manpage

            print(Manpage(parser()))
        else:
            import shtab

            made = shtab.complete(_with_codes(parser()), options.what)
            # Where none of our words fits, bash completes file names; versions of shtab differ in what they ask for.
            print(re.sub(r"(?m)^complete -o \w+", "complete -o default", made))
    except ModuleNotFoundError as error:
        raise UserError(
            f"the Python library {error.name} is missing: {setup_hint('shell', 'completion')}"
        ) from error
    return 0


def _with_codes(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser, where an option or argument that takes a rule's code has all codes to choose from."""
    codes = [rule.code for rule in RULES]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                _with_codes(command)
        elif action.metavar == "CODE":
            action.choices = codes
    return parser
