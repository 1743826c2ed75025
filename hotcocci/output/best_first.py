# SPDX-License-Identifier: GPL-2.0
"""Rank the functions of a patch by gain, for reviewers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.findings import Finding, Gain
from hotcocci.output.text import Show, share
from hotcocci.plural import count
from hotcocci.pipeline.changes import Gated
from hotcocci.pipeline.ranking import heat
from hotcocci.pipeline.worth import is_of
from hotcocci.proof.worth import EXPENSIVE, saved
from hotcocci.tree.hotness import guess

SHOWN = 10
UNITS = (
    f"in instructions; a call, a window open or close, or a fence counts as {EXPENSIVE}"
)


@dataclass(frozen=True)
class _Changed:
    """A changed function: its first finding, its number of rewrites, and the savings counted."""

    finding: Finding
    rewrites: int
    saved: int | None

    @property
    def guessed(self) -> float:
        """The savings times how hot the function is likely to be."""
        return (self.saved or 0) * guess(self.finding.file, self.finding.function)


def best_first(gated: Gated, profiled: bool, show: Show) -> list[str]:
    """Return lines on the functions that a patch changes, best first; none for a single function.

    Ordered by samples and then savings or, without a profile, by savings times an estimate of how hot
    the function is. The first line says which.
    """
    found = _changed(gated)
    if len(found) < 2:
        return []
    if profiled:
        found.sort(key=lambda one: (-heat(one.finding), -(one.saved or 0)))
        head = f"best first, by share of samples (savings {UNITS}):"
    else:
        found.sort(key=lambda one: -one.guessed)
        head = (
            f"best first, by savings times estimated hotness (savings {UNITS}; "
            "use --profile FILE to order by samples):"
        )
    lines = [head] + [_line(one, profiled, show) for one in found[:SHOWN]]
    more = len(found) - SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _changed(gated: Gated) -> list[_Changed]:
    gains = {proof.file: proof.gains for proof in gated.proofs}
    found: dict[tuple[str, str | None], list[Finding]] = {}
    for change in gated.passed:
        for rewrite in change.rewrites:
            key = change.file, rewrite.finding.function
            found.setdefault(key, []).append(rewrite.finding)
    return [
        _Changed(findings[0], len(findings), _saved(findings[0], gains.get(file, ())))
        for (file, _), findings in found.items()
    ]


def _saved(finding: Finding, gains: Sequence[Gain]) -> int | None:
    """Return the savings counted for a finding's function, on the target where they are largest."""
    counted = (saved(g.before, g.after) for g in gains if is_of(g, finding))
    return max((number for number in counted if number is not None), default=None)


def _line(one: _Changed, profiled: bool, show: Show) -> str:
    finding = one.finding
    hot = (
        share(finding)
        if profiled
        else f"hotness {guess(finding.file, finding.function):g}"
    )
    number = "unknown" if one.saved is None else one.saved
    rewrites = count(one.rewrites, "rewrite")
    place = f"{show(finding.file)}:{finding.line}: {finding.function}()"
    return f"  {place}: {rewrites}, saves {number}, {hot}"
