# SPDX-License-Identifier: GPL-2.0
"""What the tree's checkpatch.pl --strict says about a whole patch, its message included."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hotcocci.engines.checkpatch import SAID, TIMEOUT, CheckpatchError
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.source import decode

SCRIPT = "scripts/checkpatch.pl"


def strict(tree: Path, mail: str) -> list[str]:
    """The lines it prints about a patch, given as git format-patch prints it.

    That no one signed it off yet is not said. Raises CheckpatchError if it cannot be run.
    """
    if not (tree / SCRIPT).is_file():
        raise CheckpatchError(f"the tree has no {SCRIPT}")
    argv = ["perl", str(tree / SCRIPT), "--strict", "--no-signoff", "--no-summary"]
    argv += ["--terse", "--show-types", "--color=never", f"--root={tree}", "-"]
    # It runs git in its current folder: there none is found.
    with tempfile.TemporaryDirectory(prefix="hotcocci-checkpatch-") as folder:
        try:
            outcome = run(argv, Path(folder), TIMEOUT, stdin=decode(mail.encode()))
        except MissingProgram as error:
            raise CheckpatchError(
                "perl is not installed (Debian: apt install perl)"
            ) from error
    said = [
        match["text"]
        for line in outcome.out.splitlines()
        if (match := SAID.match(line))
    ]
    if outcome.status != 0 and not said:
        why = (outcome.err + outcome.out).strip().splitlines()
        raise CheckpatchError(
            why[0] if why else f"it ended with status {outcome.status}"
        )
    return said
