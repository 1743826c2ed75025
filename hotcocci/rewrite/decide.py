# SPDX-License-Identifier: GPL-2.0
"""From what SmPL saw in one file to findings, and to the edits of those we rewrite."""

from __future__ import annotations

from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import (
    PREPARED,
    READ,
    READ_WRITE,
    REPORT,
    REWRITE,
    SAFE,
    WRITE,
    Facts,
    Finding,
    Rewrite,
)
from hotcocci.rewrite import emit
from hotcocci.rewrite.conditions import direction, judge
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.emit_loops import loop_edits
from hotcocci.rewrite.labels import choose
from hotcocci.rewrite.loop_conditions import LoopWindow, judge_loop
from hotcocci.rewrite.loops import find_loops
from hotcocci.rewrite.macros import macro_bodies
from hotcocci.rewrite.runs import Run, find_runs
from hotcocci.rewrite.window import Refusal, Window
from hotcocci.rewrite.options import SCOPED
from hotcocci.rules.rulebook import REASONS

_VERB = {READ: "reads from", WRITE: "writes to", READ_WRITE: "reads from and writes to"}


def decide_runs(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """UA101: every run of a file, and the rewrites of those that may become windows.

    ``facts.file`` is relative to the tree. Nothing is raised for code that cannot be
    rewritten: it becomes a report with its reason.
    """
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    findings += macro_bodies(source, facts)
    for function in functions(source, facts, at_least=2):
        context = Context(function.source, function, facts, options)
        taken: set[str] = set()
        judged, named = _windows(context, taken)
        for run, verdict in judged:
            finding = _finding("UA101", run, verdict, context)
            findings.append(finding)
            if isinstance(verdict, Window):
                group = _sharing(verdict, named)
                rewrites.append(
                    Rewrite(
                        finding,
                        emit.edits(group, context),
                        verdict.shape,
                        options.api,
                        (*verdict.notes, *verdict.remarks),
                    )
                )
    return findings, rewrites


def _windows(
    context: Context, taken: set[str]
) -> tuple[list[tuple[Run, Window | Refusal]], list[emit.Labelled]]:
    """The runs of a function with what becomes of them, and the windows' labels.

    The names that the windows introduce are added to ``taken``.
    """
    function, facts = context.function, context.facts
    verdicts = (
        judge_loop(loop, context)
        for loop in find_loops(function.source, function, facts)
    )
    rounds = [v.loop.node for v in verdicts if isinstance(v, LoopWindow)]
    judged = [
        (run, judge(run, context, taken))
        for run in find_runs(function.source, function, facts)
        if not any(n.start < run.accesses[0].start < n.end for n in rounds)
    ]
    windows = [v for _, v in judged if isinstance(v, Window)]
    return judged, _named(windows, context, taken)


def decide_loops(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """UA102: every loop with accesses in its rounds, and those a window goes around."""
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for function in functions(source, facts):
        context = Context(function.source, function, facts, options)
        taken: set[str] = set()
        runs = find_runs(function.source, function, facts)
        if runs:
            _windows(context, taken)  # both rules may be carried out
        for loop in find_loops(function.source, function, facts):
            verdict = judge_loop(loop, context)
            body = loop.body
            if isinstance(verdict, Refusal) and any(
                body.start <= run.accesses[0].start < body.end for run in runs
            ):
                continue  # UA101 speaks of the run in it
            finding = _finding("UA102", loop.run, verdict, context)
            findings.append(finding)
            if isinstance(verdict, LoopWindow):
                label = choose(context, taken, verdict.direction, verdict.leave, False)
                edits = loop_edits(verdict, label, context)
                rewrites.append(
                    Rewrite(finding, edits, "F", options.api, verdict.notes)
                )
    return findings, rewrites


def _named(
    windows: list[Window], context: Context, taken: set[str]
) -> list[emit.Labelled]:
    """Each window with its label.

    Scoped windows that leave alike share one; where all they do is go to a label that
    exists, that one serves.
    """
    named: list[emit.Labelled] = []
    shared: dict[tuple[str, ...], str] = {}
    several = len({w.direction for w in windows}) > 1
    for window in windows:
        if context.options.api == SCOPED and window.target:
            if window.leave == (f"goto {window.target};",):
                named.append(emit.Labelled(window, window.target, existing=True))
                continue
        if context.options.api == SCOPED:
            label = shared.get(window.leave) or choose(
                context, taken, window.direction, window.leave, False
            )
            shared[window.leave] = label
        else:
            label = choose(context, taken, window.direction, window.leave, several)
        named.append(emit.Labelled(window, label, last=window is windows[-1]))
    return named


def _sharing(window: Window, named: list[emit.Labelled]) -> list[emit.Labelled]:
    """The windows that lie in common statements with this one."""
    group = [n for n in named if n.window is window]
    while True:
        low = min(n.window.run.line[n.window.begin].start for n in group)
        high = max(n.window.run.line[n.window.stop].end for n in group)
        wider = [
            n
            for n in named
            if n.window.run.line[n.window.begin].start < high
            and low < n.window.run.line[n.window.stop].end
        ]
        if len(wider) == len(group):
            return wider
        group = wider


def _finding(
    rule: str, run: Run, verdict: Window | LoopWindow | Refusal, context: Context
) -> Finding:
    source = context.source
    way = direction(run)
    first = run.accesses[0]
    count = len(run.accesses)
    where = "in a row" if rule == "UA101" else "in each round of a loop"
    accesses = "access" if count == 1 else "accesses"
    message = f"{count} {accesses} {where}: {run.function.name}() {_VERB[way]} {first.base.key}"
    tier = reason = None
    if not isinstance(verdict, Refusal):
        tier = PREPARED if verdict.notes else SAFE
        message += "; one user access window serves them all"
        if verdict.notes:
            message += f" ({'; '.join(verdict.notes)})"
    else:
        reason = verdict.reason
        message += f"; line {verdict.line}: {REASONS[reason]}"
    return Finding(
        rule=rule,
        file=context.facts.file,
        line=source.line_of(first.start),
        end_line=source.line_of(run.accesses[-1].end),
        function=run.function.name,
        message=message,
        accesses=count,
        base=first.base.key,
        direction=way,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )
