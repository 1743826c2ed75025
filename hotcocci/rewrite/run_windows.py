# SPDX-License-Identifier: GPL-2.0
"""The windows of a function's runs, and what is said of a run: what the rules of runs and of loops share."""

from __future__ import annotations

from collections.abc import Callable

from hotcocci.findings import (
    PREPARED,
    READ,
    READ_WRITE,
    REPORT,
    REWRITE,
    SAFE,
    WRITE,
    Finding,
)
from hotcocci.rewrite.conditions import direction, judge
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.emit import Labelled
from hotcocci.rewrite.labels import choose
from hotcocci.rewrite.loop_conditions import LoopWindow, judge_loop
from hotcocci.rewrite.loops import find_loops
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.runs import Run, find_runs
from hotcocci.rewrite.window import Refusal, Window

_VERB = {READ: "reads from", WRITE: "writes to", READ_WRITE: "reads from and writes to"}


def windows(
    context: Context, taken: set[str]
) -> tuple[list[tuple[Run, Window | Refusal]], list[Labelled]]:
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
    found = [v for _, v in judged if isinstance(v, Window)]
    return judged, _named(found, context, taken)


def _named(windows: list[Window], context: Context, taken: set[str]) -> list[Labelled]:
    """Each window with its label.

    Scoped windows that leave alike share one; where all they do is go to a label that
    exists, that one serves.
    """
    named: list[Labelled] = []
    shared: dict[tuple[str, ...], str] = {}
    several = len({w.direction for w in windows}) > 1
    for window in windows:
        if context.options.api == SCOPED and window.target:
            if window.leave == (f"goto {window.target};",):
                named.append(Labelled(window, window.target, existing=True))
                continue
        if context.options.api == SCOPED:
            label = shared.get(window.leave) or choose(
                context, taken, window.direction, window.leave, False
            )
            shared[window.leave] = label
        else:
            label = choose(context, taken, window.direction, window.leave, several)
        named.append(Labelled(window, label, last=window is windows[-1]))
    return named


def finding(
    rule: str,
    where: str,
    run: Run,
    verdict: Window | LoopWindow | Refusal,
    meaning: Callable[[str], str],
    context: Context,
) -> Finding:
    """What a rule says of the accesses of a run, ``where`` they are, with the ``meaning`` of the reason if it is refused."""
    source = context.source
    way = direction(run)
    first = run.accesses[0]
    count = len(run.accesses)
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
        message += f"; line {verdict.line}: {meaning(reason)}"
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
