# SPDX-License-Identifier: GPL-2.0
"""Windows and findings for the runs of a function, shared by the rules for runs and loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from hotcocci.c.expression import canonical
from hotcocci.c.syntax import Statement, block_of, innermost
from hotcocci.findings import (
    READ,
    READ_WRITE,
    REPORT,
    REWRITE,
    WRITE,
    Finding,
)
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.conditions import direction, judge
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.in_runs import joining_copies, joins
from hotcocci.rewrite.declarations import is_changed
from hotcocci.rewrite.emit import Labelled
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.loop_conditions import LoopWindow, judge_loop
from hotcocci.rewrite.loops import Loop, find_loops
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.runs import Run, find_runs, owned_accesses
from hotcocci.rewrite.statements import RunStatement, UserAccess, fits_window
from hotcocci.rewrite.window import Refusal, Window

_CHECKS = ("access_ok", "__access_ok")
_WAY = {READ: "from", WRITE: "to", READ_WRITE: "through"}


def windows(
    context: Context, taken: set[str], labels: FaultLabels
) -> tuple[list[tuple[Run, Window | Refusal]], list[Labelled]]:
    """Return the runs of a function with their verdicts, and the windows with their labels.

    Names that the windows introduce are added to ``taken``.
    """
    function, facts = context.function, context.facts
    loops = find_loops(function.source, function, facts)
    verdicts = (judge_loop(loop, context) for loop in loops)
    rounds = [v.loop.statement for v in verdicts if isinstance(v, LoopWindow)]
    joined = _with_copies(context, taken)
    wide = [a.start for run, _ in joined for a in run.accesses]
    judged = joined + [
        (run, judge(run, context, taken))
        for run in find_runs(function.source, function, facts)
        if not any(n.start < run.accesses[0].start < n.end for n in rounds)
        and not any(a.start in wide for a in run.accesses)
    ]
    judged.sort(key=lambda found: found[0].accesses[0].start)
    judged = _unguarded(_whole(judged, context), context.options.api == SCOPED)
    judged = _with_decisions(judged, loops, rounds, context)
    found = [v for _, v in judged if isinstance(v, Window)]
    several = len({w.direction for w in found}) > 1
    named = []
    for window in found:
        last = window is found[-1] and not rounds
        label = labels.label(
            window.direction, window.on_fault, several, last, window.guards
        )
        named.append(Labelled(window, label))
    return judged, named


def _whole(
    judged: list[tuple[Run, Window | Refusal]], context: Context
) -> list[tuple[Run, Window | Refusal]]:
    """Refuse a run where accesses of the same kind to its object stay in its statements."""
    windows = [run for run, verdict in judged if isinstance(verdict, Window)]
    taken = {access.start for run in windows for access in run.accesses}
    found = []
    for run, verdict in judged:
        stays = _beside(run, taken) if isinstance(verdict, Window) else None
        if stays is not None:
            line = context.source.line_of(stays.start)
            detail = f"the {stays.access.name}() at line {line} cannot join it"
            verdict = Refusal("mixed-condition", run.statements[0].line, detail)
        found.append((run, verdict))
    return found


def _beside(run: Run, taken: set[int]) -> UserAccess | None:
    """An access to another member in a run's statements, of the same direction, that is in no window."""
    first = run.accesses[0]
    if first.base.place != bases.FIELD:
        return None
    return next(
        (
            access
            for statement in run.statements
            for access in statement.accesses
            if access.start not in taken
            and access.base.place == bases.FIELD
            and (access.base.key, access.direction) == (first.base.key, first.direction)
        ),
        None,
    )


def _with_decisions(
    judged: list[tuple[Run, Window | Refusal]],
    loops: list[Loop],
    rounds: list[Statement],
    context: Context,
) -> list[tuple[Run, Window | Refusal]]:
    """Ask about accesses beside a window or in another one, and about one for all iterations of a loop.

    Those are of the same kind, through the same base, and in the same block.
    """
    windows = [run for run, verdict in judged if isinstance(verdict, Window)]
    taken = {access.start for run in windows for access in run.accesses}
    owned = owned_accesses(context.source, context.function, context.facts)
    left = [
        access
        for many in owned.values()
        for access in many
        if access.start not in taken
        and not any(r.start < access.start < r.end for r in rounds)
    ]
    found = []
    for run, verdict in judged:
        if isinstance(verdict, Window):
            low, high = _around(run)
            own = run.accesses[0].base.key, verdict.direction
            beside = [
                f"the {a.access.name}() at line {context.source.line_of(a.start)} can be in the window"
                for a in left
                if low < a.start < high and (a.base.key, a.direction) == own
            ]
            around = [
                f"one window can be around the loop at line {context.source.line_of(loop.statement.start)}"
                for loop in loops
                if loop.body.start <= run.accesses[0].start < loop.body.end
                and all(_is_like(s) for s in loop.run.sequence)
                and not _moves(run, loop, context)
            ]
            checked = _checked_before(run, verdict, context)
            copied = _copied_beside(run, taken, context)
            apart = [
                f"the {o.accesses[0].access.name}() at line {o.statements[0].line} can be in the same window"
                for o in windows
                if o is not run
                and low < o.accesses[0].start < high
                and (o.accesses[0].base.key, direction(o)) == own
            ]
            beside = [*beside, *copied, *apart]
            decisions = (*verdict.decisions, *checked, *beside[:1], *around[:1])
            verdict = replace(verdict, decisions=decisions)
        found.append((run, verdict))
    return found


