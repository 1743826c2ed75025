# SPDX-License-Identifier: GPL-2.0
"""Rank the functions of a patch by gain, for reviewers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.findings import Finding, Gain, Saves
from hotcocci.output.text import Show, share
from hotcocci.plural import count
from hotcocci.pipeline.changes import Gated
from hotcocci.pipeline.ranking import heat
from hotcocci.rules.offer import heat_of
from hotcocci.saves import is_of, saves, typical

SHOWN = 10


@dataclass(frozen=True)
class _Changed:
    """A changed function: its first finding, its number of rewrites, and the cycles saved."""

    finding: Finding
    rewrites: int
    saves: Saves | None

    @property
    def worth(self) -> float:
        """The typical cycles saved times how often the function runs."""
        return (self.saves.typical if self.saves else 0) * heat_of(self.finding)


def best_first(gated: Gated, profiled: bool, show: Show) -> list[str]:
    """Return lines on the functions that a patch changes, best first; none for a single function.

    Ordered by samples, if there is a profile, then by the cycles saved times how often the function runs.
    The first line says which.
    """
    found = _changed(gated)
    if len(found) < 2:
        return []
    if profiled:
        found.sort(key=lambda one: (-heat(one.finding), -one.worth))
        head = "best first, by share of samples:"
    else:
        found.sort(key=lambda one: -one.worth)
        head = "best first, by cycles saved times how often the function runs (--profile FILE orders by samples):"
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
        _Changed(findings[0], len(findings), _saves(findings, gains.get(file, ())))
        for (file, _), findings in found.items()
    ]


def _saves(findings: Sequence[Finding], gains: Sequence[Gain]) -> Saves | None:
    """What a function saves: as it was compiled, else the best estimate."""
    compiled = saves(c for g in gains if is_of(g, findings[0]) for c in g.cycles)
    estimates = [finding.saves for finding in findings if finding.saves]
    return compiled or max(estimates, key=lambda each: each.typical, default=None)


def _line(one: _Changed, profiled: bool, show: Show) -> str:
    finding = one.finding
    said = [count(one.rewrites, "rewrite")]
    if one.saves is not None:
        said.append(f"saves {typical(one.saves)} cycles")
    if profiled:
        said.append(share(finding))
    place = f"{show(finding.file)}:{finding.line}: {finding.function}()"
    return f"  {place}: {', '.join(said)}"
