# SPDX-License-Identifier: GPL-2.0
"""Proofs as one page that needs nothing but itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hotcocci import __version__
from hotcocci.findings import Proof
from hotcocci.output import gains
from hotcocci.output.page import KINDS, render
from hotcocci.output.proofs import WORDS, branches
from hotcocci.output.saved import saved
from hotcocci.output.text import count
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import readable


def page(tree: Tree, proofs: Sequence[Proof], diffs: Mapping[str, str]) -> str:
    """The page of these proofs; ``diffs`` are the changes of their files."""
    executions = [e for proof in proofs for e in proof.executions]
    verdicts = Counter(execution.verdict for execution in executions)
    return render(
        "proofs.html",
        title=f"hotcocci: proofs, {tree.root.name}",
        version=__version__,
        verdicts=[(WORDS[verdict], verdicts[verdict]) for verdict in WORDS],
        saved=saved([gain for proof in proofs for gain in proof.gains]),
        files=[
            (proof, gains.rows(proof.gains), _lines(diffs[proof.file]))
            for proof in proofs
        ],
        words=WORDS,
        branches=branches,
        outcomes=_outcomes,
    )


def _outcomes(proof: Proof) -> str:
    """The verdicts of a file in a line."""
    counts = Counter(execution.verdict for execution in proof.executions)
    told = [f"{counts[v]} {words}" for v, words in WORDS.items() if counts[v]]
    failed = len(proof.failed)
    return ", ".join([*told, *([count(failed, "failed check")] if failed else [])])


def _lines(diff: str) -> list[tuple[str, str]]:
    """The lines of a diff from the first hunk on, each with what it is."""
    hunks = diff[diff.find("\n@@ ") + 1 :] if "\n@@ " in diff else ""
    return [
        (KINDS.get(line[:1], ""), line) for line in readable(hunks).split("\n")[:-1]
    ]
