# SPDX-License-Identifier: GPL-2.0
"""Which functions of a patch gain the most: what a reviewer may look at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotcocci.findings import Finding, Gain
from hotcocci.output.text import Show, share
from hotcocci.plural import count
from hotcocci.pipeline.gating import Gated
from hotcocci.pipeline.ranking import heat
from hotcocci.proof.worth import EXPENSIVE, saved
from hotcocci.tree.hotness import guess

SHOWN = 10
UNITS = f"saved are instructions; a call, an open or close, or a fence counts as {EXPENSIVE}"


@dataclass(frozen=True)
class _Changed:
    """A function, its first finding, and how much was counted to be saved in it."""

    finding: Finding
    rewrites: int
    saved: int | None

    @property
    def guessed(self) -> float:
        """What it saves times how hot it is likely to be."""
        return (self.saved or 0) * guess(self.finding.file, self.finding.function)


def best_first(gated: Gated, profiled: bool, show: Show) -> list[str]:
    """Lines on the functions that a patch changes, the best first; none if there is no choice.

    They are ordered by the samples of a profile, then by what is saved; without one by what is
    saved times a guess of how hot the function is, which the first line says.
    """
    found = _changed(gated)
    if len(found) < 2:
        return []
    if profiled:
        found.sort(key=lambda one: (-heat(one.finding), -(one.saved or 0)))
        head = f"the best first, by the share of samples ({UNITS}):"
    else:
        found.sort(key=lambda one: -one.guessed)
        head = (
            f"the best first, by what is saved times a guess of how hot a function is ({UNITS}; "
            "--profile FILE orders by samples):"
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
        _Changed(findings[0], len(findings), _saved(function, gains.get(file, ())))
        for (file, function), findings in found.items()
    ]


def _saved(function: str | None, gains: Sequence[Gain]) -> int | None:
    """What was counted for a function, on the target where that is the most."""
    told = (saved(g.before, g.after) for g in gains if g.function == function)
    return max((number for number in told if number is not None), default=None)


def _line(one: _Changed, profiled: bool, show: Show) -> str:
    finding = one.finding
    hot = (
        share(finding)
        if profiled
        else f"guess {guess(finding.file, finding.function):g}"
    )
    number = "could not be counted" if one.saved is None else one.saved
    rewrites = count(one.rewrites, "rewrite")
    place = f"{show(finding.file)}:{finding.line}: {finding.function}()"
    return f"  {place}: {rewrites}, saved {number}, {hot}"
