# SPDX-License-Identifier: GPL-2.0
"""What is shown of what was decided: not what a comment allows, a baseline knows or no change touches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from hotcocci import baseline
from hotcocci.c.allowances import UNUSED, Allowance, allowances
from hotcocci.cli.decisions import Decision
from hotcocci.findings import REPORT, Finding
from hotcocci.output.text import count, line
from hotcocci.rules.rulebook import REWRITE_RULES
from hotcocci.tree.touched import Touched

# Why a finding is a comment
COMMENT = "comment"

_REWRITES = frozenset(rule.code for rule in REWRITE_RULES)


@dataclass(frozen=True)
class Allowed:
    """A finding that is not shown, and the comment that says so."""

    finding: Finding
    by: Allowance


@dataclass(frozen=True)
class Sifted:
    """What is left of the findings, and what became of the others.

    ``shown`` has the comments that are wrong or allow nothing besides; ``known`` are those of the
    baseline, ``gone`` is how many more that one has.
    """

    shown: tuple[Finding, ...]
    allowed: tuple[Allowed, ...] = ()
    known: tuple[Finding, ...] = ()
    gone: int = 0


def sift(
    decided: Sequence[Decision],
    comments: Mapping[str, str],
    looked: Mapping[str, Collection[str]],
    anywhere: Collection[tuple[str, str, int]],
    touched: Mapping[str, Touched] | None,
    known: Counter[str] | None,
) -> Sifted:
    """Part the findings of one tree.

    ``comments`` are the texts of the files with allowances, ``looked`` the files that each rule
    was asked about and could look at, ``anywhere`` the places (file, rule, line) of what only a profile would ask for,
    ``touched`` what a change touches, None for everything,
    ``known`` what a baseline has.
    """
    findings = [finding for decision in decided for finding in decision.findings]
    left, allowed, wrong = _allowed(findings, comments, looked, anywhere)
    texts = {decision.file: decision.text for decision in decided} | dict(comments)
    shown = [*left, *wrong]
    old: list[Finding] = []
    gone = 0
    if known is not None:
        fresh, gone = baseline.new(shown, known, texts)
        new = set(fresh)
        old = [finding for finding in shown if finding not in new]
        shown = fresh
    if touched is not None:
        shown = [finding for finding in shown if _is_touched(finding, touched)]
    return Sifted(tuple(shown), tuple(allowed), tuple(old), gone)


def told(sifted: Sifted, whole: bool) -> list[str]:
    """Lines on what is not shown; ``whole`` is whether nothing else was left out."""
    lines = []
    if sifted.allowed:
        number = count(len(sifted.allowed), "finding")
        lines.append(f"{number} allowed by comments: 'why' tells by which")
    if sifted.known:
        lines.append(f"{count(len(sifted.known), 'finding')} known by the baseline")
    if sifted.gone and whole:
        lines.append(
            f"{count(sifted.gone, 'finding')} of the baseline {'is' if sifted.gone == 1 else 'are'} "
            "gone: write it anew with --write-baseline"
        )
    return lines


def aside(sifted: Sifted, whole: bool, show: Callable[[str], str] = str) -> list[str]:
    """The same, with the comments that are wrong or allow nothing, of commands that list no findings.

    ``show`` gives a file the name it is told by.
    """
    wrong = [line(f, show) for f in sifted.shown if f.rule == UNUSED]
    return [*wrong, *told(sifted, whole)]


def _allowed(
    findings: Sequence[Finding],
    comments: Mapping[str, str],
    looked: Mapping[str, Collection[str]],
    anywhere: Collection[tuple[str, str, int]],
) -> tuple[list[Finding], list[Allowed], list[Finding]]:
    """What no comment allows, what one does, and the comments that are wrong or allow nothing."""
    written = {
        file: [a for a in allowances(text) if not a.of_windows]
        for file, text in comments.items()
    }
    places = {
        (file, a.rule, a.target): a
        for file, several in written.items()
        for a in several
        if not a.complaint
    }
    left = []
    allowed = []
    for finding in findings:
        by = places.get((finding.file, finding.rule, finding.line))
        if by is None:
            left.append(finding)
        else:
            allowed.append(Allowed(finding, by))
    used = {(each.finding.file, each.by) for each in allowed}
    wrong = []
    for file, several in written.items():
        for a in several:
            if a.complaint and (a.rule in looked or a.rule not in _REWRITES):
                wrong.append(_wrong(file, a, a.complaint))
            elif (
                not a.complaint
                and (file, a) not in used
                and file in looked.get(a.rule, ())
                and (file, a.rule, a.target) not in anywhere
            ):
                told = f"allows {a.rule}, which is not found here"
                wrong.append(_wrong(file, a, told))
    return left, allowed, wrong


def _wrong(file: str, by: Allowance, complaint: str) -> Finding:
    return Finding(
        rule=UNUSED,
        file=file,
        line=by.line,
        end_line=by.line,
        function=None,
        message=f"this comment {complaint}",
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
