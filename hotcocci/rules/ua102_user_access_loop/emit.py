# SPDX-License-Identifier: GPL-2.0
"""The edits that put a window around a loop."""

from __future__ import annotations

from hotcocci.c.source import apply
from hotcocci.c.syntax import Statement, declarations
from hotcocci.findings import Edit
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.constant_locals import settled
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.declarations import remove_variable
from hotcocci.rewrite.labels import FaultLabel
from hotcocci.rewrite.layout import call, reindent, squeeze, width_of
from hotcocci.rewrite.loop_conditions import LoopWindow
from hotcocci.rewrite.loops import Loop
from hotcocci.rewrite.statements import UserAccess
from hotcocci.rewrite.writing import (
    NAMES,
    Lines,
    begin,
    blank_before,
    finish,
    intermediate,
)


def loop_edits(
    window: LoopWindow, label: FaultLabel, context: Context
) -> tuple[Edit, ...]:
    """All edits of a window around a loop."""
    source, loop = context.source, window.loop
    fault = label.name
    out = Lines(context, source.indent(loop.statement.start))
    body_indent = out.outer
    around = _only_else(window, context)
    if window.skip:
        if around is None:
            out.add(f"{out.indent}if ({window.skip}) {{")
            out.indent += "\t"
        out.outer = out.indent
    if window.preset:
        out.add(f"{out.indent}{window.preset}")
    begin(
        out, window.base, window.size, window.direction, fault, window.on_fault, context
    )
    old = source.indent(loop.statement.start)
    out.add(out.indent + reindent(_loop_text(window, fault, context), old, out.indent))
    finish(out, window.direction, context)
    if window.skip and around is None:
        out.outer = out.indent = body_indent
        out.add(f"{out.indent}}}")
    if window.advance:
        out.add(f"{out.indent}{window.base} += {window.count.text};")
    end = loop.statement.end
    if window.takes_after and loop.after is not None:
        end = loop.after.end
        if window.on_success and blank_before(loop.after, context):
            out.add("")
    out.statements(window.on_success, out.indent)
    text = "\n".join(out.lines)
    made = [Edit(loop.statement.start, end, text[len(body_indent) :])]
    if around is not None:
        made.append(Edit(around.start, around.start, f"if ({window.skip}) "))
    made += label.edits
    made += remove_variable(window.removed, context)
    return tuple(settled(made, context))


def _only_else(window: LoopWindow, context: Context) -> Statement | None:
    """The else branch that is nothing but the loop, so that it may become an ``else if``."""
    block = window.loop.statement.parent
    if block is None or block.kind != "block" or len(block.children) != 1:
        return None
    test = block.parent
    if test is None or test.kind != "if" or test.children[1:] != [block]:
        return None
    return None if declarations(context.source, block) else block


def _loop_text(window: LoopWindow, fault: str, context: Context) -> str:
    """The loop with unsafe accesses, at its old indentation.

    Everything else in it is unchanged: declarations, comments, blank lines. Braces are
    added where an if had a single statement.
    """
    source, loop = context.source, window.loop
    out = Lines(context, source.indent(loop.run.sequence[0].start))
    inner: list[Edit] = []
    for statement in loop.run.sequence:
        out.lines = []
        if statement.accesses:
            for access in statement.accesses:
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
        statement = loop.run.sequence[0]
        return f"{head}\n{out.indent}{inner[0].text}"
    shifted = tuple(Edit(e.start - start, e.end - start, e.text) for e in inner)
    text = apply(source.text[start:end], shifted)
    if loop.body.kind != "block" and len(loop.run.accesses) > 1:
        # for (…) if (a || b) return: two statements now, so they need braces.
        head = source.text[start : loop.body.start].rstrip()
        return f"{head} {{\n{out.indent}{inner[0].text}\n{source.indent(start)}}}"
    return text


def _is_bare(loop: Loop, context: Context) -> bool:
    """Whether a block has one access and nothing else."""
    if len(loop.run.sequence) != 1 or len(loop.run.accesses) != 1:
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
