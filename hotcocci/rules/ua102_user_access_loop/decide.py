# SPDX-License-Identifier: GPL-2.0
"""UA102: find the loops among the accesses of a file, and windows around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.c.unseen import ACCESSES
from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite.asking import label_elsewhere
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.loop_conditions import LoopWindow, judge_loop
from hotcocci.rewrite.loops import Loop, find_loops
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.prefilter import may_hold_loop
from hotcocci.rewrite.run_windows import finding, windows
from hotcocci.rewrite.runs import find_runs
from hotcocci.rewrite.window import Refusal
from hotcocci.rules.implementation import Implementation
from hotcocci.rules.ua102_user_access_loop import RULE
from hotcocci.rules.ua102_user_access_loop.emit import loop_edits
from hotcocci.tree.select import ACCESS

_PER = " per iteration"

Judged = tuple[Loop, LoopWindow | Refusal]


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Every loop with user accesses, and the rewrites of those that a window can enclose."""
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    for function in functions(source, facts):
        context = Context(function.source, function, facts, options)
        taken: set[str] = set()
        labels = FaultLabels(context, taken)
        runs = find_runs(function.source, function, facts)
        if runs:
            # Both rules may be applied: UA101's windows share labels with these.
            windows(context, taken, labels)
        loops = find_loops(function.source, function, facts)
        verdicts = ((loop, judge_loop(loop, context)) for loop in loops)
        judged = [(loop, v) for loop, v in verdicts if v is not None]
        for loop, verdict in _with_others(judged, context):
            body = loop.body
            if isinstance(verdict, Refusal) and any(
                body.start <= run.accesses[0].start < body.end for run in runs
            ):
                continue  # the run inside is reported by UA101
            if isinstance(verdict, LoopWindow):
                label = labels.label(
                    verdict.direction, verdict.on_fault, False, last=False
                )
                far = label_elsewhere(label, loop.run, (), context, loop=True)
                verdict = replace(verdict, decisions=(*verdict.decisions, *far))
            found = finding(RULE.code, _PER, loop.run, verdict, RULE.meaning, context)
            findings.append(found)
            if isinstance(verdict, LoopWindow):
                edits = loop_edits(verdict, label, context)
                rounds = verdict.count.value
                rewrites.append(
                    Rewrite(found, edits, "F", options.api, verdict.notes, rounds)
                )
    return findings, rewrites


def _with_others(judged: list[Judged], context: Context) -> Iterator[Judged]:
    """Ask about other loops of the function, which stay as they are."""
    left = [
        context.source.line_of(loop.statement.start)
        for loop, verdict in judged
        if isinstance(verdict, Refusal)
    ]
    for loop, verdict in judged:
        if isinstance(verdict, LoopWindow) and left:
            other = f"the loop at line {left[0]} can have a window too"
            verdict = replace(verdict, decisions=(*verdict.decisions, other))
        yield loop, verdict


IMPLEMENTATION = Implementation(ACCESS, may_hold_loop, decide, ACCESSES)
