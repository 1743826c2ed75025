# SPDX-License-Identifier: GPL-2.0
"""UA101: find the runs among the accesses of a file, and windows for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from hotcocci.c.source import DIRECTIVE, NAME, Source, tokenize
from hotcocci.findings import REPORT, Access, Facts, Finding
from hotcocci.rewrite import emit
from hotcocci.rewrite.conditions import judge
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.context_conditions import is_best_classic
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.options import CLASSIC, Options, small_api_for
from hotcocci.rewrite.run_windows import USE_WINDOW, subject_of, windows
from hotcocci.rewrite.runs import find_runs
from hotcocci.rewrite.window import Instead, Refusal, Verdict, Window, guards_at
from hotcocci.rules.calls import Decided, Judged, decided
from hotcocci.rules.rulebook import rule

RULE = rule("UA101")

# spatch's name for the element around an access in a macro body.
_NO_FUNCTION = "something_else"


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every run of a file, and the rewrites of those that may become windows.

    ``facts.file`` is relative to the tree. Nothing is raised for code that cannot be
    rewritten: it is reported with a reason.
    """
    source = Source(facts.file, text)
    own = _without_fence(text, facts, _of_hot_files(options, facts))
    found = map(_with_best_api, contexts(text, facts, own, at_least=2))
    findings, rewrites = decided(RULE, chain.from_iterable(map(_judged, found)))
    return [*_macro_bodies(source, facts), *findings], rewrites


def _judged(context: Context) -> Iterator[Judged]:
    """The runs of a function, and the windows for them."""
    taken: set[str] = set()
    judged, named = windows(context, taken, FaultLabels(context, taken))
    for run, verdict in judged:
        made: Verdict = verdict if isinstance(verdict, Refusal) else None
        if isinstance(verdict, Window):
            made = _instead(verdict, named, context)
        yield subject_of(run, context), made


def _instead(window: Window, named: list[emit.Labelled], context: Context) -> Instead:
    """The edits that write a window, with the notes and questions of all windows that they write."""
    groups = [_sharing(window, named)]
    always = _with_label(window, named, context)
    if always is not None and always not in groups[0]:
        groups.append(_sharing(always.window, named))
    edits = [edit for group in groups for edit in emit.edits(group, context)]
    reviews = [window.review, *(one.window.review for g in groups for one in g)]
    notes, decisions, remarks = (
        tuple(dict.fromkeys(chain.from_iterable(each)))
        for each in zip(*((r.notes, r.decisions, r.remarks) for r in reviews))
    )
    # Others ask about one window with this one.
    own = f"() at line {context.line(window.run.accesses[0])}"
    decisions = tuple(d for d in decisions if not d.endswith(own))
    return Instead(
        USE_WINDOW,
        tuple(dict.fromkeys(edits)),
        notes,
        decisions,
        (*remarks, *decisions),
        window.shape,
    )


def _with_label(
    window: Window, named: list[emit.Labelled], context: Context
) -> emit.Labelled | None:
    """A window that uses the label of one that is in an #if, wherever that is left out; None if it needs none."""
    (own,) = (one for one in named if one.window is window)
    guarded = guards_at(window.run.statements[0].start, context)
    if window.exit.guards or not guarded or not own.label.edits:
        return None
    return next(
        one
        for one in named
        if one.label is own.label
        and not guards_at(one.window.run.statements[0].start, context)
    )


def _of_hot_files(options: Options, facts: Facts) -> Options:
    """The options for the windows of a file: those of small copies if it has accesses in hot functions.

    Masked windows have no LFENCE (fs/select.c), and one file has one kind of window.
    """
    hot = options.derived.get(facts.file, frozenset())
    small = small_api_for(options, facts.file)
    # A function with one access may not have been parsed.
    several = Counter(access.function for access in facts.accesses)
    if not small or not any(several[function] > 1 for function in hot):
        return options
    return replace(options, api=small)


def _without_fence(text: str, facts: Facts, options: Options) -> Options:
    """The masked windows of a tree for a file with a run of two accesses, where the pointers allow that.

    The LFENCE of a classic begin on x86-64 costs about what one access less saves; get_user() has none there.
    """
    small = small_api_for(options, facts.file)
    if small in ("", options.api):
        return options
    masked = replace(options, api=small)
    two = False
    for context in contexts(text, facts, masked, at_least=2):
        for run in find_runs(context.source, context.function, facts):
            if isinstance(judge(run, context, set()), Refusal):
                classic = replace(context, options=options)
                if isinstance(judge(run, classic, set()), Window):
                    return options
            else:
                two = two or len(run.accesses) == 2
    return masked if two else options


def _with_best_api(context: Context) -> Context:
    """A function with classic windows where one takes the place of an access_ok()."""
    options, function = context.options, context.function
    if options.api == CLASSIC:
        return context
    runs = find_runs(context.source, function, context.facts)
    if not any(is_best_classic(run, context) for run in runs):
        return context
    return replace(context, options=replace(options, api=CLASSIC))


def _sharing(window: Window, named: list[emit.Labelled]) -> list[emit.Labelled]:
    """The windows that share statements with this one."""
    group = [n for n in named if n.window is window]
    while True:
        low = min(n.window.run.sequence[n.window.extent.begin].start for n in group)
        high = max(n.window.run.sequence[n.window.extent.stop].end for n in group)
        wider = [
            n
            for n in named
            if n.window.run.sequence[n.window.extent.begin].start < high
            and low < n.window.run.sequence[n.window.extent.stop].end
        ]
        if len(wider) == len(group):
            return wider
        group = wider


def _macro_bodies(source: Source, facts: Facts) -> list[Finding]:
    """A report for every macro with two or more accesses in its body."""
    outside = [a for a in facts.accesses if a.function == _NO_FUNCTION]
    if len(outside) < 2:
        return []
    findings = []
    for directive in (t for t in source.tokens if t.kind == DIRECTIVE):
        inside = [
            a
            for a in outside
            if directive.start
            <= source.offset(a.call.line, a.call.column)
            < directive.end
        ]
        if len(inside) > 1:
            findings.append(_finding(facts.file, directive.text, inside))
    return findings


def _finding(file: str, text: str, inside: list[Access]) -> Finding:
    words = [t.text for t in tokenize(text.replace("#", " ", 1)) if t.kind == NAME]
    name = words[1] if len(words) > 1 else None
    reason = "macro-body"
    return Finding(
        rule=RULE.code,
        file=file,
        line=inside[0].call.line,
        end_line=inside[-1].call.end_line,
        function=name,
        message=f"{len(inside)} accesses in the macro {name}; every use of it would change",
        accesses=len(inside),
        base=None,
        direction=None,
        verdict=REPORT,
        tier=None,
        reason=reason,
    )
