# SPDX-License-Identifier: GPL-2.0
"""Whether a begin and its ends can be replaced by a scope."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    Literal,
    Name,
    SizeOf,
    Unary,
    assigned,
    names,
    root,
    walk,
)
from hotcocci.c.flow import Graph
from hotcocci.c.source import COMMENT, NAME
from hotcocci.c.syntax import declarations, enclosing
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.window import SCOPE, Refusal
from hotcocci.rules.ua103_older_window.classic import Classic
from hotcocci.rules.ua103_older_window.found import Change
from hotcocci.rules.ua103_older_window.range_checks import accesses as range_accesses
from hotcocci.rules.ua103_older_window.scope_edits import (
    declared_type,
    ends,
    labelled,
    region,
    size_of,
    whole_line,
)
from hotcocci.rules.ua103_older_window.reliance import dies, elsewhere, unchecked_caller
from hotcocci.windows.events import accessor_of, argument

LATER = "memory outside user space is only refused when it is accessed"
ZEROED = "where the begin failed, {} may now be written"
COPIED = "{0} is advanced in the scope, as {1}"

_LOOPS = ("for", "while", "do", "macro")


def as_scope(
    window: Classic, direction: str, graph: Graph, context: Context
) -> Change | Refusal:
    """The edits that make a window a scope of this direction, or the first condition it fails."""
    pointer = argument(window.begin.call, 0)
    if not isinstance(pointer, Name):
        return Refusal(
            "pointer-not-name", context.source.line_of(window.begin.call.start)
        )
    refused = (
        _form(window, context)
        or _jumps(window, context)
        or _pointers(window, pointer.text, graph, context)
        or _order(window, graph, context)
        or _after(window, pointer.text, graph, context)
        or _relied_on(window, pointer, graph, context)
    )
    if refused is not None:
        return refused
    moved = _moved(window, pointer.text, graph)
    copy = f"_{pointer.text}" if moved else ""
    type_ = declared_type(pointer.text, context) if moved else ""
    if moved and (type_ is None or copy in context.identifiers):
        return Refusal("other-form", context.source.line_of(moved))
    declared = f"{type_}{copy} = {pointer.text};" if moved else ""
    edits = [region(window, pointer.text, copy, declared, direction, context)]
    edits += ends(window, context)
    notes = []
    if _varies(window) or not _straight(window, context):
        notes.append(LATER)
    notes += _zeroed(window, context)
    if moved:
        notes.append(COPIED.format(pointer.text, copy))
    name = SCOPE[direction] + (
        "_size" if size_of(window, pointer.text, context) else ""
    )
    return Change(tuple(edits), f"use {name}()", "scope", tuple(notes))


def _inside(window: Classic, at: int) -> bool:
    return window.begin.statement.end <= at < window.stop


def _parts(window: Classic, graph: Graph) -> list[Expr]:
    """All expressions in the window, in source order."""
    found = {
        part.start: part
        for block, part in graph.expressions()
        if part is block.expr and _inside(window, part.start)
    }
    return [found[at] for at in sorted(found)]


def _form(window: Classic, context: Context) -> Refusal | None:
    source = context.source
    start = window.begin.statement.start
    if source.has_directive(start, window.end.end):
        return Refusal("ifdef", source.line_of(start))
    for token in source.code_between(window.begin.statement.end, window.stop):
        word = token.text
        if token.kind == NAME and (
            word.startswith(("asm", "__asm")) or "cmpxchg" in word
        ):
            return Refusal("assembly", source.line_of(token.start))
    comments = source.tokens_between(start, window.begin.statement.end)
    if any(t.kind == COMMENT for t in comments):
        return Refusal("other-form", source.line_of(start))
    for statement in (window.end, window.fault):
        line = whole_line(statement, context)
        if (
            source.text[line.start : line.end].strip()
            != source.text[statement.start : statement.end].strip()
        ):
            return Refusal("other-form", source.line_of(statement.start))
    if not window.kept and any(
        t.kind == NAME and t.text == window.label and not _inside(window, t.start)
        for t in context.tokens
        if t.start != labelled(window).start
    ):
        return Refusal("other-form", source.line_of(window.fault.start))
    return None


def _jumps(window: Classic, context: Context) -> Refusal | None:
    """Refuse labels in the window, and breaks and continues that lead out of it."""
    for statement in context.function.statements:
        if not _inside(window, statement.start):
            continue
        loops = {"break": (*_LOOPS, "switch"), "continue": _LOOPS}.get(statement.kind)
        around = [s for s in enclosing(statement) if _inside(window, s.start)]
        outward = loops is not None and not any(s.kind in loops for s in around)
        cased = statement.kind in ("case", "default") and not any(
            s.kind == "switch" for s in around
        )
        if outward or cased or statement.kind == "label":
            return Refusal("jumps-inside", context.source.line_of(statement.start))
    return None


def _pointers(
    window: Classic, pointer: str, graph: Graph, context: Context
) -> Refusal | None:
    """Refuse accesses through anything but the pointer: the scope masks nothing else."""
    source = context.source
    for access in window.accesses:
        accessor = accessor_of(access)
        place = argument(access, accessor.pointer) if accessor is not None else None
        used = {pointer} if place is None else _objects(place)
        if used != {pointer}:
            return Refusal("pointer-derived", source.line_of(access.start))
    linked = _linked(pointer, graph) & _addresses(context)
    for part in _parts(window, graph):
        for inner in walk(part):
            if isinstance(inner, Unary) and inner.operator == "&":
                if isinstance(inner.operand, Name) and inner.operand.text == pointer:
                    return Refusal("pointer-derived", source.line_of(inner.start))
        for name in (n for n in walk(part) if isinstance(n, Name)):
            if name.text in linked:
                return Refusal("pointer-derived", source.line_of(name.start))
    return None


def _objects(place: Expr) -> set[str]:
    """The variables that a pointer argument is computed from, without indexes."""
    while isinstance(place, Cast):
        place = place.operand
    if isinstance(place, Call):
        return {name for each in place.arguments for name in _objects(each)}
    if isinstance(place, Binary):
        whole = isinstance(place.right, (Literal, SizeOf))
        return _objects(place.left) if whole else set(names(place)) | {""}
    found = root(place)
    return {found.text} if isinstance(found, Name) else {""}


def _linked(pointer: str, graph: Graph) -> set[str]:
    """The other variables that the pointer is assigned from or to."""
    made = [
        (part.left.text, names(part.right))
        for _, part in graph.expressions()
        if isinstance(part, Binary)
        and part.operator == "="
        and isinstance(part.left, Name)
    ]
    found = {pointer}
    while True:
        more = {left for left, right in made if right & found}
        more |= {name for left, right in made if left in found for name in right}
        if more <= found:
            return found - {pointer}
        found |= more


def _addresses(context: Context) -> set[str]:
    """The variables declared with ``__user``, which are pointers to user memory."""
    header = context.source.code_between(context.function.start, context.body.start)
    found: set[str] = set()
    for tokens in [*context.declared, header]:
        user = [t.start for t in tokens if t.text == "__user"]
        if user:
            found |= {t.text for t in tokens if t.kind == NAME and t.start > user[0]}
    return found


def _order(window: Classic, graph: Graph, context: Context) -> Refusal | None:
    """Refuse work before the first access, and a first access far from the pointer."""
    source = context.source
    first = min(call.start for call in window.accesses) if window.accesses else None
    if first is None:
        return Refusal("other-form", source.line_of(window.begin.call.start))
    for part in _parts(window, graph):
        if part.start > first:
            break
        for inner in walk(part):
            memory = [
                e for e in assigned(inner) if not isinstance(e, Name) and inner is part
            ]
            called = isinstance(inner, Call) and inner.end <= first
            if memory or called:
                return Refusal("work-first", source.line_of(inner.start))
    if _varies(window) and not _straight(window, context):
        return Refusal("size-varies", source.line_of(window.begin.call.start))
    for access in window.accesses:
        accessor = accessor_of(access)
        place = argument(access, accessor.pointer) if accessor is not None else None
        for part in walk(place) if place is not None else ():
            if isinstance(part, Index) and not _ascends(part.index, window, context):
                return Refusal("index-jumps", source.line_of(access.start))
    return None


def _varies(window: Classic) -> bool:
    """Whether the size of the range is only known at run time."""
    size = argument(window.begin.call, 1)
    return size is None or any(isinstance(part, Name) for part in walk(size))


def _ascends(index: Expr, window: Classic, context: Context) -> bool:
    """Whether an index is a constant, or counts up from 0 in a loop in the window."""
    if isinstance(index, Literal):
        return True
    if not isinstance(index, Name):
        return False
    head = rf"for \({re.escape(index.text)} = 0; [^;]*; {re.escape(index.text)}\+\+\)"
    body = context.source.text[window.begin.statement.end : window.stop]
    return re.search(head, body) is not None


def _moved(window: Classic, pointer: str, graph: Graph) -> int | None:
    """Where the window changes its pointer; None if it does not."""
    for part in _parts(window, graph):
        for target in assigned(part):
            if isinstance(target, Name) and target.text == pointer:
                return target.start
    return None


def _after(
    window: Classic, pointer: str, graph: Graph, context: Context
) -> Refusal | None:
    """Refuse if the window declares or changes what is used after it."""
    source, block = context.source, window.begin.statement.parent
    assert block is not None
    names_ = {
        t.text
        for tokens in declarations(source, block)
        if _inside(window, tokens[0].start)
        for t in tokens
        if t.kind == NAME
    }
    changed = _moved(window, pointer, graph) is not None
    if changed or len(window.begin.calls) > 1:
        names_.add(pointer)
    later = source.code_between(window.end.end, context.body.end)
    used = next((t for t in later if t.text in names_), None)
    looped = changed and any(s.kind in _LOOPS for s in enclosing(window.end))
    if used is not None or looped:
        at = used.start if used is not None else window.end.start
        return Refusal("used-after", source.line_of(at))
    return None


def _relied_on(
    window: Classic, pointer: Name, graph: Graph, context: Context
) -> Refusal | None:
    """Refuse if code after the window, or a caller, may rely on its range check."""
    checked = [a for a in range_accesses(graph) if not a.unchecked]
    allowed = [(a.pointer.start, a.pointer.end) for a in checked]
    allowed.append((window.begin.statement.start, window.stop))
    start = next(b for b in graph.blocks if b.holds(pointer.start))
    found = elsewhere(pointer, start, allowed, graph, context)
    if found is None:
        found = unchecked_caller(context)
    return (
        Refusal("pointer-elsewhere", context.source.line_of(found)) if found else None
    )


def _zeroed(window: Classic, context: Context) -> Iterator[str]:
    """A note on the first destination that outlives the function: a fault may zero it."""
    for access in window.accesses:
        value = argument(access, 0)
        if not (isinstance(access.function, Name) and "get" in access.function.text):
            continue
        if value is not None and not dies(value, context):
            yield ZEROED.format(squeeze(context.source.text[value.start : value.end]))
            return


def _straight(window: Classic, context: Context) -> bool:
    """Whether the window is a sequence of accesses, all of which are always made."""
    block = window.begin.statement.parent
    inside = (
        [s for s in block.children if _inside(window, s.start)]
        if block is not None
        else []
    )
    starts = {call.start for call in window.accesses}
    return all(s.kind == "expression" and s.start in starts for s in inside)
