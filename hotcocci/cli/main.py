# SPDX-License-Identifier: GPL-2.0
"""The command line: parse it, run the command, print errors as one line."""

from __future__ import annotations

import argparse
import gc
import os
import re
import signal
import sys
import traceback
from collections.abc import Collection, Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from hotcocci import __version__
from hotcocci.cli import config
from hotcocci.errors import (
    AGAIN,
    UserError,
    is_unanswered,
    leave_unanswered,
    unwritable,
)
from hotcocci.names import printable, quoted
from hotcocci.tree.process import own_folder, stop_all

# Each command is the module of its name in this folder. Only the one that is run is imported:
# starting hooks and editors should not take longer than their work.
COMMANDS = {
    "lint": "list findings",
    "patch": "print or apply a diff of the rewrites",
    "prove": "prove rewrites, or a given patch, equivalent",
    "bench": "count instructions of system calls before and after a change, in a booted kernel",
    "loads": "list chains of dependent loads in machine code",
    "series": "make a branch or mails, one commit per rule and subsystem",
    "check": "check user access windows",
    "checkers": "build or install the checkers that other tools load",
    "install": "install the semantic patches for 'make coccicheck'",
    "lsp": "run a language server for editors",
    "why": "explain why a line was, or was not, rewritten",
    "rules": "list or explain the rules",
    "cache": "show, clear or prune the cache",
    "completion": "print shell completions or the manual page",
    "doctor": "list external programs and what needs them",
}
ERROR = 2
OBJECTS = 100_000
"""So many are made before those that refer to each other are looked at."""
UNANSWERED = f"answers are missing for lack of time, memory or disk, or as a program was killed: {AGAIN}"
_WRONG = re.compile(r"invalid choice: '([^']*)'|unrecognized arguments: (\S+)")
_CHOICE = re.compile(r" \(choose from (.*)\)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line (default: the program's own); returns the exit code."""
    _open_streams()
    stop_on_signals()
    # The folder we are in may be a tree, of which nothing is run.
    places = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(filter(os.path.isabs, places))
    leave_unanswered(False)
    # Nearly nothing is garbage in circles; to look for it takes a tenth of the time.
    gc.set_threshold(OBJECTS)
    try:
        with own_folder():
            code = _run(sys.argv[1:] if arguments is None else arguments)
        # Flush here, where a full disk can still be reported.
        sys.stdout.flush()
        return _complain(UNANSWERED) if is_unanswered() else code
    except KeyboardInterrupt:
        leave()
    except UserError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # The reader, such as head(1), closed the pipe.
        _drop_output()
        return ERROR
    except OSError as error:
        _drop_output()
        return _complain(
            f"{error.filename or 'output'}: {unwritable(error, 'check disk space and permissions')}"
        )
    except MemoryError:
        return _complain(f"out of memory: {AGAIN}")
    except Exception as error:
        # Python would end with 1, which says that there are findings.
        at = traceback.extract_tb(error.__traceback__)[-1]
        said = f"{type(error).__name__}: {error} ({at.filename}:{at.lineno})"
        return _complain(f"hotcocci fails, report this: {said}")


def parser(commands: Collection[str] = COMMANDS) -> Parser:
    """Return the parser of the command line, with the options of these commands only."""
    top = Parser(
        prog="hotcocci",
        description="Find and rewrite small, repeated costs on hot kernel paths.",
    )
    top.add_argument("--version", action="version", version=f"hotcocci {__version__}")
    added = top.add_subparsers(metavar="COMMAND", required=True)
    for name, summary in COMMANDS.items():
        command = added.add_parser(name, help=summary)
        command.add_argument(
            "--config",
            type=Path,
            metavar="FILE",
            help="options that are the same each time (default: .hotcocci.toml here or above)",
        )
        command.set_defaults(command=command)
        if name in commands:
            module = import_module(f"hotcocci.cli.{name.replace('-', '_')}")
            module.define(command)
            command.set_defaults(run=module.run)
    return top


def _run(arguments: Sequence[str]) -> int:
    top = parser(arguments[:1])
    options = top.parse_args(arguments)
    start = _start(options)
    file = options.config or config.find(start)
    found, left = {}, []
    if file is not None:
        found = config.applying(file, options.command, arguments[1:])
        base = getattr(options, "diff_base", None)
        # --config is the caller's word, and a change under test cannot say it.
        if options.config is None and (base or getattr(options, "diff", None)):
            left = config.of_the_change(file, found, start, base)
        own = config.words(file, found, left)
        try:
            options = top.parse_args([arguments[0], *own, *arguments[1:]])
        except UserError as error:
            # The arguments alone are fine.
            raise UserError(f"{file}: {error}") from error
    options.config = file
    code: int = options.run(options)
    obeyed = [name for name in config.hiding(found) if name not in left]
    if obeyed:
        print(f"options from {quoted(str(file))}: {', '.join(obeyed)}", file=sys.stderr)
    if left:
        print(
            f"not obeyed, since the change may have brought it: {quoted(str(file))}: {', '.join(left)}; "
            "to obey it, use --config",
            file=sys.stderr,
        )
    return code


def _start(options: argparse.Namespace) -> Path:
    """The tree, file or folder that a command is about, from which its configuration is searched."""
    if getattr(options, "tree", None) is not None:
        return Path(options.tree)
    if hasattr(options, "place"):
        return Path(options.place.rpartition(":")[0])
    return Path(next(iter(getattr(options, "paths", ())), "."))


def _complain(message: str) -> int:
    line = printable(message).replace("\n", "\\n")
    print(f"hotcocci: {line}", file=sys.stderr)
    return ERROR


def _open_streams() -> None:
    """Open /dev/null for standard streams that the caller closed, as a service may, and write UTF-8."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))
    if (
        isinstance(sys.stdout, TextIOWrapper)
        and "utf" not in sys.stdout.encoding.lower()
    ):
        # As git does: a document says that it is UTF-8, and another locale may lack a character.
        sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")


def _drop_output() -> None:
    """Redirect standard output to /dev/null, or Python prints a traceback when it flushes at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, sys.stdout.fileno())
    os.close(null)