def _checked_before(run: Run, window: Window, context: Context) -> list[str]:
    """Ask about a check of the base before the window, which checks it again or masks it.

    Its exit returns what a fault does.
    """
    source, base = context.source, run.accesses[0].base
    code = source.code_between(context.body.start, run.sequence[window.begin].start)
    for name, opening, first, comma in zip(code, code[1:], code[2:], code[3:]):
        called = opening.text, first.text, comma.text
        if name.text in _CHECKS and called == ("(", base.key, ","):
            test = innermost(context.function, name.start)
            left = (
                source.text[test.children[0].start : test.end] if test.children else ""
            )
            if canonical(left) == canonical(window.on_fault[-1]):
                return [
                    f"the {name.text}() at line {source.line_of(name.start)} can go"
                ]
    return []


def _copied_beside(run: Run, taken: set[int], context: Context) -> list[str]:
    """Ask about a copy to the beginning of the object, in a statement of the run or beside it."""
    around = run.sequence[max(run.first - 1, 0) : run.last + 2]
    code = context.source.code_between(around[0].start, around[-1].end)
    return [
        f"the {name.text}() at line {context.source.line_of(name.start)} can be in the window"
        for name, opening, first, comma in zip(code, code[1:], code[2:], code[3:])
        if name.text in ("copy_to_user", "__copy_to_user")
        and name.start not in taken
        and (opening.text, first.text, comma.text)
        == ("(", run.accesses[0].base.key, ",")
        and direction(run) == WRITE
    ]


def _moves(run: Run, loop: Loop, context: Context) -> bool:
    """Whether a loop goes on to other objects, as along a list."""
    code = context.source.code_between(loop.statement.start, loop.statement.end)
    return is_changed(run.accesses[0].base.key, code)


def _is_like(statement: RunStatement) -> bool:
    """Whether a statement of a loop may be in a window."""
    if statement.accesses:
        return all(operand.access for operand in statement.operands)
    return fits_window(statement)


def _around(run: Run) -> tuple[int, int]:
    """The block of a run; in a switch without braces only the case that it is in."""
    first = run.statements[0].syntax
    block = block_of(first)
    if block.kind != "switch":
        return block.start, block.end
    labels = [c.start for c in block.children if c.kind in ("case", "default")]
    low = max((at for at in labels if at <= first.start), default=block.start)
    return low, min((at for at in labels if at > first.start), default=block.end)


def _unguarded(
    judged: list[tuple[Run, Window | Refusal]], scoped: bool
) -> list[tuple[Run, Window | Refusal]]:
    """Take a label out of its #if where another window uses the same one outside."""

    def exit_of(window: Window) -> tuple[str, tuple[str, ...]]:
        return "" if scoped else window.direction, window.on_fault

    found = [v for _, v in judged if isinstance(v, Window)]
    always = {exit_of(window) for window in found if not window.guards}
    return [
        (run, replace(v, guards=()))
        if isinstance(v, Window) and exit_of(v) in always
        else (run, v)
        for run, v in judged
    ]


def _with_copies(
    context: Context, taken: set[str]
) -> list[tuple[Run, Window | Refusal]]:
    """The runs that a copy is part of, if they become windows."""
    copies = joining_copies(context)
    if not copies:
        return []
    runs = find_runs(context.source, context.function, context.facts, copies)
    judged = ((run, judge(run, context, taken)) for run in runs if joins(run))
    return [(run, verdict) for run, verdict in judged if isinstance(verdict, Window)]


def finding(
    rule: str,
    per: str,
    run: Run,
    verdict: Window | LoopWindow | Refusal,
    meaning: Callable[[str], str],
    context: Context,
) -> Finding:
    """The finding for a run; ``meaning`` gives the sentence of a reason.

    ``per`` follows the number of accesses: " per iteration" for a loop.
    """
    source = context.source
    direction_ = direction(run)
    first = run.accesses[0]
    message = f"{_subject(run, per)} in {run.function.name}()"
    tier = reason = None
    if not isinstance(verdict, Refusal):
        tier = verdict.tier
        message += "; use one user access window"
        if verdict.notes:
            message += f" ({'; '.join(verdict.notes)})"
        if verdict.decisions:
            message += (
                f"; decide {', '.join(f'whether {d}' for d in verdict.decisions)}"
            )
    else:
        reason = verdict.reason
        message += f"; {verdict.text(meaning(reason))}"
    return Finding(
        rule=rule,
        file=context.facts.file,
        line=source.line_of(first.start),
        end_line=source.line_of(run.accesses[-1].end),
        function=run.function.name,
        message=message,
        accesses=len(run.accesses),
        base=first.base.key,
        direction=direction_,
        verdict=REWRITE if tier else REPORT,
        tier=tier,
        reason=reason,
    )


def _subject(run: Run, per: str) -> str:
    """The accesses by name, and their base: ``2 get_user() from p``."""
    names = Counter(a.access.name for a in run.accesses)
    made = [
        f"{'one' if per and number == 1 else number} {name}(){per}"
        for name, number in names.items()
    ]
    bases = dict.fromkeys(a.base.key for a in run.accesses)
    return f"{' and '.join(made)} {_WAY[direction(run)]} {', '.join(bases)}"
