# SPDX-License-Identifier: GPL-2.0
"""Running an outside program so that its outcome depends on its input alone."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.source import ENCODING

# What a program needs from the caller's environment. Everything else is left behind:
# ARCH, O, W, KCFLAGS, MAKEFLAGS, OBJTOOL_ARGS and their kin all change what kbuild does.
KEPT = ("PATH", "HOME", "TMPDIR", "USER", "LOGNAME")


class MissingProgram(Exception):
    """A program that is not installed; the message is its name."""


@dataclass(frozen=True)
class Outcome:
    """How a program ended: its exit status, and what it wrote.

    ``status`` is negative for a signal and None when the time limit ran out.
    """

    status: int | None
    out: str
    err: str


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of every outside program: English messages, no caches written."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    # Scripts of the tree that import modules next to them would leave __pycache__ there.
    return {**kept, "LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1", **(extra or {})}


def with_parent(argv: Sequence[str]) -> list[str]:
    """The command of a program that is to end with the one that starts it, however that ends.

    Raises UserError without setpriv(1), which all but the smallest systems have.
    """
    program = shutil.which("setpriv")
    if program is None:
        raise UserError("setpriv is not installed: apt-get install util-linux")
    return [program, "--pdeathsig", "KILL", *argv]


def run(
    argv: Sequence[str],
    cwd: Path,
    timeout: float,
    *,
    stdin: str | None = None,
    extra: Mapping[str, str] | None = None,
) -> Outcome:
    """Run a program to its end, or kill it and all its children after ``timeout`` seconds.

    Raises MissingProgram if it cannot be started. Whatever else ends the caller, an
    interrupt for one, ends the program first.
    """
    try:
        process = subprocess.Popen(
            argv,
            cwd=cwd,
            env=environment(extra),
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding=ENCODING,
            start_new_session=True,
        )
    except (FileNotFoundError, PermissionError) as error:
        if Path(cwd).is_dir():
            raise MissingProgram(argv[0]) from error
        raise
    with process:
        try:
            out, err = process.communicate(stdin, timeout)
            return Outcome(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            _kill(process)
            out, err = process.communicate()
            return Outcome(None, out, err)
        except BaseException:
            _kill(process)
            raise


def _kill(process: subprocess.Popen[str]) -> None:
    """End a program and its children: make's, the compiler's, sparse's."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
