# SPDX-License-Identifier: GPL-2.0
"""Run the user's editor the way git does."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from hotcocci.errors import UserError
from hotcocci.tree.source import decode, encode

# git's own file name: editors recognise the syntax by it.
NAME = "addp-hunk-edit.diff"


def edit(text: str, folder: Path) -> str:
    """Return the text as edited by the user; ``folder`` is where git reads its configuration.

    Raises UserError if there is no editor, or it fails.
    """
    command = _command(folder)
    with tempfile.TemporaryDirectory(prefix="hotcocci-edit-") as place:
        path = Path(place) / NAME
        path.write_bytes(encode(text))
        status = _run(command, path)
        if status != 0:
            raise UserError(f"the editor '{command}' exited with status {status}")
        try:
            return decode(path.read_bytes())
        except OSError as error:
            raise UserError(
                f"cannot read what the editor '{command}' saved: {error.strerror}"
            ) from error


def _command(folder: Path) -> str:
    """Return GIT_EDITOR, core.editor, VISUAL, EDITOR or what git was built with (git-var(1))."""
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
            "git is not installed, and it selects the editor: install git (Debian: apt install git)"
        ) from error
    if asked.returncode != 0:
        raise UserError("no editor found: set EDITOR")
    return asked.stdout.strip()


def _run(command: str, path: Path) -> int:
    # Through a shell, as the command may have arguments. Standard output may be the patch.
    process = subprocess.Popen(
        ["/bin/sh", "-c", f'{command} "$@"', command, str(path)], stdout=sys.stderr
    )
    # Leave Ctrl-C to the editor while it runs.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)
