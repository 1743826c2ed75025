# SPDX-License-Identifier: GPL-2.0
"""Run the tree's checkpatch.pl --strict on a patch with its commit message."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hotcocci.engines.checkpatch import SAID, TIMEOUT, CheckpatchError
from hotcocci.tree.process import MissingProgram, run
from hotcocci.tree.source import decode

SCRIPT = "scripts/checkpatch.pl"


def strict(tree: Path, mail: str) -> list[str]:
    """Return checkpatch.pl's warnings on a patch in git format-patch form.

    A missing Signed-off-by is not reported. Raises CheckpatchError if it cannot be run.
    """
    if not (tree / SCRIPT).is_file():
        raise CheckpatchError(f"this tree has no {SCRIPT}")
    argv = ["perl", str(tree / SCRIPT), "--strict", "--no-signoff", "--no-summary"]
    argv += ["--terse", "--show-types", "--color=never", f"--root={tree}", "-"]
    # checkpatch.pl runs git in the current directory: use one outside any repository.
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
            why[0] if why else f"it exited with status {outcome.status}"
        )
    return said
