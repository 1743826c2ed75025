# SPDX-License-Identifier: GPL-2.0
"""Choose the patches of a series: one rule and one subsystem each, proven, the best of them.

Every rule is checked on its own, so that the table and the verdict of a patch are its own.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from hotcocci.deliver.maintainers import Section
from hotcocci.deliver.parts import Key, Part, Patch, by_subsystem, needed
from hotcocci.deliver.table import is_gain
from hotcocci.findings import Finding, Proof, Rewrite, Skip
from hotcocci.pipeline.analysis import Analysis
from hotcocci.pipeline.benched import Bench, own_kernel
from hotcocci.pipeline.changes import Gated, Rewritten, changes
from hotcocci.pipeline.gating import pass_gate
from hotcocci.pipeline.proof_gate import pass_bench, pass_proof
from hotcocci.pipeline.ranking import heat, worth_guessed
from hotcocci.pipeline.settings import Settings
from hotcocci.tree.kernel import Tree

# What a maintainer reads in one thread (Documentation/process/submitting-patches.rst).
MOST = 15

# By rule and file
Changes = dict[tuple[str, str], Rewritten]
# A file and a function in it
Function = tuple[str, str | None]


@dataclass(frozen=True)
class Choice:
    """The patches of a series, and what was left out of it.

    ``gated`` has what failed a check or the proof. ``idle`` are patches whose own table shows no gain,
    ``shared`` the findings in functions that another patch changes, and ``later`` the patches beyond
    `MOST`, which were not proven yet.
    """

    patches: tuple[Patch, ...]
    gated: Gated
    idle: tuple[Patch, ...] = ()
    shared: tuple[Finding, ...] = ()
    later: tuple[Patch, ...] = ()


@dataclass
class _LeftOut:
    """What fails a check or the proof, as it is met."""

    refused: list[Finding] = field(default_factory=list)
    held: list[Skip] = field(default_factory=list)
    uncompiled: list[Skip] = field(default_factory=list)
    unproven: list[Skip] = field(default_factory=list)

    def add(self, gated: Gated) -> None:
        self.refused += gated.refused
        self.held += gated.held
        self.uncompiled += gated.uncompiled
        self.unproven += gated.unproven


def choose(
    tree: Tree,
    analysis: Analysis,
    rewrites: Sequence[Rewrite],
    sections: Sequence[Section],
    standing: Collection[Key],
    settings: Settings,
    most: int = MOST,
) -> Choice:
    """Choose the ``most`` best patches; ``standing`` are the keys of those that the branch has already."""
    left_out, checked = _LeftOut(), Changes()
    candidates: list[Patch] = []
    shared: list[Finding] = []
    taken: set[Function] = set()
    for code in sorted({rewrite.finding.rule for rewrite in rewrites}):
        own = [rewrite for rewrite in rewrites if rewrite.finding.rule == code]
        # Proven alone, two changes of one function are not proven together.
        shared += [r.finding for r in own if _function(r) in taken]
        own = [rewrite for rewrite in own if _function(rewrite) not in taken]
        wanted = changes(own, analysis.possible, analysis.texts)
        gated = pass_gate(tree, wanted, settings)
        left_out.add(gated)
        checked |= {(code, change.file): change for change in gated.passed}
        taken |= {_function(r) for change in gated.passed for r in change.rewrites}
        candidates += by_subsystem(code, _parts(gated), sections)
    idle = [patch for patch in candidates if not _pays(patch, settings)]
    waiting = [patch for patch in candidates if _pays(patch, settings)]
    waiting.sort(key=lambda patch: (patch.key not in standing, _worth(patch)))
    most = max(most, len([patch for patch in waiting if patch.key in standing]))
    kept: list[Patch] = []
    kernel = own_kernel(tree, settings) if settings.bench and waiting else None
    with settings.observer.progress("proving the patches") as show:
        while waiting and len(kept) < most:
            batch = _batch(waiting, most - len(kept))
            waiting = waiting[len(batch) :]
            proven, lost = _proven(tree, batch, checked, settings, kernel)
            left_out.add(lost)
            idle += [patch for patch in proven if not _pays(patch, settings)]
            kept += [patch for patch in proven if _pays(patch, settings)]
            if show:
                show(len(kept), most)
    kept.sort(key=lambda patch: patch.key)
    return Choice(
        (*needed(kept, sections), *kept),
        Gated(
            (),
            tuple(left_out.refused),
            tuple(dict.fromkeys(left_out.held)),
            tuple(left_out.uncompiled),
            unproven=tuple(left_out.unproven),
        ),
        tuple(idle),
        tuple(shared),
        tuple(waiting),
    )


def _function(rewrite: Rewrite) -> Function:
    return rewrite.finding.file, rewrite.finding.function


def _parts(gated: Gated) -> list[Part]:
    proofs = {proof.file: proof for proof in gated.proofs}
    return [
        Part(c.file, c.old, c.new, c.others, c.rewrites, proofs[c.file])
        for c in gated.passed
    ]


def _pays(patch: Patch, settings: Settings) -> bool:
    """Whether a patch's own table shows a gain; one that was not compiled has no table."""
    compiled = any(part.proof.compiled for part in patch.parts)
    return settings.allow_no_gain or not compiled or is_gain(patch.gains)


def _worth(patch: Patch) -> tuple[float, float, Key]:
    """The key to order patches by, the best first: samples, then expected savings."""
    found = [rewrite.finding for rewrite in patch.rewrites]
    hot = sum(max(heat(finding), 0.0) for finding in found)
    return -hot, -sum(map(worth_guessed, found)), patch.key


def _batch(waiting: Sequence[Patch], most: int) -> list[Patch]:
    """The first patches that can be proven at once: no file is in two of them."""
    batch: list[Patch] = []
    files: set[str] = set()
    for patch in waiting[:most]:
        own = {part.file for part in patch.parts}
        if own & files:
            break
        batch.append(patch)
        files |= own
    return batch


def _proven(
    tree: Tree,
    batch: Sequence[Patch],
    checked: Changes,
    settings: Settings,
    kernel: Bench | None,
) -> tuple[list[Patch], Gated]:
    """The patches with what is proven of them, and what is not."""
    parts = {part.file: part for patch in batch for part in patch.parts}
    wanted = [checked[patch.rule, p.file] for patch in batch for p in patch.parts]
    proofs = tuple(part.proof for part in parts.values())
    gated = pass_proof(tree, Gated(tuple(wanted), (), (), (), proofs), settings)
    if kernel is not None:
        gated = pass_bench(kernel, tree, gated, settings)
    proven = {
        part.file: replace(part, proof=_with_gains(part, parts[part.file]))
        for part in _parts(gated)
    }
    patches = []
    for patch in batch:
        own = tuple(proven[part.file] for part in patch.parts if part.file in proven)
        if own:
            patches.append(replace(patch, parts=own))
    return patches, gated


def _with_gains(part: Part, before: Part) -> Proof:
    """The proof of a part, with the gains on further targets that its checks have found."""
    if part.rewrites != before.rewrites:
        return part.proof
    known = {gain.target for gain in part.proof.gains}
    more = tuple(gain for gain in before.proof.gains if gain.target not in known)
    return replace(part.proof, gains=(*part.proof.gains, *more))
