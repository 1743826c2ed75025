# SPDX-License-Identifier: GPL-2.0
"""Order findings by the samples of a profile or, without one, by an estimate."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hotcocci.c.functions import Functions
from hotcocci.cache import Cache
from hotcocci.errors import UserError
from hotcocci.findings import REWRITE, Finding
from hotcocci.heat.heats import Heats, heats, latest
from hotcocci.names import count
from hotcocci.pipeline.known import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import heat_of
from hotcocci.rules.rulebook import rule
from hotcocci.tree.kernel import Tree
from hotcocci.tree.select import contents, is_small
from hotcocci.tree.source import decode

if TYPE_CHECKING:
    from hotcocci.engines.perf_report import Profile

_NAME = re.compile(r"[A-Za-z_]\w*")

HOT_FROM = 1.0
"""The smallest share, in percent, of a hot function unless ``hot`` is set."""

UNKNOWN = Heats()
"""The heat of a tree that was never read as a whole."""


def profile_of(settings: Settings) -> Profile | None:
    """Read the profile of the settings, None without one.

    Raises UserError if it cannot be parsed, or for ``--hot`` without a profile.
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
    # Most runs have no profile.
    from hotcocci.engines import perf

    # Read it only once: it may be a pipe.
    return perf.read(path)


def check_names(profile: Profile, tree: Tree, known: Iterable[str]) -> None:
    """Raise UserError if a tree has none of the functions of a profile, which is of something else.

    ``known`` are texts of its files, to search first.
    """
    for text in chain(known, map(decode, contents(tree.root))):
        if not profile.shares.keys().isdisjoint(_NAME.findall(text)):
            return
    names = count(len(profile.shares), "function")
    raise UserError(
        f"nothing in {tree.root} has the name of one of the {names} of the profile: "
        "name a profile of this kernel"
    )


def hot_functions(settings: Settings) -> frozenset[str] | None:
    """Return the hot functions of the profile, None without a profile."""
    profile = profile_of(settings)
    if profile is None:
        return None
    return profile.above(HOT_FROM if settings.hot is None else settings.hot)


def heats_of(
    root: Path, files: Sequence[str], cache: Cache, settings: Settings, whole: bool
) -> Heats:
    """The heat of the functions of these files, from the tree as it is now if ``whole``.

    Else as it was when that was last asked of this tree, which takes no look at its other files; UNKNOWN
    if it never was, and the tree is not small.
    """
    if not files:
        return Heats()
    known = None if whole else latest(root, files, cache)
    if known is None and not whole and not is_small(root):
        return UNKNOWN
    return known or heats(root, files, cache, settings.jobs, settings.observer.progress)


def heated(decision: Decision, known: Heats) -> Decision:
    """Return a decision with the heat of its findings' places."""

    def on(finding: Finding) -> Finding:
        return known.on(finding, decision.text, rule(finding.rule).loops)

    return _each(decision, on)


def rated(decision: Decision, profile: Profile) -> Decision:
    """Return a decision with the shares of its findings' functions."""
    callers = Functions(decision.text)
    rates: dict[str | None, tuple[float | None, float | None]] = {}
    for finding in decision.findings:
        if finding.function not in rates:
            rates[finding.function] = _rate(finding.function, profile, callers)

    def rate(finding: Finding) -> Finding:
        share, at_most = rates[finding.function]
        return replace(finding, share=share, share_at_most=at_most)

    return _each(decision, rate)


def _each(decision: Decision, of: Callable[[Finding], Finding]) -> Decision:
    """Change each finding of a decision."""
    return replace(
        decision,
        findings=tuple(map(of, decision.findings)),
        rewrites=tuple(
            replace(rewrite, finding=of(rewrite.finding))
            for rewrite in decision.rewrites
        ),
    )


def _rate(
    function: str | None, profile: Profile, callers: Functions
) -> tuple[float | None, float | None]:
    """Return a function's share, or an upper bound if it is not in the profile."""
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
    """Return the key to order findings by with a profile: the share, else its upper bound."""
    if finding.share is not None:
        return finding.share
    return -1.0 if finding.share_at_most is None else finding.share_at_most


def is_kept(finding: Finding, settings: Settings) -> bool:
    """Whether a finding is in a function that is hot enough for ``hot``."""
    return settings.hot is None or heat(finding) >= settings.hot


def is_sampled(finding: Finding, settings: Settings) -> bool:
    """Whether the profile, if there is one, has the function of a finding, or one it may be inlined into."""
    return settings.profile is None or heat(finding) >= 0


def worth_guessed(finding: Finding) -> float:
    """Estimate what fixing a finding is worth, without a profile.

    The typical cycles saved times how often the function runs. A report has no figure, and comes last.
    """
    saved = finding.saves.typical if finding.saves else 0.0
    return saved * heat_of(finding) if finding.verdict == REWRITE else -1.0
