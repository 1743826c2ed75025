# SPDX-License-Identifier: GPL-2.0
"""Which rewrites of a patch are worth the most: what a reviewer may look at first."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.cli.gated import Gated
from hotcocci.cli.ranking import heat
from hotcocci.findings import Finding, Gain
from hotcocci.output.text import Show, count, share
from hotcocci.proof.worth import saved
from hotcocci.rules.hotness import guess

SHOWN = 10


def best_first(gated: Gated, profiled: bool, show: Show) -> list[str]:
    """Lines on the rewrites that passed, the best first; none if there is no choice.

    They are ordered by the samples of a profile, then by what was counted to be saved; without
    one by what is saved times a guess of how hot the function is, which the first line says.
    """
    rated = [
        (finding, _saved(finding, gains))
        for finding, gains in _passed(gated)
        if not profiled or heat(finding) >= 0
    ]
    if len(rated) < 2:
        return []
    if profiled:
        head = "the best first, by the share of samples:"
        rated.sort(key=lambda one: (-heat(one[0]), -(one[1] or 0)))
    else:
        head = (
            "the best first, by what is saved times a guess of how hot a function is "
            "(--profile FILE orders by samples):"
        )
        rated.sort(key=lambda one: -_guessed(*one))
    lines = [head] + [_line(*one, profiled, show) for one in rated[:SHOWN]]
    more = len(rated) - SHOWN
    return [*lines, f"  and {more} more"] if more > 0 else lines


def _passed(gated: Gated) -> list[tuple[Finding, Sequence[Gain]]]:
    gains = {proof.file: proof.gains for proof in gated.proofs}
    return [
        (rewrite.finding, gains.get(change.file, ()))
        for change in gated.passed
        for rewrite in change.rewrites
    ]


def _saved(finding: Finding, gains: Sequence[Gain]) -> int | None:
    """What was counted for the finding's function, on the target where that is the most."""
    told = (
        saved(gain.before, gain.after)
        for gain in gains
        if gain.function == finding.function
    )
    return max((number for number in told if number is not None), default=None)


def _guessed(finding: Finding, number: int | None) -> float:
    return (number or 0) * guess(finding.file, finding.function)


def _line(finding: Finding, number: int | None, profiled: bool, show: Show) -> str:
    place = f"  {show(finding.file)}:{finding.line}: {finding.function}()"
    what = (
        "what it saves could not be counted"
        if number is None
        else f"saves what {count(number, 'instruction')} cost"
    )
    hot = (
        share(finding)
        if profiled
        else f"guess {guess(finding.file, finding.function):g}"
    )
    return f"{place} {what}, {hot}"
