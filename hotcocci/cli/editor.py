# SPDX-License-Identifier: GPL-2.0
"""The user's editor, as git chooses and starts it."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.source import decode, encode

# The name that git gives its own, by which editors know what is in it.
NAME = "addp-hunk-edit.diff"


def edit(text: str, folder: Path) -> str:
    """The text as the user leaves it in the editor; ``folder`` is where git looks for settings.

    Raises UserError if there is no editor, or it ends with an error.
    """
    command = _command(folder)
    with tempfile.TemporaryDirectory(prefix="hotcocci-edit-") as place:
        path = Path(place) / NAME
        path.write_bytes(encode(text))
        status = _run(command, path)
        if status != 0:
            raise UserError(f"the editor '{command}' ended with {status}")
        try:
            return decode(path.read_bytes())
        except OSError as error:
            raise UserError(
                f"the editor '{command}' left no file: {error.strerror}"
            ) from error


def _command(folder: Path) -> str:
    """GIT_EDITOR, core.editor, VISUAL, EDITOR or what git was built with (git-var(1))."""
    try:
        asked = subprocess.run(
            ["git", "var", "GIT_EDITOR"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise UserError(
            "the editor is started as git does it: install git (Debian: apt install git)"
        ) from error
    if asked.returncode != 0:
        raise UserError("there is no editor to start: name one in EDITOR")
    return asked.stdout.strip()


def _run(command: str, path: Path) -> int:
    # A shell, as the command may have arguments. Standard output may be where the patch goes.
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'{command} "$@"', command, str(path)], stdout=sys.stderr
    )
    # While it runs, Ctrl-C is the editor's.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
