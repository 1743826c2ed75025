# SPDX-License-Identifier: GPL-2.0
"""The order of findings: by the samples of a profile, or by a guess where there is none."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from hotcocci.c.callers import Callers
from hotcocci.engines.perf import reading
from hotcocci.engines.perf.profile import Profile
from hotcocci.errors import UserError
from hotcocci.findings import REWRITE, Finding
from hotcocci.pipeline.decisions import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.rulebook import rule
from hotcocci.tree.hotness import guess

HOT_FROM = 1.0
"""The share, in percent, from which a function counts as hot unless ``hot`` is set."""


def profile_of(settings: Settings) -> Profile | None:
    """The profile that was named, None without one.

    Raises UserError if it cannot be understood, or if ``--hot`` was asked for without one.
    """
    if settings.profile is None:
        if settings.hot is not None:
            raise UserError(
                "--hot needs the samples of a profile: name it with --profile"
            )
        return None
    return _read(settings.profile)


@cache
def _read(path: Path) -> Profile:
    # Once: it may be a pipe.
    return reading.read(path)


def hot_functions(settings: Settings) -> frozenset[str] | None:
    """The functions that the profile shows to be hot, None without one."""
    profile = profile_of(settings)
    if profile is None:
        return None
    return profile.above(HOT_FROM if settings.hot is None else settings.hot)


def rated(decision: Decision, profile: Profile) -> Decision:
    """A decision whose findings know the share of their functions."""
    callers = Callers(decision.text)
    rates: dict[str | None, tuple[float | None, float | None]] = {}
    for finding in decision.findings:
        if finding.function not in rates:
            rates[finding.function] = _rate(finding.function, profile, callers)

    def rate(finding: Finding) -> Finding:
        share, at_most = rates[finding.function]
        return replace(finding, share=share, share_at_most=at_most)

    return replace(
        decision,
        findings=tuple(map(rate, decision.findings)),
        rewrites=tuple(
            replace(rewrite, finding=rate(rewrite.finding))
            for rewrite in decision.rewrites
        ),
    )


def _rate(
    function: str | None, profile: Profile, callers: Callers
) -> tuple[float | None, float | None]:
    """A function's share, and what it is at most where the profile does not show it."""
    if function is None:
        return None, None
    share = profile.share(function)
    if share is not None:
        return share, None
    # It may have been inlined into its callers, and they into theirs.
    around = callers.nearest(function, lambda name: profile.share(name) is not None)
    shares = [profile.share(caller) or 0.0 for caller in around]
    return None, min(100.0, sum(shares)) if shares else None


def heat(finding: Finding) -> float:
    """What a finding is ordered by under a profile: its share, else what that is at most."""
    if finding.share is not None:
        return finding.share
    return -1.0 if finding.share_at_most is None else finding.share_at_most


def is_kept(finding: Finding, settings: Settings) -> bool:
    """Whether a finding is in a function that is hot enough for ``hot``."""
    return settings.hot is None or heat(finding) >= settings.hot


def worth_guessed(finding: Finding) -> float:
    """What fixing a finding may be worth, where nothing was measured.

    Its savings, of which one is an open and close of user access, an out-of-line call or a chain
    of loads, times the guess of how hot its function is; a quarter of that if no rewrite is at
    hand. The scale means nothing but the order.
    """
    accesses = finding.accesses or 1
    # A window of a run is still opened and closed once.
    saved = max(accesses - 1, 1) if rule(finding.rule).one_kept else accesses
    at_hand = 1.0 if finding.verdict == REWRITE else 0.25
    return at_hand * saved * guess(finding.file, finding.function)
