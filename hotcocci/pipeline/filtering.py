# SPDX-License-Identifier: GPL-2.0
"""Filter findings: by suppression comments, a baseline and changed lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hotcocci import baseline
from hotcocci.findings import (
    BANDS,
    MANUAL,
    REPORT,
    REWRITE,
    SHOWS,
    WORTH,
    Finding,
)
from hotcocci.pipeline.allowances import (
    UNUSED,
    Allowance,
    allowances,
    split,
    wrong,
)
from hotcocci.pipeline.decision import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import ONE_COPY, SMALL_GAIN
from hotcocci.rules.rulebook import REWRITE_RULES
from hotcocci.tree.kernel import Tree
from hotcocci.tree.touched import Touched

# Why findings are not listed, each with what lists them
TOO_COLD = "too cold (--show cold)"
ASK_FIRST = "ask first (--tier manual)"
UNSAFE = "cannot be rewritten safely, or not for a gain (--show all)"

# Reason of a finding on a suppression comment itself
COMMENT = "comment"

_REWRITES = frozenset(rule.code for rule in REWRITE_RULES)


@dataclass(frozen=True)
class Allowed:
    """A finding that a comment suppresses."""

    finding: Finding
    by: Allowance


@dataclass(frozen=True)
class Filtered:
    """The findings to show, and those that were left out.

    ``shown`` includes invalid and unused suppression comments. ``known`` are in the baseline; ``gone``
    counts the entries of the baseline that no longer occur.
    """

    shown: tuple[Finding, ...]
    allowed: tuple[Allowed, ...] = ()
    known: tuple[Finding, ...] = ()
    gone: int = 0


def filter_findings(
    decided: Sequence[Decision],
    comments: Mapping[str, str],
    examined: Mapping[str, Collection[str]],
    if_hot: Collection[tuple[str, str, int]],
    touched: Mapping[str, Touched] | None,
    known: Counter[str] | None,
) -> Filtered:
    """Filter the findings of one tree.

    ``comments`` are the texts of the files with allowances, ``examined`` the files that each rule
    could examine, ``if_hot`` the locations (file, rule, line) that would be findings with some profile.
    ``touched`` is None to keep all lines, ``known`` is None without a baseline.
    """
    findings = [finding for decision in decided for finding in decision.findings]
    written = {
        file: [a for a in allowances(text) if not a.of_windows]
        for file, text in comments.items()
    }
    left, allowed = split(findings, written)

    def is_judged(file: str, a: Allowance) -> bool:
        if a.complaint:
            return a.rule in examined or a.rule not in _REWRITES
        seen = file in examined.get(a.rule, ())
        return seen and (file, a.rule, a.target) not in if_hot

    complaints = wrong(written, allowed, is_judged, "there is no such finding here")
    texts = {decision.file: decision.text for decision in decided} | dict(comments)
    shown = [*left, *(_wrong(*each) for each in complaints)]
    old: list[Finding] = []
    gone = 0
    if known is not None:
        fresh, gone = baseline.new(shown, known, texts)
        new = set(fresh)
        old = [finding for finding in shown if finding not in new]
        shown = fresh
    if touched is not None:
        shown = [finding for finding in shown if _is_touched(finding, touched)]
    suppressed = tuple(Allowed(*each) for each in allowed)
    return Filtered(tuple(shown), suppressed, tuple(old), gone)


def is_actionable(finding: Finding, settings: Settings) -> bool:
    """Whether something can be done about a finding: apply its rewrite, or mend a comment.

    A rewrite that leaves a question to a person, or of a later band than asked for, is only for those
    who ask.
    """
    return why_left(finding) == "" and (
        finding.band is None
        or BANDS.index(finding.band) <= BANDS.index(SHOWS[settings.show])
    )


def why_left(finding: Finding) -> str:
    """Why a finding is not listed by default; empty if it is."""
    if finding.verdict == REWRITE:
        return ASK_FIRST if finding.tier == MANUAL else ""
    if finding.reason == SMALL_GAIN:
        return TOO_COLD
    return "" if finding.reason in (COMMENT, ONE_COPY) else UNSAFE


def decides(finding: Finding) -> bool:
    """Whether a finding makes the exit code 1: it is worth a change, or a comment is wrong."""
    return finding.band == WORTH or finding.reason == COMMENT


def read_baseline(
    tree: Tree, paths: Sequence[Path], rules: Collection[str], settings: Settings
) -> Counter[str] | None:
    """Read the baseline's entries for these rules at and below the paths, None without a baseline.

    Other entries are ignored. Raises UserError if it cannot be read.
    """
    if settings.baseline is None:
        return None
    places = [path.resolve() for path in paths]

    def judged(rule: str, file: str) -> bool:
        inside = any((tree.root / file).is_relative_to(place) for place in places)
        return inside and (rule in rules or rule == UNUSED)

    return baseline.read(settings.baseline, judged)


def _wrong(file: str, line: int, message: str) -> Finding:
    """A finding on a comment."""
    return Finding(
        rule=UNUSED,
        file=file,
        line=line,
        end_line=line,
        function=None,
        message=message,
        accesses=None,
        base=None,
        direction=None,
        verdict=REPORT,
        tier=None,
        reason=COMMENT,
    )


def _is_touched(finding: Finding, touched: Mapping[str, Touched]) -> bool:
    change = touched.get(finding.file)
    return change is not None and change.touches(finding.line, finding.end_line)
