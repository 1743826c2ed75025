# SPDX-License-Identifier: GPL-2.0
"""Filter findings: by comments that allow one, a baseline and changed lines.

``/* hotcocci: allow UA101 - why */`` is on the line of the finding, or on a line of its own right before it.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from hotcocci import baseline
from hotcocci.c.source import COMMENT, tokenize
from hotcocci.findings import BANDS, MANUAL, NEW, REWRITE, SHOWS, WORTH, Finding
from hotcocci.pipeline.known import Decision
from hotcocci.pipeline.settings import Settings
from hotcocci.rules.offer import SMALL_GAIN, is_in_doubt
from hotcocci.rules.rulebook import REWRITE_RULES, RULES
from hotcocci.tree.kernel import Tree
from hotcocci.tree.touched import Touched

# Why findings are not listed, each with what lists them
TOO_COLD = "too cold (--show cold)"
IN_DOUBT = "in doubt until compiled (patch)"
ASK_FIRST = "ask first (--tier manual)"
NOT_ASKED = "not asked for (--show, --tier)"
UNSAFE = "unsafe or without a gain (--show all)"

# Reason of a finding on a suppression comment itself
WRONG = "comment"

# The rule for malformed and unused comments
UNUSED = "UW00"

_CODE = r"[A-Z]{2}\d+"
_ALLOW = re.compile(
    rf"hotcocci:\s*allow\s+(?P<codes>{_CODE}(?:\s*,\s*{_CODE})*)(?P<why>.*?)(?:\*/)?$",
    re.DOTALL,
)
_WORDS = re.compile(r"hotcocci:\s*allow\b")
# UNUSED itself cannot be allowed.
_CODES = frozenset(rule.code for rule in RULES) - {UNUSED}
_REWRITES = frozenset(rule.code for rule in REWRITE_RULES)


@dataclass(frozen=True)
class Allowance:
    """One rule that a comment on ``line`` allows on the line ``target``.

    If ``complaint`` is set, the comment is malformed and allows nothing; ``rule`` is UNUSED if it names none.
    """

    rule: str
    line: int
    target: int
    complaint: str = ""

    @property
    def of_windows(self) -> bool:
        """Whether it names a window rule, as ``check`` uses."""
        return self.rule.startswith("UW")


def allowances(text: str) -> list[Allowance]:
    """The allowances in a file; malformed ones have a complaint."""
    if "hotcocci:" not in text:
        return []
    found = []
    for token in tokenize(text):
        if token.kind != COMMENT or not _WORDS.search(token.text):
            continue
        line = text.count("\n", 0, token.start) + 1
        last = line + token.text.count("\n")
        before = text[text.rfind("\n", 0, token.start) + 1 : token.start]
        target = last if before.strip() else last + 1
        match = _ALLOW.search(token.text)
        if match is None:
            complaint = "names no rule: write 'hotcocci: allow UA101 - why'"
            found.append(Allowance(UNUSED, line, target, complaint))
            continue
        why = match["why"].strip(" \t\n*-:—–")
        for code in re.findall(_CODE, match["codes"]):
            complaint = ""
            if code not in _CODES:
                complaint = f"names {code}, which is no rule: 'rules' lists them all"
            elif not why:
                complaint = (
                    f"allows {code} without saying why: write 'allow {code} - why'"
                )
            found.append(Allowance(code, line, target, complaint))
    return found


@dataclass(frozen=True)
class Filtered:
    """The findings to show, and those that were left out.

    ``shown`` includes invalid and unused suppression comments, ``allowed`` the comment that suppresses each. ``known`` are in the baseline; ``gone``
    counts the entries of the baseline that no longer occur.
    """

    shown: tuple[Finding, ...]
    allowed: tuple[tuple[Finding, Allowance], ...] = ()
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

    def is_judged(file: str, a: Allowance) -> bool:
        if a.complaint:
            return a.rule in examined or a.rule not in _REWRITES
        seen = file in examined.get(a.rule, ())
        return seen and (file, a.rule, a.target) not in if_hot

    unused = "there is no such finding here"
    left, allowed, complaints = heeded(findings, comments, False, is_judged, unused)
    texts = {decision.file: decision.text for decision in decided} | dict(comments)
    shown = [
        *left,
        *(
            Finding(UNUSED, file, line, line, None, message, reason=WRONG)
            for file, line, message in complaints
        ),
    ]
    old: list[Finding] = []
    gone = 0
    if known is not None:
        fresh, gone = baseline.new(shown, known, texts)
        new = set(fresh)
        old = [finding for finding in shown if finding not in new]
        shown = fresh
    if touched is not None:
        shown = [finding for finding in shown if _is_touched(finding, touched)]
    return Filtered(tuple(shown), tuple(allowed), tuple(old), gone)


def is_actionable(finding: Finding, settings: Settings) -> bool:
    """Whether something can be done about a finding: apply its rewrite, or mend a comment.

    A rewrite that leaves a question to a person, or of a later band than asked for, is only for those who ask.
    """
    listed = ("", IN_DOUBT) if settings.churn else ("",)
    return why_left(finding) in listed and (
        finding.band is None
        or BANDS.index(finding.band) <= BANDS.index(SHOWS[settings.show])
    )


def why_left(finding: Finding) -> str:
    """Why a finding is not listed by default; empty if it is."""
    if finding.verdict == REWRITE:
        if finding.tier == MANUAL:
            return ASK_FIRST
        return IN_DOUBT if is_in_doubt(finding) else ""
    if finding.reason == SMALL_GAIN:
        return TOO_COLD
    return "" if finding.reason == WRONG or finding.band == NEW else UNSAFE


def band_of(finding: Finding) -> int:
    """The place of a finding's band in the order in which they are shown."""
    return BANDS.index(finding.band) if finding.band else len(BANDS)


def decides(finding: Finding) -> bool:
    """Whether a finding makes the exit code 1: it is worth a change, or a comment is wrong."""
    return finding.band == WORTH or finding.reason == WRONG


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


def _is_touched(finding: Finding, touched: Mapping[str, Touched]) -> bool:
    change = touched.get(finding.file)
    return change is not None and change.touches(finding.line, finding.end_line)


Place = TypeVar("Place", bound=Finding)


def heeded(
    found: Sequence[Place],
    texts: Mapping[str, str],
    of_windows: bool,
    is_judged: Callable[[str, Allowance], bool],
    unused: str,
) -> tuple[list[Place], list[tuple[Place, Allowance]], list[tuple[str, int, str]]]:
    """The findings that no comment allows, those that one does, and what is wrong with comments, by file and line.

    ``texts`` have the comments: those of window rules, or of others. ``is_judged`` says which of the malformed and
    unused ones are wrong.
    """
    written = [
        (file, a)
        for file, text in texts.items()
        for a in allowances(text)
        if a.of_windows == of_windows
    ]
    by_place = {(f, a.rule, a.target): a for f, a in written if not a.complaint}
    left, allowed = [], []
    for each in found:
        by = by_place.get((each.file, each.rule, each.line))
        if by is None:
            left.append(each)
        else:
            allowed.append((each, by))
    used = {(each.file, by) for each, by in allowed}
    wrong = [
        (file, a.line, f"this comment {complaint}")
        for file, a in written
        for complaint in [a.complaint or f"allows {a.rule}, but {unused}"]
        if (a.complaint or (file, a) not in used) and is_judged(file, a)
    ]
    return left, allowed, wrong
