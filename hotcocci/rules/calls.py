# SPDX-License-Identifier: GPL-2.0
"""From verdicts on the code of a file to findings and rewrites."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hotcocci.c.expression import uncast
from hotcocci.findings import (
    MANUAL,
    PREPARED,
    REPORT,
    REWRITE,
    SAFE,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite.context import contexts
from hotcocci.rewrite.copies.calls import Called, calls_of
from hotcocci.rewrite.copies.small import for_small_copies
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Instead, Refusal, Subject, Verdict
from hotcocci.rules.entry import Rule

Decided = tuple[list[Finding], list[Rewrite]]
Judged = tuple[Subject, Verdict]


def decided(rule: Rule, judged: Iterable[Judged]) -> Decided:
    """The findings of a rule, and the rewrites of those that something replaces."""
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for subject, verdict in judged:
        if verdict is None:
            continue
        found = _finding(rule, subject, verdict)
        findings.append(found)
        if isinstance(verdict, Instead):
            rewrites.append(
                Rewrite(
                    found,
                    verdict.edits,
                    verdict.shape,
                    verdict.api or subject.context.options.api,
                    (*verdict.notes, *verdict.remarks),
                    verdict.rounds,
                    verdict.additions,
                )
            )
    return findings, rewrites


def on_calls(judged: Iterable[tuple[Called, Verdict]]) -> Iterator[Judged]:
    """Verdicts on calls as those on subjects."""
    for call, verdict in judged:
        base = squeeze(call.text(uncast(call.user)))
        yield subject(call, call.said, base), verdict


def subject(call: Called, said: str, base: str) -> Subject:
    """A call as the subject of a finding, whose message says this of it."""
    said = f"{said} in {call.context.function.name}()"
    return Subject(call.context, call.start, call.end, said, base, call.direction)


def call_by_call(
    rule: Rule, judge: Callable[[Called], Verdict]
) -> Callable[[str, Facts, Options], Decided]:
    """The decision of a rule that judges each call by itself."""

    def decide(text: str, facts: Facts, options: Options) -> Decided:
        found = contexts(text, facts, for_small_copies(options, facts.file))
        calls = (call for context in found for call in calls_of(context))
        return decided(rule, on_calls((call, judge(call)) for call in calls))

    return decide


def _finding(rule: Rule, subject: Subject, verdict: Instead | Refusal) -> Finding:
    """The finding on a subject; what only a person can decide makes it manual, a note prepared."""
    context = subject.context
    reason = tier = None
    if isinstance(verdict, Refusal):
        reason = verdict.reason
        text = verdict.text(rule.meaning(reason))
    else:
        notes = f" ({'; '.join(verdict.notes)})" if verdict.notes else ""
        text = "; ".join((verdict.said + notes, *verdict.decisions))
        tier = verdict.tier or (PREPARED if verdict.notes else SAFE)
        tier = MANUAL if verdict.decisions else tier
    return Finding(
        rule=rule.code,
        file=context.facts.file,
        line=context.line(subject),
        end_line=context.source.line_of(subject.end),
        function=context.function.name,
        message=f"{subject.said}; {text}",
        accesses=subject.accesses,
        base=subject.base,
        direction=subject.direction,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
        record=subject.record,
        column=context.source.column(subject.start) + 1,
        end_column=context.source.column(subject.end) + 1,
    )
