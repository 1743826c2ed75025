# SPDX-License-Identifier: GPL-2.0
"""Offers rewrites one by one, and keeps those that were taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hotcocci.errors import UserError
from hotcocci.findings import Gain, Rewrite
from hotcocci.pipeline.gating import Change, Gated, change_of
from hotcocci.tree.kernel import Tree

# How changes pass their checks
Check = Callable[[Tree, Sequence[Change]], Gated]


@dataclass(frozen=True)
class Offer:
    """One rewrite that passed its checks, with its whole file, and what its function gains."""

    tree: Tree
    change: Change
    rewrite: Rewrite
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class Taken:
    """A rewrite that was taken, and the hunks as the user wrote them if it was edited."""

    offer: Offer
    rewrite: Rewrite
    edited: str = ""


def offers_of(tree: Tree, gated: Gated) -> Iterator[Offer]:
    """Each rewrite that passed, in the order of files and lines."""
    measured = {proof.file: proof.gains for proof in gated.proofs}
    for change in gated.passed:
        for rewrite in sorted(change.rewrites, key=lambda r: r.finding.line):
            name = rewrite.finding.function or "?"
            # A system call has other names in the object, which end in its own.
            own = [
                g for g in measured.get(change.file, ()) if g.function.endswith(name)
            ]
            yield Offer(tree, change, rewrite, tuple(own))


def check_fit(offer: Offer, rewrite: Rewrite, taken: Sequence[Taken]) -> None:
    """Raise UserError if a rewrite changes what one that was taken changes otherwise."""
    for other in (t for t in taken if t.offer.change is offer.change):
        try:
            change_of("", offer.change.before, [other.rewrite, rewrite], {})
        except ValueError as error:
            line = other.rewrite.finding.line
            raise UserError(
                f"it changes lines that the rewrite taken at line {line} changes, too"
            ) from error


def check_edited(offer: Offer, rewrite: Rewrite, check: Check) -> None:
    """Raise UserError with the reason if an edited rewrite does not pass the checks."""
    change = offer.change
    alone = change_of(change.file, change.before, [rewrite], change.possible)
    gated = check(offer.tree, [alone])
    if not gated.passed:
        said = [f"refused: {finding.message}" for finding in gated.refused]
        skips = (*gated.held, *gated.unproven)
        said += [f"not taken: {skip.reason}" for skip in skips]
        raise UserError("\n".join(said))


def keep_taken(tree: Tree, gated: Gated, taken: Sequence[Taken], check: Check) -> Gated:
    """What came of a tree, with only the rewrites that were taken.

    Files that keep some of their rewrites pass the checks again, as other lines differ then.
    """
    whole: list[Change] = []
    parts: list[Change] = []
    for change in gated.passed:
        own = [t.rewrite for t in taken if t.offer.change is change]
        if own == sorted(change.rewrites, key=lambda r: r.finding.line):
            whole.append(change)
        elif own:
            parts.append(change_of(change.file, change.before, own, change.possible))
    again = check(tree, parts) if parts else Gated((), (), (), ())
    kept = {change.file for change in whole}
    return replace(
        gated,
        passed=tuple(sorted([*whole, *again.passed], key=lambda c: c.file)),
        refused=(*gated.refused, *again.refused),
        held=(*gated.held, *again.held),
        uncompiled=(
            *(skip for skip in gated.uncompiled if skip.file in kept),
            *again.uncompiled,
        ),
        unproven=(*gated.unproven, *again.unproven),
        proofs=tuple(
            sorted(
                [*(p for p in gated.proofs if p.file in kept), *again.proofs],
                key=lambda proof: proof.file,
            )
        ),
    )
