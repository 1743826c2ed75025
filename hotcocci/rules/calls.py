# SPDX-License-Identifier: GPL-2.0
"""From verdicts on the code of a file to findings and rewrites."""

from collections.abc import Callable, Iterable, Iterator

from hotcocci.c.expression import Binary, Expr, Index, Unary, uncast
from hotcocci.c.syntax import enclosing, innermost
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
from hotcocci.rewrite.calls import Called, Copy, calls_of
from hotcocci.rewrite.copies import for_small_copies
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.runs import counter
from hotcocci.rewrite.statements import expressions_in, is_conditional
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
        yield subject(call, call.said, squeeze(call.text(uncast(call.user)))), verdict


def subject(call: Called, said: str, base: str) -> Subject:
    """A call as the subject of a finding, whose message says this of it."""
    context, direction = call.context, call.direction
    said = f"{said} in {context.function.name}()"
    array = _array(call) if isinstance(call, Copy) else None
    return Subject(context, call.start, call.end, said, base, direction, record=array)


def _array(copy: Copy) -> str | None:
    """The array whose elements a loop copies one by one and does nothing else; None if none does."""
    source, function = copy.context.source, copy.context.function
    own = innermost(function, copy.start)
    loop = next((each for each in enclosing(own) if each.kind != "block"), None)
    if loop is None:
        return None
    index = counter(source, loop)
    body = loop.children[-1]
    if (body.children if body.kind == "block" else [body]) != [own]:
        return None
    if any(map(is_conditional, expressions_in(source, own))):
        return None
    kernel, user = (_indexed(uncast(e), index) for e in (copy.kernel, copy.user))
    layouts = (copy.size_layout, copy.kernel_layout, copy.user_layout)
    sizes = {each.sizes for each in layouts if each is not None}
    # With other sizes, or unknown ones, the elements may be apart on one side.
    if kernel is None or user is None or None in layouts or len(sizes) > 1:
        return None
    return f"{squeeze(copy.text(kernel))}[]"


def _indexed(pointer: Expr, index: str | None) -> Expr | None:
    """The array of which a pointer is to the element of this index."""
    if isinstance(pointer, Unary) and pointer.operator == "&":
        element = pointer.operand
        if isinstance(element, Index) and element.index.name == index:
            return element.object
    elif isinstance(pointer, Binary) and pointer.operator == "+":
        return pointer.left if pointer.right.name == index else None
    return None


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
        file=context.source.file,
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
