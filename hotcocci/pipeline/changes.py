# SPDX-License-Identifier: GPL-2.0
"""The changes that rewrites make to files, and which of them passed their checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hotcocci.c.source import apply
from hotcocci.findings import Finding, Proof, Rewrite, Skip
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.ranking import is_kept
from hotcocci.pipeline.settings import Settings


@dataclass(frozen=True)
class Change:
    """A file before and after its chosen rewrites.

    ``possible`` counts the file's rewrites by rule, chosen or not.
    """

    file: str
    before: str
    after: str
    rewrites: tuple[Rewrite, ...]
    possible: Mapping[str, int]


@dataclass(frozen=True)
class Gated:
    """The changes that passed, with their proofs, and what was left out.

    ``refused`` are the findings of rewrites that failed a check or save nothing, ``held`` the files
    left out because they could not be compiled, ``uncompiled`` those that passed without being
    compiled, and ``unproven`` the rewrites left out because they could not be proven.
    """

    passed: tuple[Change, ...]
    refused: tuple[Finding, ...]
    held: tuple[Skip, ...]
    uncompiled: tuple[Skip, ...]
    proofs: tuple[Proof, ...] = ()
    unproven: tuple[Skip, ...] = ()


def chosen_rewrites(analysis: Analysis, settings: Settings) -> list[Rewrite]:
    """Return the rewrites of the selected tiers, in functions that are hot enough."""
    return [
        rewrite
        for rewrite in analysis.rewrites
        if rewrite.finding.tier in settings.tiers and is_kept(rewrite.finding, settings)
    ]


def changes(
    chosen: Sequence[Rewrite], possible: Sequence[Rewrite], texts: dict[str, str]
) -> list[Change]:
    """Return the change that the chosen rewrites make to each file.

    ``possible`` are all rewrites of the files, ``texts`` their texts.
    """
    by_file: dict[str, list[Rewrite]] = {}
    for rewrite in chosen:
        by_file.setdefault(rewrite.finding.file, []).append(rewrite)
    return [
        change_of(
            file,
            texts[file],
            rewrites,
            dict(Counter(r.finding.rule for r in possible if r.finding.file == file)),
        )
        for file, rewrites in by_file.items()
    ]


def change_of(
    file: str,
    before: str,
    rewrites: Sequence[Rewrite],
    possible: Mapping[str, int],
) -> Change:
    """Return a file with these rewrites; ``possible`` counts the file's rewrites by rule."""
    # Windows that share a statement share its edits.
    edits = dict.fromkeys(edit for rewrite in rewrites for edit in rewrite.edits)
    after = apply(before, tuple(edits))
    return Change(file, before, after, tuple(rewrites), possible)
