# SPDX-License-Identifier: GPL-2.0
"""Windows and findings for the runs of a function, shared by the rules for runs and loops."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from hotcocci.c.expression import Expr, Unary
from hotcocci.c.syntax import block_of
from hotcocci.c.text import layout, scalars
from hotcocci.c.typed import plain, record, type_of
from hotcocci.findings import READ, READ_WRITE, WRITE
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.asking import label_elsewhere, with_decisions
from hotcocci.rewrite.conditions import judge
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies_in_runs import copied_in, joining_copies, joins
from hotcocci.rewrite.labels import FaultLabels
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.loop_conditions import LoopWindow, array_of, judge_loop
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.runs import Loop, Run, find_loops, find_runs
from hotcocci.rewrite.statements import UserAccess, is_always_made
from hotcocci.rewrite.window import (
    Judged,
    Refusal,
    Subject,
    Window,
    each_window,
    windows_of,
)

# What a message says to use
USE_WINDOW = "use one user access window"

_FLEXIBLE = re.compile(r"\[\s*0?\s*\]\s*;\s*$|DECLARE_FLEX_ARRAY")
_PADDING = re.compile(r"(?:^|\.)_*(?:pad(?:ding)?|reserved|rsvd|unused|spare)_?\d*$")
_WAY = {READ: "from", WRITE: "to", READ_WRITE: "through"}


def windows(context: Context, taken: set[str], labels: FaultLabels) -> Judged:
    """Return the runs of a function with their verdicts.

    Names that the windows introduce are added to ``taken``.
    """
    loops = find_loops(context)
    verdicts = [judge_loop(loop, context) for loop in loops]
    rounds = [v.loop.statement for v in verdicts if isinstance(v, LoopWindow)]
    loops = [loop for loop, v in zip(loops, verdicts) if v is not None]
    joined = _with_copies(context, taken)
    wide = [a.start for run, _ in joined for a in run.accesses]
    judged = joined + [
        _judged(run, context, taken)
        for run in find_runs(context)
        if not any(n.start < run.accesses[0].start < n.end for n in rounds)
        and not any(a.start in wide for a in run.accesses)
    ]
    judged.sort(key=lambda found: found[0].accesses[0].start)
    judged = _unguarded(_whole(judged, context), context.options.api == SCOPED)
    judged = with_decisions(judged, loops, rounds, context)
    found = windows_of(judged)
    several = len({w.direction for w in found}) > 1

    def labelled(_: Run, window: Window) -> Window:
        window = labels.labelled(window, several, window is found[-1] and not rounds)
        return window.asking(label_elsewhere(window, context))

    return each_window(judged, labelled)


def _whole(judged: Judged, context: Context) -> Judged:
    """Refuse a run where accesses of the same kind to its object stay in its statements."""
    windows = [run for run, verdict in judged if isinstance(verdict, Window)]
    taken = {access.start for run in windows for access in run.accesses}

    def alone(run: Run, window: Window) -> Window | Refusal:
        stays = _beside(run, taken)
        if stays is None:
            return window
        detail = f"{context.called_at(stays)} cannot join it"
        return Refusal("mixed-condition", run.statements[0].line, detail)

    return each_window(judged, alone)


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


def _judged(
    run: Run, context: Context, taken: set[str]
) -> tuple[Run, Window | Refusal]:
    """A run and its verdict; only its stores, at the end, if it also fetches eight bytes that no window can."""
    verdict = judge(run, context, taken)
    if isinstance(verdict, Refusal) and verdict.reason == "u64-arm32":
        stored = _stores(run)
        window = judge(stored, context, taken) if stored is not None else verdict
        if stored is not None and isinstance(window, Window):
            return stored, window
    return run, verdict


def _stores(run: Run) -> Run | None:
    """The end of a run that only stores; None without two stores, or if it is all of the run."""
    ways = [{a.direction for a in each.accesses} for each in run.statements]
    reads = [n for n, way in enumerate(ways) if not way <= {WRITE}]
    if not reads:
        return None
    first = next((n for n, way in enumerate(ways) if n > reads[-1] and way), None)
    if first is None:
        return None
    left = tuple(a for each in run.statements[first:] for a in each.accesses)
    part = replace(run, accesses=left, first=run.first + first, split=None)
    return part if len(left) > 1 else None


def _unguarded(judged: Judged, scoped: bool) -> Judged:
    """Take a label out of its #if where another window uses the same one outside."""

    def exit_of(window: Window) -> tuple[str, tuple[str, ...]]:
        return "" if scoped else window.direction, window.exits.on_fault

    always = {exit_of(w) for w in windows_of(judged) if not w.exits.guards}

    def freed(_: Run, window: Window) -> Window:
        guards = () if exit_of(window) in always else window.exits.guards
        return replace(window, exits=replace(window.exits, guards=guards))

    return each_window(judged, freed)


