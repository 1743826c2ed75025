# SPDX-License-Identifier: GPL-2.0
"""Render proofs as one self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from hotcocci import __version__
from hotcocci.findings import Proof
from hotcocci.output import gains
from hotcocci.output.page import KINDS, render
from hotcocci.output.proofs import WORDS, sentence
from hotcocci.output.saved import saved
from hotcocci.plural import count
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import readable


def page(tree: Tree, proofs: Sequence[Proof], diffs: Mapping[str, str]) -> str:
    """Return the page for these proofs; ``diffs`` has the diff of each file."""
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
        sentence=sentence,
        outcomes=_outcomes,
    )


def _outcomes(proof: Proof) -> str:
    """One line with the number of functions per verdict, and of failed checks."""
    counts = Counter(execution.verdict for execution in proof.executions)
    verdicts = [f"{counts[v]} {words}" for v, words in WORDS.items() if counts[v]]
    failed = len(proof.failed)
    return ", ".join([*verdicts, *([count(failed, "failed check")] if failed else [])])


def _lines(diff: str) -> list[tuple[str, str]]:
    """The lines of a diff from its first hunk, each with its CSS class."""
    hunks = diff[diff.find("\n@@ ") + 1 :] if "\n@@ " in diff else ""
    return [
        (KINDS.get(line[:1], ""), line) for line in readable(hunks).split("\n")[:-1]
    ]
