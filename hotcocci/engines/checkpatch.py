# SPDX-License-Identifier: GPL-2.0
"""Run the tree's checkpatch.pl on a unified diff."""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci.engines.compiler import fresh, needed
from hotcocci.errors import EngineError
from hotcocci.tree.process import run

TIMEOUT = 120.0
# A diff has no commit message yet.
OF_A_DIFF = ("--no-tree", "--ignore=COMMIT_MESSAGE")
SAID = re.compile(
    r"^(?:-:|[^:]*:)?(?P<line>\d+): (?P<text>(?:ERROR|WARNING|CHECK):(?P<type>\w+): .*)$"
)


@dataclass(frozen=True)
class Complaint:
    """One complaint: checkpatch's name of its type, and the line printed."""

    type: str
    text: str


def complaints(
    tree: Path, diff: str, options: Sequence[str] = OF_A_DIFF
) -> list[Complaint]:
    """The complaints of checkpatch about a diff, apart from a missing Signed-off-by. Raises EngineError."""
    script = tree / "scripts/checkpatch.pl"
    if not script.is_file():
        raise EngineError("this tree has no scripts/checkpatch.pl")
    argv = ["perl", str(script), "--no-signoff", "--no-summary", "--terse"]
    argv += ["--show-types", "--color=never", *options, "-"]
    # It runs git in its current directory: use one outside any repository.
    with tempfile.TemporaryDirectory(prefix="hotcocci-checkpatch-") as folder:
        with needed(EngineError("perl is not installed (Debian: apt install perl)")):
            outcome = run(argv, Path(folder), TIMEOUT, stdin=diff)
    found = [SAID.match(line) for line in outcome.out.splitlines()]
    said = [Complaint(match["type"], match["text"]) for match in found if match]
    if outcome.status != 0 and not said:
        why = (outcome.err + outcome.out).strip().splitlines()
        raise EngineError(why[0] if why else f"ended with status {outcome.status}")
    return said


def new(tree: Path, diff: str, backwards: str) -> list[Complaint]:
    """The complaints about a diff that its removed lines did not already have.

    So a line that was only re-indented is not blamed for its old style. ``backwards`` is the
    reverse diff, whose complaints are those of the old lines. Raises EngineError.
    """
    after = complaints(tree, diff)
    if not after:
        return []
    return list(fresh(complaints(tree, backwards), after, lambda said: said.type))
