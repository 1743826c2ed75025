# SPDX-License-Identifier: GPL-2.0
"""``lsp``: run the language server."""

import argparse
import importlib.util
import selectors
from collections.abc import Sequence

from hotcocci.cli.options import add_analysis, add_named, add_tier, settings_of
from hotcocci.errors import UserError
from hotcocci.findings import SAFE, SPATCH
from hotcocci.layout import setup_hint
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.rulebook import WINDOW_RULES, rule


def define(parser: argparse.ArgumentParser) -> None:
    """Add the description and options of the command to its parser."""
    parser.description = (
        "Speak the Language Server Protocol on standard input and output. The server reports findings "
        "in C files of kernel trees as they are edited, and offers their rewrites. "
        "Exit code: 0 after a shutdown request, 1 if the editor exited without one, 2 error."
    )
    text = "ignored, as standard input and output are always used"
    add_named(parser, {"--stdio": text})
    add_analysis(parser)
    add_tier(parser, SAFE, "offer rewrites up to this tier (default: %(default)s)")


def run(options: argparse.Namespace) -> int:
    """Serve one editor; returns the exit code."""
    settings = settings_of(options)
    commands(settings)
    if importlib.util.find_spec("pygls") is None:
        raise UserError(
            f"the language server needs the Python library pygls: {setup_hint('lsp', 'lsp')}"
        )
    _check_input()
    # Importing pygls is slow.
    from hotcocci.cli.lsp_server import serve

    return serve(settings)


def _check_input() -> None:
    """Raise UserError if standard input cannot be polled: the server would hang."""
    with selectors.DefaultSelector() as selector:
        try:
            selector.register(0, selectors.EVENT_READ)
        except OSError as error:
            raise UserError(
                "standard input is a file, but the language server reads requests from it: start it from an editor"
            ) from error


def commands(settings: Settings) -> list[list[str]]:
    """Return the commands to run on a file: ``lint``, ``check`` or both, depending on --rule.

    ``check`` uses spatch only: the other engines are too slow for an editor.
    """
    windows = [code for code in settings.rules if rule(code) in WINDOW_RULES]
    others = [code for code in settings.rules if code not in windows]
    both = ("timeout", "cache_dir", "baseline")
    asked = []
    if others or not windows:
        own = _options(settings, (*both, "api", "min_run", "profile", "hot"))
        own.append(f"--show={settings.show}")
        asked.append(["lint", *own, *(f"--rule={code}" for code in others)])
    if windows or not others:
        own = _options(settings, both)
        asked.append(
            ["check", "--engine", SPATCH, *own, *(f"--rule={c}" for c in windows)]
        )
    return asked


def _options(settings: Settings, names: Sequence[str]) -> list[str]:
    """Return command line options for those of these settings that have a value."""
    given = [(name, getattr(settings, name)) for name in names]
    words = [f"--{n.replace('_', '-')}={v}" for n, v in given if v is not None]
    # One process per file: files are analysed in parallel, not parts of one file.
    return [*words, "--jobs=1", "--format=sarif", "--stdin"]
