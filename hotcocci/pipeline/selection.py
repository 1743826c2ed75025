# SPDX-License-Identifier: GPL-2.0
"""Offer rewrites one by one, and keep those that are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from hotcocci.errors import UserError
from hotcocci.findings import Gain, Rewrite
from hotcocci.pipeline.changes import Change, Gated
from hotcocci.saves import is_of
from hotcocci.tree.kernel import Tree

# Checks changes of a tree
Check = Callable[[Tree, Sequence[Change]], Gated]


@dataclass(frozen=True)
class Offer:
    """A rewrite that passed its checks, with the change of its file and its function's gains."""

    tree: Tree
    change: Change
    rewrite: Rewrite
    gains: tuple[Gain, ...]


@dataclass(frozen=True)
class Taken:
    """A rewrite that was taken; ``edited`` has the user's hunks if it was edited."""

    offer: Offer
    rewrite: Rewrite
    edited: str = ""


def offers_of(tree: Tree, gated: Gated) -> Iterator[Offer]:
    """Return each rewrite that passed, by file and line."""
    measured = {proof.file: proof.gains for proof in gated.proofs}
    for change in gated.passed:
        for rewrite in sorted(change.rewrites, key=lambda r: r.finding.line):
            gains = measured.get(change.file, ())
            own = [gain for gain in gains if is_of(gain, rewrite.finding)]
            yield Offer(tree, change, rewrite, tuple(own))


def check_fit(offer: Offer, rewrite: Rewrite, taken: Sequence[Taken]) -> None:
    """Raise UserError if a rewrite conflicts with one that was taken."""
    for other in (t for t in taken if t.offer.change is offer.change):
        try:
            offer.change.only([other.rewrite, rewrite])
        except ValueError as error:
            line = other.rewrite.finding.line
            raise UserError(
                f"this rewrite conflicts with the rewrite taken at line {line}"
            ) from error


def check_edited(offer: Offer, rewrite: Rewrite, check: Check) -> None:
    """Raise UserError if an edited rewrite does not pass the checks; the message says why."""
    change = offer.change
    alone = change.only([rewrite])
    gated = check(offer.tree, [alone])
    if not gated.passed:
        said = [f"refused: {finding.message}" for finding in gated.refused]
        skips = (*gated.held, *gated.unproven)
        said += [f"not taken: {skip.reason}" for skip in skips]
        raise UserError("\n".join(said))


def keep_taken(tree: Tree, gated: Gated, taken: Sequence[Taken], check: Check) -> Gated:
    """Return the gate of a tree with only the rewrites that were taken.

    Files of which only some rewrites were taken are checked again.
    """
    whole: list[Change] = []
    parts: list[Change] = []
    for change in gated.passed:
        own = [t.rewrite for t in taken if t.offer.change is change]
        if own == sorted(change.rewrites, key=lambda r: r.finding.line):
            whole.append(change)
        elif own:
            parts.append(change.only(own))
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