def _with_copies(context: Context, taken: set[str]) -> Judged:
    """The runs that a copy is part of, if they become windows."""
    copies = joining_copies(context)
    if not copies:
        return []
    runs = find_runs(context, copies)
    judged = ((run, judge(run, context, taken)) for run in runs if joins(run))
    return [(run, verdict) for run, verdict in judged if isinstance(verdict, Window)]


def subject_of(run: Run, context: Context, loop: Loop | None = None) -> Subject:
    """The subject of a finding: a run, or a loop whose body is one."""
    per = " per iteration" if loop else ""
    first, last = run.accesses[0], run.accesses[-1]
    return Subject(
        context,
        first.start,
        last.end,
        f"{_said(run, per)} in {run.function.name}()",
        first.base.key,
        run.direction,
        len(run.accesses),
        array_of(loop, context) if loop else _record(run, context),
    )


def _record(run: Run, context: Context) -> str | None:
    """The structure of which a run reads or writes all members, each once; None if there is none.

    Loops and copies beside it may do arrays, and nobody padding. One of two members is not worth a copy, and after one
    with a flexible array more follows. If the members are those of one kernel object of that type, it is this one, with [].
    """
    pointers = [access.pointer for access in run.accesses]
    operands = [
        p.operand for p in pointers if isinstance(p, Unary) and p.operator == "&"
    ]
    if len(operands) < max(len(pointers), 3) or run.direction == READ_WRITE:
        return None
    if not all(is_always_made(s) for s in run.statements if s.accesses):
        return None
    owner = _shared(operands, context)
    if owner is None:
        return None
    at = len(context.key(owner))
    steps = [re.match(r"(\.|->)(.+)", context.key(each)[at:]) for each in operands]
    found = [(step[1], step[2]) for step in steps if step]
    if len(found) < len(steps):
        return None
    is_pointer = found[0][0] == "->"
    written = (type_of(*context.where, owner, context.types) or "").replace(
        "__user", ""
    )
    type_, star, rest = written.partition("*")
    type_ = plain(type_)
    if bool(star) != is_pointer or rest.strip() or "[" in type_:
        return None
    declared = record(*context.where, type_)
    if declared is None or _FLEXIBLE.search(declared.body):
        return None
    members = set(scalars(*context.where, type_))
    paths = {path for _, path in found}
    unread = {path.partition("[")[0] for path in members - paths}
    left = {path for path in unread if not _PADDING.search(path)}
    start = f"{context.key(owner)}{found[0][0]}"
    copied = copied_in(context, run.direction) if left else frozenset()
    beside = {
        name
        for name in left
        if _is_looped(f"&{start}{name}[", run, context)
        or not copied.isdisjoint((f"{start}{name}", f"&{start}{name}"))
    }
    if len(paths) < len(found) or not paths <= members or left != beside:
        return None
    return _kernel_object(run, [path for _, path in found], type_, context) or type_


def _kernel_object(
    run: Run, paths: Sequence[str], type_: str, context: Context
) -> str | None:
    """The object of this type, with [], whose members a run copies from or to members of the same names; else None.

    A copy of one with more, or with padding, would give away what is in it.
    """
    values = [access.value for access in run.accesses]
    owner = _shared(values, context)
    if owner is None:
        return None
    name = context.key(owner)
    is_pointer = context.key(values[0]).startswith(f"{name}->")
    step = "->" if is_pointer else "."
    if [context.key(each) for each in values] != [f"{name}{step}{p}" for p in paths]:
        return None
    found = type_of(*context.where, owner, context.types) or ""
    if squeeze(found) not in (type_, f"{type_} *")[is_pointer:]:
        return None
    known = layout(*context.where, type_)
    whole = known is not None and not known.padding
    if run.direction == WRITE and not (
        whole and set(paths) == set(scalars(*context.where, type_))
    ):
        return None
    return f"{'*' * is_pointer}{name}[]"


def _shared(operands: Sequence[Expr], context: Context) -> Expr | None:
    """The innermost object that all of these members are in; None if there is none."""
    chains = [bases.spine(each)[1:] for each in operands]
    keys = [{context.key(owner) for owner in chain} for chain in chains]
    shared = (o for o in chains[0] if all(context.key(o) in known for known in keys))
    return next(shared, None)


def _is_looped(start: str, run: Run, context: Context) -> bool:
    """Whether a loop in the block of a run accesses elements whose address begins so, in its direction."""
    block = block_of(run.statements[0].syntax)
    return any(
        block_of(loop.statement) is block
        and loop.run.direction == run.direction
        and any(context.key(a.pointer).startswith(start) for a in loop.run.accesses)
        for loop in find_loops(context)
    )


def _said(run: Run, per: str) -> str:
    """The accesses by name, and their base: ``2 get_user() from p``."""
    names = Counter(a.access.name for a in run.accesses)
    made = [
        f"{'one' if per and number == 1 else number} {name}(){per}"
        for name, number in names.items()
    ]
    bases = dict.fromkeys(a.base.key for a in run.accesses)
    return f"{' and '.join(made)} {_WAY[run.direction]} {', '.join(bases)}"
