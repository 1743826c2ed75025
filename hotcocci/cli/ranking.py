# SPDX-License-Identifier: GPL-2.0
"""The order of findings: by the samples of a profile, or by a guess where there is none."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from hotcocci.c.callers import Callers
from hotcocci.cli.decisions import Decision
from hotcocci.engines.perf import reading
from hotcocci.engines.perf.profile import Profile
from hotcocci.errors import UserError
from hotcocci.findings import REWRITE, Finding
from hotcocci.output.text import count
from hotcocci.tree.hotness import guess
from hotcocci.rules.rulebook import rule

HOT_FROM = 1.0
"""The share, in percent, from which on a profile shows a function to be hot without ``--hot``."""

GUESSED = (
    "the order is a guess: what may be saved times how often such functions run; "
    "--profile FILE orders by samples"
)


def profile_of(args: argparse.Namespace) -> Profile | None:
    """The profile that was named, None without one.

    Raises UserError if it cannot be understood, or if ``--hot`` was asked for without one.
    """
    if args.profile is None:
        if args.hot is not None:
            raise UserError(
                "--hot needs the samples of a profile: name it with --profile"
            )
        return None
    return _read(args.profile)


@cache
def _read(path: Path) -> Profile:
    # Once: it may be a pipe.
    return reading.read(path)


def hot_functions(args: argparse.Namespace) -> frozenset[str] | None:
    """The functions that the profile shows to be hot, None without one."""
    profile = profile_of(args)
    if profile is None:
        return None
    return profile.above(HOT_FROM if args.hot is None else args.hot)


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


def is_kept(finding: Finding, args: argparse.Namespace) -> bool:
    """Whether ``--hot`` lets a finding through."""
    return args.hot is None or heat(finding) >= args.hot


def left_out(findings: Sequence[Finding], args: argparse.Namespace) -> list[str]:
    """A line on the findings that ``--hot`` leaves out, none if it leaves out none."""
    cold = [finding for finding in findings if not is_kept(finding, args)]
    if not cold:
        return []
    unknown = sum(heat(finding) < 0 for finding in cold)
    return [
        f"{count(len(cold), 'finding')} below {args.hot:g}% left out, "
        f"{unknown} of them in functions that the profile does not show"
    ]


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