class Parser(argparse.ArgumentParser):
    """A parser that reports errors in one line, as the rest of the command line does."""

    def __init__(self, **settings: Any) -> None:
        """Take no abbreviations: ``check --diff FILE`` would be ``--diff-base``."""
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """Raise UserError instead of printing the usage."""
        if message.endswith("required: COMMAND"):
            message = f"name a command: {', '.join(COMMANDS)}"
        raise UserError(
            f"{message}{self._suggestion(message)}: see '{self.prog} --help'"
        )

    def parse_known_args(  # type: ignore[override]
        self, args: list[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        """Parse, and report what a command does not know with that command's options at hand."""
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(f"unrecognized arguments: {' '.join(unknown)}")
        return parsed, unknown

    def _suggestion(self, message: str) -> str:
        """The known word nearest to one that is wrong, as a question."""
        wrong = _WRONG.search(message)
        if wrong is None:
            return ""
        import difflib

        choices = _CHOICE.search(message)
        known = (
            re.findall(r"'([^']*)'", choices[1])
            if choices
            else re.findall(r"--[\w-]+", self.format_help())
        )
        near = difflib.get_close_matches(wrong[1] or wrong[2], known, 1, 0.7)
        return f" (did you mean {near[0]}?)" if near else ""


# Seconds in which the run may clean up.
PATIENCE = 1.5
# What the shell reports of a program that a signal ended is this plus the signal's number.
SIGNALLED = 128

STDERR = 2
STOPPING = b"hotcocci: stopping; no file is left half-written\n"

_received = 0


def stop_on_signals() -> None:
    """Stop the run on Ctrl-C, SIGTERM and the end of its terminal, by a KeyboardInterrupt."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # A shell's background job ignores Ctrl-C, and one of nohup(1) the end of its terminal.
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


def leave() -> NoReturn:
    """End the process once it has cleaned up, without the second that Python may take to free memory.

    The exit code is 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
    """
    with suppress(OSError):
        sys.stdout.flush()
    os._exit(SIGNALLED + (_received or signal.SIGINT))


def _stop(number: int, _frame: FrameType | None) -> None:
    global _received
    if _received:
        _leave_now(number, None)
    _received = number
    # A buffered stream may be locked by the code below us.
    clear = b"\r\x1b[K" if os.isatty(STDERR) else b""
    with suppress(OSError):  # Nobody reads it.
        os.write(STDERR, clear + STOPPING)
    # Not a thread: starting one may wait for a lock that the code below us holds.
    signal.signal(signal.SIGALRM, _leave_now)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    stop_all()
    raise KeyboardInterrupt


def _leave_now(_number: int, _frame: FrameType | None) -> None:
    """End at once; what is left over is removed by the next run."""
    stop_all()
    os._exit(SIGNALLED + _received)
