# SPDX-License-Identifier: GPL-2.0
"""Find code that may rely on a range check in another function."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hotcocci.c.expression import Binary, Call, Expr, Member, Name, canonical, walk
from hotcocci.c.flow import BasicBlock, Graph, reachable
from hotcocci.c.functions import span
from hotcocci.rewrite.context import Context, declares

_CONVERSIONS = frozenset(
    {"compat_ptr", "ptr_to_compat", "u64_to_user_ptr", "untagged_addr"}
)
_UNCHECKED = re.compile(
    r"\b(?:__(?:get|put)_user|__copy_(?:from|to)_user\w*|__clear_user|unsafe_\w+)\s*\("
)


def elsewhere(
    pointer: Expr,
    start: BasicBlock,
    allowed: Sequence[tuple[int, int]],
    graph: Graph,
    context: Context,
) -> int | None:
    """Where code after a block passes on a pointer, or what it is a copy of.

    That is an argument of a call, a value stored in memory or a return value, outside of the
    ranges ``allowed``.
    """
    keys = _copies(pointer, graph, context)
    objects = {key.partition("->")[0] for key in keys if "->" in key}
    for block in reachable(edge.target for edge in start.edges):
        if block.asm & keys:
            return block.at
        for given, whole in _passed_on(block):
            for part in walk(given):
                if any(low <= part.start and part.end <= high for low, high in allowed):
                    continue
                key = canonical(context.source.text[part.start : part.end])
                object_ = whole and part is given and key in objects
                if isinstance(part, (Name, Member)) and (key in keys or object_):
                    return part.start
    return None


def _passed_on(block: BasicBlock) -> Iterator[tuple[Expr, bool]]:
    """The expressions that a block gives to other code, and whether that is a call."""
    if block.expr is None:
        return
    if block.returns:
        yield block.expr, False
    for part in walk(block.expr):
        if isinstance(part, Call):
            for each in part.arguments:
                yield each, True
        elif isinstance(part, Binary) and part.operator == "=":
            if not isinstance(part.left, Name):
                yield part.right, False


def unchecked_caller(context: Context) -> int | None:
    """Where a function of the file calls this one and accesses user memory without a check."""
    text, name = context.source.text, context.function.name
    own = range(context.function.start, context.body.end)
    for call in re.finditer(rf"\b{re.escape(name)}\s*\(", text):
        if call.start() in own:
            continue
        if _UNCHECKED.search(text, *span(text, call.start())):
            return call.start()
    return None


def dies(value: Expr, context: Context) -> bool:
    """Whether a destination is a variable that the function declares, or a part of one."""
    while isinstance(value, Member) and value.operator == ".":
        value = value.object
    return (
        isinstance(value, Name)
        and value.text not in context.static_names
        and any(declares(d, value.text) for d in context.declared)
    )


def _copies(pointer: Expr, graph: Graph, context: Context) -> set[str]:
    """The expressions that hold the pointer: itself, and what it was assigned from or to."""
    text = context.source.text

    def key(expr: Expr) -> str:
        return canonical(text[expr.start : expr.end])

    pairs = []
    for _, part in graph.expressions():
        if isinstance(part, Binary) and part.operator == "=":
            leaves = {key(e) for e in _leaves(part.right)}
            pairs.append((part.left, leaves))
    found = {key(e) for e in _leaves(pointer)}
    grown = True
    while grown:
        grown = False
        for left, leaves in pairs:
            more = {key(left)} if leaves & found else set()
            if isinstance(left, Name) and left.text in found:
                more |= leaves
            if not more <= found:
                found |= more
                grown = True
    return found


def _leaves(expr: Expr) -> Iterator[Expr]:
    """The variables and members that a pointer is computed from."""
    if isinstance(expr, (Name, Member)):
        yield expr
    elif not isinstance(expr, Call):
        for child in expr.children():
            yield from _leaves(child)
    elif isinstance(expr.function, Name) and expr.function.text in _CONVERSIONS:
        for child in expr.arguments:
            yield from _leaves(child)
