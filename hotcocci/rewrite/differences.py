# SPDX-License-Identifier: GPL-2.0
"""What is otherwise in a window, which a reviewer must know: values after a fault, members not read, copies."""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import Binary, Index, Member, Name, Unary, walk
from hotcocci.c.model import integer
from hotcocci.findings import READ, WRITE
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.context_conditions import expressions_in
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.shapes import RunExits


def differences(run: Run, context: Context, exits: RunExits) -> list[str]:
    """Notes on what a run stores otherwise on a fault, what it does not read any more, and on copies."""
    notes = on_fault(run, context)
    for copied in (a.copied for a in run.accesses if a.copied):
        unread = [f"{copied.object}{member}" for member in copied.unread]
        if unread:
            are = "is" if len(unread) == 1 else "are"
            notes.append(f"{', '.join(unread)} {are} not used, and not read any more")
    return [*notes, *_copies(run, context, exits)]


def on_fault(run: Run, context: Context) -> list[str]:
    """Notes on variables that were set to 0 on a fault, as unsafe_get_user() does not, and on copies in part."""
    notes = []
    kept = [
        context.source.text[a.value.start : a.value.end]
        for a in run.accesses
        if a.direction == READ and not context.is_local(a.value)
    ]
    if kept:
        verb = "keeps" if len(kept) == 1 else "keep"
        notes.append(f"on a fault {', '.join(kept)} {verb} the old value instead of 0")
    if any(a.copied and a.direction == WRITE for a in run.accesses):
        notes.append(
            "on a fault only whole members are stored; the copy may have stored part of one"
        )
    return notes


def _copies(run: Run, context: Context, exits: RunExits) -> Iterator[str]:
    """Name plain assignments of structures between accesses: they may call memcpy() (W8)."""
    scalars = {
        t.text
        for d in context.declared
        if any(integer(t.text) for t in d[:3])
        for t in d
        if declares(d, t.text)
    }
    for index in range(run.first, run.last + 1):
        statement = run.sequence[index]
        if statement.accesses or index in exits.dropped:
            continue
        for part in (
            p for t in expressions_in(context, statement.syntax) for p in walk(t)
        ):
            if not isinstance(part, Binary) or part.operator != "=":
                continue
            sides = (part.left, part.right)
            known = any(isinstance(e, Name) and e.text in scalars for e in sides)
            places = (Name, Member, Index, Unary)
            if not known and isinstance(part.right, places):
                if not isinstance(part.right, Unary) or part.right.operator == "*":
                    text = context.source.text[part.start : part.end]
                    yield f"{text} must not copy a structure in the window"
