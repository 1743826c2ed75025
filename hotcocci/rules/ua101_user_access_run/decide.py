# SPDX-License-Identifier: GPL-2.0
"""UA101: find the runs among the accesses of a file, and windows for them."""

from __future__ import annotations

from hotcocci.c.source import Source
from hotcocci.c.syntax import functions
from hotcocci.findings import Facts, Finding, Rewrite
from hotcocci.rewrite import emit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.hot import for_function
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.run_windows import finding, windows
from hotcocci.rewrite.window import Window
from hotcocci.rules.ua101_user_access_run import RULE
from hotcocci.rules.ua101_user_access_run.macros import macro_bodies


def decide(
    text: str, facts: Facts, options: Options
) -> tuple[list[Finding], list[Rewrite]]:
    """Every run of a file, and the rewrites of those that may become windows.

    ``facts.file`` is relative to the tree. Nothing is raised for code that cannot be
    rewritten: it is reported with a reason.
    """
    source = Source(facts.file, text)
    findings: list[Finding] = []
    rewrites: list[Rewrite] = []
    findings += macro_bodies(source, facts)
    for function in functions(source, facts, at_least=2):
        own = for_function(options, facts.file, function.name)
        context = Context(function.source, function, facts, own)
        taken: set[str] = set()
        judged, named = windows(context, taken, FaultLabels(context, taken))
        for run, verdict in judged:
            found = finding(RULE.code, "", run, verdict, RULE.meaning, context)
            findings.append(found)
            if isinstance(verdict, Window):
                group = _sharing(verdict, named)
                rewrites.append(
                    Rewrite(
                        found,
                        emit.edits(group, context),
                        verdict.shape,
                        own.api,
                        (*verdict.notes, *verdict.remarks),
                    )
                )
    return findings, rewrites


def _sharing(window: Window, named: list[emit.Labelled]) -> list[emit.Labelled]:
    """The windows that share statements with this one."""
    group = [n for n in named if n.window is window]
    while True:
        low = min(n.window.run.sequence[n.window.begin].start for n in group)
        high = max(n.window.run.sequence[n.window.stop].end for n in group)
        wider = [
            n
            for n in named
            if n.window.run.sequence[n.window.begin].start < high
            and low < n.window.run.sequence[n.window.stop].end
        ]
        if len(wider) == len(group):
            return wider
        group = wider
