# SPDX-License-Identifier: GPL-2.0
"""The command line: parse it, run the command, print errors as one line."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType

from hotcocci import __version__
from hotcocci.cli import (
    check,
    checkers,
    doctor,
    install,
    lint,
    lsp,
    new_rule,
    patch,
    prove,
    rules,
    series,
    why,
)
from hotcocci.cli.options import Parser
from hotcocci.errors import UserError

COMMANDS = (
    lint,
    patch,
    prove,
    series,
    check,
    checkers,
    install,
    lsp,
    why,
    rules,
    new_rule,
    doctor,
)
ERROR = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: the program's own); returns the exit code."""
    _open_streams()
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code = _run(sys.argv[1:] if arguments is None else arguments)
        # Flush here, where a full disk can still be reported.
        sys.stdout.flush()
        return code
    except UserError as error:
        return _complain(str(error))
    except KeyboardInterrupt:
        return _complain(
            "interrupted: no file was left half-written; run the command again"
        )
    except BrokenPipeError:
        # The reader, such as head(1), closed the pipe.
        _drop_output()
        return ERROR
    except OSError as error:
        _drop_output()
        return _complain(
            f"{error.filename or 'output'}: {error.strerror}: check disk space and permissions"
        )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = Parser(
        prog="hotcocci",
        description="Find and rewrite small, repeated costs on hot kernel paths.",
    )
    top.add_argument("--version", action="version", version=f"hotcocci {__version__}")
    commands = top.add_subparsers(metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return top


def _run(arguments: Sequence[str]) -> int:
    options = parser().parse_args(arguments)
    code: int = options.run(options)
    return code


def _complain(message: str) -> int:
    print(f"hotcocci: {message}", file=sys.stderr)
    return ERROR


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _open_streams() -> None:
    """Open /dev/null for standard streams that the caller closed, as a service may."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))


def _drop_output() -> None:
    """Redirect standard output to /dev/null, or Python prints a traceback when it flushes at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)
