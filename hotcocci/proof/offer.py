# SPDX-License-Identifier: GPL-2.0
"""Decide whether a rewrite is offered by what it is estimated to save."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hotcocci.findings import Rewrite
from hotcocci.proof.model.estimate import estimate
from hotcocci.rewrite.options import Options
from hotcocci.rules.offer import refused


def with_saves(text: str, rewrite: Rewrite, options: Options) -> Rewrite:
    """A rewrite of a file's text whose finding has the estimated savings."""
    saves = estimate(text, rewrite, options.scopes)
    return replace(rewrite, finding=replace(rewrite.finding, saves=saves))


def offers(churn: bool) -> Callable[[str, Rewrite, Options], bool]:
    """Whether a rewrite of a file's text is offered, for the scripts of coccicheck."""

    def is_offered(text: str, rewrite: Rewrite, options: Options) -> bool:
        finding = with_saves(text, rewrite, options).finding
        return refused(finding.saves, [finding], churn) is None

    return is_offered
