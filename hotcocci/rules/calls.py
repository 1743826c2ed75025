# SPDX-License-Identifier: GPL-2.0
"""From verdicts on the calls of a file to findings and rewrites."""

from __future__ import annotations

from collections.abc import Callable, Iterable

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
from hotcocci.rewrite.copies.calls import Called, calls_of, uncast
from hotcocci.rewrite.copies.instead import Instead, Verdict
from hotcocci.rewrite.copies.small import contexts
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.entry import Rule

Decided = tuple[list[Finding], list[Rewrite]]


def _plain(call: Called) -> tuple[str, str]:
    return call.said, squeeze(call.text(uncast(call.user)))


def decided(
    rule: Rule,
    judged: Iterable[tuple[Called, Verdict]],
    shown: Callable[[Called], tuple[str, str]] = _plain,
) -> Decided:
    """The findings of a rule on calls, and the rewrites of those that something replaces.

    ``shown`` is what a message says of a call, and the user pointer.
    """
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for call, verdict in judged:
        if verdict is None:
            continue
        found = _finding(rule, call, verdict, *shown(call))
        findings.append(found)
        if isinstance(verdict, Instead):
            rewrites.append(
                Rewrite(
                    found,
                    verdict.edits,
                    verdict.shape,
                    verdict.api or call.context.options.api,
                    (*verdict.notes, *verdict.remarks),
                    additions=verdict.additions,
                )
            )
    return findings, rewrites


def call_by_call(
    rule: Rule, judge: Callable[[Called], Verdict]
) -> Callable[[str, Facts, Options], Decided]:
    """The decision of a rule that judges each call by itself."""

    def decide(text: str, facts: Facts, options: Options) -> Decided:
        found = (calls_of(context) for context in contexts(text, facts, options))
        return decided(rule, ((call, judge(call)) for calls in found for call in calls))

    return decide


def _finding(
    rule: Rule, call: Called, verdict: Instead | Refusal, said: str, base: str
) -> Finding:
    """The finding on a call; what only a person can decide makes it manual, a note prepared."""
    name = call.context.function.name
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
        file=call.context.facts.file,
        line=call.line,
        end_line=call.context.source.line_of(call.end),
        function=name,
        message=f"{said} in {name}(); {text}",
        accesses=1,
        base=base,
        direction=call.direction,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )
