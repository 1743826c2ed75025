# SPDX-License-Identifier: GPL-2.0
"""The changes that rewrites make to files, and which of them passed their checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from hotcocci.c.source import apply
from hotcocci.findings import MANUAL, Change, Edit, Finding, Other, Proof, Rewrite, Skip
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.ranking import is_kept
from hotcocci.pipeline.settings import Settings


@dataclass(frozen=True)
class Rewritten(Change):
    """A file before and after its chosen rewrites.

    ``possible`` counts the file's rewrites by rule, chosen or not, without tier manual.
    """

    rewrites: tuple[Rewrite, ...] = ()
    possible: Mapping[str, int] = field(default_factory=dict)

    def only(self, rewrites: Sequence[Rewrite]) -> Rewritten:
        """The change of this file by these rewrites only, and the others that they need."""
        needed = {a.file for rewrite in rewrites for a in rewrite.additions}
        others = tuple(o for o in self.others if o.file in needed)
        return change_of(self.file, self.old, rewrites, self.possible, others)


def all_others(wanted: Iterable[Rewritten]) -> tuple[Other, ...]:
    """Return the other files that changes need changed, each once; they need the same of each."""
    return tuple(dict.fromkeys(other for change in wanted for other in change.others))


@dataclass(frozen=True)
class Gated:
    """The changes that passed, with their proofs, and what was left out.

    ``refused`` are the findings of rewrites that failed a check or save nothing, ``held`` the files
    left out because they could not be compiled, ``uncompiled`` those that passed without being
    compiled, and ``unproven`` the rewrites left out because they could not be proven.
    """

    passed: tuple[Rewritten, ...] = ()
    refused: tuple[Finding, ...] = ()
    held: tuple[Skip, ...] = ()
    uncompiled: tuple[Skip, ...] = ()
    proofs: tuple[Proof, ...] = ()
    unproven: tuple[Skip, ...] = ()

    def __add__(self, other: Gated) -> Gated:
        """All of both: changes and proofs by file, and what was held once."""
        both = {
            each.name: getattr(self, each.name) + getattr(other, each.name)
            for each in fields(self)
        }
        passed = sorted(both.pop("passed"), key=lambda change: change.file)
        proofs = sorted(both.pop("proofs"), key=lambda proof: proof.file)
        held = tuple(dict.fromkeys(both.pop("held")))
        return Gated(tuple(passed), held=held, proofs=tuple(proofs), **both)

    @property
    def left(self) -> Gated:
        """Only what was left out."""
        return replace(self, passed=(), proofs=())


def chosen_rewrites(analysis: Analysis, settings: Settings) -> list[Rewrite]:
    """Return the rewrites of the selected tiers, in functions that are hot enough."""
    return [
        rewrite
        for rewrite in analysis.rewrites
        if rewrite.finding.tier in settings.tiers and is_kept(rewrite.finding, settings)
    ]


def changes(
    chosen: Sequence[Rewrite], possible: Sequence[Rewrite], texts: dict[str, str]
) -> list[Rewritten]:
    """Return the change that the chosen rewrites make to each file.

    ``possible`` are all rewrites of the files, ``texts`` their texts and those of the files that
    they need changed too.
    """
    by_file: dict[str, list[Rewrite]] = {}
    for rewrite in chosen:
        by_file.setdefault(rewrite.finding.file, []).append(rewrite)
    return [
        change_of(
            file,
            texts[file],
            rewrites,
            dict(
                Counter(
                    r.finding.rule
                    for r in possible
                    if r.finding.file == file and r.finding.tier != MANUAL
                )
            ),
            others(rewrites, texts),
        )
        for file, rewrites in by_file.items()
    ]


def others(rewrites: Sequence[Rewrite], texts: Mapping[str, str]) -> tuple[Other, ...]:
    """Return the other files that rewrites need changed, sorted; ``texts`` are their texts."""
    edits: dict[str, dict[Edit, None]] = {}
    for addition in (a for rewrite in rewrites for a in rewrite.additions):
        edits.setdefault(addition.file, {}).update(dict.fromkeys(addition.edits))
    return tuple(
        Other(file, texts[file], apply(texts[file], tuple(own)))
        for file, own in sorted(edits.items())
    )


def change_of(
    file: str,
    old: str,
    rewrites: Sequence[Rewrite],
    possible: Mapping[str, int],
    others: tuple[Other, ...] = (),
) -> Rewritten:
    """Return a file with these rewrites; ``possible`` counts the file's rewrites by rule."""
    # Windows that share a statement share its edits.
    edits = dict.fromkeys(edit for rewrite in rewrites for edit in rewrite.edits)
    new = apply(old, tuple(edits))
    return Rewritten(file, old, new, others, tuple(rewrites), possible)
