# SPDX-License-Identifier: GPL-2.0
"""Decide which rewrites are offered by what they are estimated to save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from hotcocci.findings import REWRITE, Rewrite
from hotcocci.proof.estimate import estimate
from hotcocci.rewrite.options import Options
from hotcocci.rules.offer import judged


def with_saves(text: str, rewrite: Rewrite, options: Options) -> Rewrite:
    """A rewrite of a file's text whose finding has the estimated savings."""
    saves = estimate(text, rewrite, options.root, options.scopes)
    return replace(rewrite, finding=replace(rewrite.finding, saves=saves))


def offers(
    churn: bool,
) -> Callable[[str, Sequence[Rewrite], Options], list[Rewrite]]:
    """Which rewrites of a file's text are offered, for the scripts of coccicheck."""

    def offered(
        text: str, rewrites: Sequence[Rewrite], options: Options
    ) -> list[Rewrite]:
        rated = [with_saves(text, rewrite, options) for rewrite in rewrites]
        offered = judged([rewrite.finding for rewrite in rated], churn)
        return [r for r in rated if offered[r.finding].verdict == REWRITE]

    return offered
