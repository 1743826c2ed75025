# SPDX-License-Identifier: GPL-2.0
"""Proofs as one page that needs nothing but itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotcocci import __version__
from hotcocci.findings import Gain, Proof
from hotcocci.output import gains
from hotcocci.output.page import KINDS, render
from hotcocci.output.proofs import WORDS, branches
from hotcocci.output.text import count
from hotcocci.tree.kernel import Tree
from hotcocci.tree.source import readable


@dataclass(frozen=True)
class Saved:
    """Instructions that run on one target where nothing fails, of all functions whose path is known.

    ``unknown`` counts the other functions.
    """

    target: str
    functions: int
    unknown: int
    before: int
    after: int

    @property
    def percent(self) -> float:
        """By how much there are more of them, negative for fewer."""
        return 100 * (self.after - self.before) / self.before if self.before else 0.0

    @property
    def bar(self) -> float:
        """The length of what is left, in percent of the longer of both."""
        return 100 * self.after / max(self.before, self.after, 1)


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


def saved(made: Sequence[Gain]) -> list[Saved]:
    """The instructions saved by target, in the order in which the targets come."""
    told = []
    for target in dict.fromkeys(gain.target for gain in made):
        own = [gain for gain in made if gain.target == target]
        paths = [(g.before.success, g.after.success) for g in own]
        known = [(b, a) for b, a in paths if b is not None and a is not None]
        before = sum(b.instructions for b, _ in known)
        after = sum(a.instructions for _, a in known)
        told.append(Saved(target, len(known), len(own) - len(known), before, after))
    return told


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
