# SPDX-License-Identifier: GPL-2.0
"""UA102: find the loops among the accesses of a file, and windows around them."""

from collections.abc import Iterator
from itertools import chain

from hotcocci.c.source import apply
from hotcocci.findings import Edit, Facts
from hotcocci.rewrite.asking import label_elsewhere
from hotcocci.rewrite.context import Context, contexts
from hotcocci.rewrite.declarations import settled
from hotcocci.rewrite.emit import Lines, begin, finish, intermediate, write
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.layout import deeper, reindent
from hotcocci.rewrite.loop_conditions import LoopWindow, judge_loop
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.run_windows import USE_WINDOW, subject_of, windows
from hotcocci.rewrite.runs import Loop, find_loops, find_runs
from hotcocci.rewrite.window import Instead, Refusal
from hotcocci.rules.calls import Decided, Judged, decided
from hotcocci.rules.rulebook import rule

RULE = rule("UA102")

_Loop = tuple[Loop, LoopWindow | Refusal]


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every loop with user accesses, and the rewrites of those that a window can enclose."""
    found = contexts(text, facts, options)
    return decided(RULE, chain.from_iterable(map(_judged, found)))


def _judged(context: Context) -> Iterator[Judged]:
    """The loops of a function, and the windows around them."""
    taken: set[str] = set()
    labels = FaultLabels(context, taken)
    runs = find_runs(context)
    if runs:
        # Both rules may be applied: UA101's windows share labels with these.
        windows(context, taken, labels)
    verdicts = ((loop, judge_loop(loop, context)) for loop in find_loops(context))
    possible = [(loop, v) for loop, v in verdicts if v is not None]
    for loop, verdict in _with_others(possible, context):
        body, subject = loop.body, subject_of(loop.run, context, loop)
        if isinstance(verdict, LoopWindow):
            window = labels.labelled(verdict, several=False, last=False)
            window = window.asking(label_elsewhere(window, context, loop=True))
            yield (
                subject,
                Instead(
                    USE_WINDOW,
                    _loop_edits(window, context),
                    window.notes,
                    window.decisions,
                    shape="F",
                    rounds=window.count.value,
                ),
            )
        elif not any(
            body.start <= run.accesses[0].start < body.end for run in runs
        ):  # Otherwise the run inside is reported by UA101.
            yield subject, verdict


def _with_others(judged: list[_Loop], context: Context) -> Iterator[_Loop]:
    """Ask about other loops of the function, which stay as they are."""
    left = [
        context.line(loop.statement)
        for loop, verdict in judged
        if isinstance(verdict, Refusal)
    ]
    for loop, verdict in judged:
        if isinstance(verdict, LoopWindow) and left:
            other = f"consider a window for the loop at line {left[0]}, too"
            verdict = verdict.asking([other])
        yield loop, verdict


def _loop_edits(window: LoopWindow, context: Context) -> tuple[Edit, ...]:
    """All edits of a window around a loop."""
    source, loop = context.source, window.loop
    start, end = loop.statement.start, loop.statement.end
    old = source.indent(start)
    out = Lines(context, old)
    if window.skip:
        out.add(f"{out.indent}if ({window.skip}) {{")
        out.outer = out.indent = deeper(old, context.unit)
    begin(out, window, context)
    text = _loop_text(window, context)
    out.add(out.indent + reindent(text, old, out.indent))
    finish(out, window.direction, context)
    if window.skip:
        out.add(f"{old}}}")
    text = "\n".join(out.lines)
    made = [Edit(start, end, text[len(old) :]), *window.label.edits]
    return tuple(settled(made, context))


def _loop_text(window: LoopWindow, context: Context) -> str:
    """The loop with an unsafe access, at its old indentation.

    Everything else in it is unchanged: declarations, comments, blank lines.
    """
    source, loop = context.source, window.loop
    out = Lines(context, source.indent(loop.run.sequence[0].start))
    inner: list[Edit] = []
    for statement in loop.run.sequence:
        out.lines = []
        if statement.accesses:
            write(out, statement.accesses[0], window, context)
        elif statement.exit is not None:
            intermediate(out, statement, window.direction, context)
        else:
            continue
        text = "\n".join(out.lines)
        inner.append(Edit(statement.start, statement.end, text[len(out.indent) :]))
    declared = [d for d in context.declared if d[-1].end <= loop.run.sequence[0].start]
    if inner and declared and declared[-1][0].start > loop.body.start:
        first, last = loop.run.sequence[0], declared[-1][-1]
        if inner[0].start == first.start and source.line_of(last.end) + 1 == first.line:
            inner.insert(0, Edit(last.end, last.end, "\n"))
    start, end = loop.statement.start, loop.statement.end
    if loop.body.kind == "block" and _is_bare(loop, context):
        head = source.text[start : loop.body.start].rstrip()
        return f"{head}\n{out.indent}{inner[0].text}"
    shifted = tuple(Edit(e.start - start, e.end - start, e.text) for e in inner)
    return apply(source.text[start:end], shifted)


def _is_bare(loop: Loop, context: Context) -> bool:
    """Whether a block has the access and nothing else."""
    if len(loop.run.sequence) != 1:
        return False
    statement = loop.run.sequence[0]
    around = [
        *context.source.tokens_between(loop.body.start + 1, statement.start),
        *context.source.tokens_between(statement.end, loop.body.end - 1),
    ]
    return not around
