# SPDX-License-Identifier: GPL-2.0
"""The edits that put a window around a loop."""

from __future__ import annotations

from hotcocci.c.source import apply
from hotcocci.findings import Edit
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.constant_locals import settled
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.labels import FaultLabel
from hotcocci.rewrite.layout import call, reindent, squeeze, width_of
from hotcocci.rewrite.loop_conditions import LoopWindow
from hotcocci.rewrite.loops import Loop
from hotcocci.rewrite.statements import UserAccess
from hotcocci.rewrite.writing import NAMES, Lines, begin, finish, intermediate


def loop_edits(
    window: LoopWindow, label: FaultLabel, context: Context
) -> tuple[Edit, ...]:
    """All edits of a window around a loop."""
    source, loop = context.source, window.loop
    start, end = loop.statement.start, loop.statement.end
    old = source.indent(start)
    out = Lines(context, old)
    if window.skip:
        out.add(f"{out.indent}if ({window.skip}) {{")
        out.outer = out.indent = f"{old}\t"
    if window.preset:
        out.add(f"{out.indent}{window.preset}")
    on_fault = window.on_fault
    begin(
        out, window.base, window.size, window.direction, label.name, on_fault, context
    )
    text = _loop_text(window, label.name, context)
    out.add(out.indent + reindent(text, old, out.indent))
    finish(out, window.direction, context)
    if window.skip:
        out.add(f"{old}}}")
    text = "\n".join(out.lines)
    made = [Edit(start, end, text[len(old) :]), *label.edits]
    return tuple(settled(made, context))


def _loop_text(window: LoopWindow, fault: str, context: Context) -> str:
    """The loop with an unsafe access, at its old indentation.

    Everything else in it is unchanged: declarations, comments, blank lines.
    """
    source, loop = context.source, window.loop
    (access,) = loop.run.accesses
    out = Lines(context, source.indent(loop.run.sequence[0].start))
    inner: list[Edit] = []
    for statement in loop.run.sequence:
        out.lines = []
        if statement.accesses:
            out.add(_loop_access(out.indent, access, window, fault, context))
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


def _loop_access(
    indent: str, access: UserAccess, window: LoopWindow, fault: str, context: Context
) -> str:
    text = context.source.text
    pointer = squeeze(text[access.pointer.start : access.pointer.end])
    if access.base.place == bases.STEP:
        pointer = f"&{window.base}[{window.count.variable}]"
    value = squeeze(text[access.value.start : access.value.end])
    arguments = (value, pointer, fault)
    return call(indent, NAMES[access.direction], arguments, width=width_of(text))
