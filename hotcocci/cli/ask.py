# SPDX-License-Identifier: GPL-2.0
"""Asking about one rewrite after the other."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from hotcocci.c.source import apply
from hotcocci.findings import Rewrite
from hotcocci.output import diff
from hotcocci.tree.source import readable

QUESTION = "Take this one [y,n,a,q]? "
HELP = "y: take it, n: leave it, a: take it and all that follow, q: leave it and all that follow"


def choose(
    rewrites: Sequence[Rewrite],
    texts: dict[str, str],
    answer: Callable[[], str] | None = None,
) -> list[Rewrite]:
    """The rewrites that the user takes; ``texts`` are the files as they are.

    ``answer`` gives one answer, by default a line from the terminal; the end of input
    is a ``q``.
    """
    answer = answer or _from_terminal
    taken: list[Rewrite] = []
    for index, rewrite in enumerate(rewrites):
        finding = rewrite.finding
        before = texts[finding.file]
        patch = diff.unified(finding.file, before, apply(before, rewrite.edits))
        print(readable(patch), end="", file=sys.stderr)
        for note in (
            f"{finding.rule} {finding.message} [{finding.tier}]",
            *rewrite.notes,
        ):
            print(f"# {note}", file=sys.stderr)
        key = answer()
        while key not in ("y", "n", "a", "q"):
            print(HELP, file=sys.stderr)
            key = answer()
        if key == "a":
            return taken + list(rewrites[index:])
        if key == "q":
            break
        if key == "y":
            taken.append(rewrite)
    return taken


def _from_terminal() -> str:
    # Not input(): its prompt would go to standard output, into the patch.
    print(QUESTION, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    return line.strip().lower() if line else "q"
