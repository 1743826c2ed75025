# SPDX-License-Identifier: GPL-2.0
"""A copy as a run of its own, and the context that decides on its rewrite."""

from __future__ import annotations

import re

from hotcocci.c.expression import Call, Expr, Name, Unary
from hotcocci.c.source import COMMENT, STRING, Token
from hotcocci.c.syntax import DECLARATION, condition, enclosing, innermost
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Called, Copy, lvalue, uncast
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.runs import Run, owner, pointer_names, sequences
from hotcocci.rewrite.shapes import exits_of
from hotcocci.rewrite.statements import Copied, UserAccess
from hotcocci.rewrite.context_conditions import targets
from hotcocci.rewrite.window import Refusal

NAMED = "a nearby comment or message still says {}()"
# A comment up to this many lines above a copy may refer to it.
_NEAR = 4


def as_run(copy: Copy, members: tuple[str, ...] = ()) -> Run | None:
    """The copy as a run by itself; None if its statement is not understood.

    ``members`` are the paths of the members that are accessed one by one.
    """
    context = copy.context
    source, function = context.source, context.function
    user, kernel = pointer_names(source, function, context.facts)
    kernel_ = uncast(copy.kernel)
    value: Expr = Unary(kernel_.start, kernel_.end, "*", kernel_)
    if isinstance(kernel_, Unary) and kernel_.operator == "&":
        value = kernel_.operand
    copied = Copied(
        squeeze(lvalue(copy)),
        squeeze(copy.text(copy.kernel)),
        squeeze(copy.text(copy.size)),
        members,
    )
    access = UserAccess(
        copy.access,
        copy.start,
        copy.end,
        copy.direction,
        value,
        copy.user,
        bases.find_base(source.text, copy.user, user, kernel),
        copied,
    )
    place = owner(function, copy.start)
    if place.kind == DECLARATION:
        return None
    owned = {id(place): [access]}
    for sequence in sequences(source, function, owned):
        for index, statement in enumerate(sequence):
            if access in statement.accesses:
                return Run(function, (access,), sequence, index, index)
    return None


def dies_on_fault(copy: Copy) -> bool:
    """Whether the kernel object is dead after a fault."""
    run = as_run(copy)
    if run is None or not copy.context.is_local(run.accesses[0].value):
        return False
    exits = exits_of(run, copy.context)
    return not isinstance(exits, Refusal) and targets(run, copy.context, exits) is None


def may_be_cold(copy: Copy) -> bool:
    """Whether a copy may be cold although its function is hot.

    Neither a function profile nor the hot lists distinguish the cases of a dispatcher;
    for other branches, likely() and unlikely() do, here or on the same variable elsewhere
    in the file.
    """
    context = copy.context
    statement = innermost(context.function, copy.start)
    for parent in enclosing(statement):
        if parent.kind == "switch":
            return True
        if parent.kind == "if":
            test = condition(context.source, parent)
            word = "unlikely" if statement is parent.children[0] else "likely"
            if isinstance(test, Call) and isinstance(test.function, Name):
                if test.function.text == word:
                    return True
            if isinstance(test, Name) and statement is parent.children[0]:
                if _is_unlikely(test.text, context):
                    return True
        statement = parent
    return False


def _is_unlikely(variable: str, context: Context) -> bool:
    """Whether a file says that a pointer is seldom set, in another function or branch."""
    said = rf"\bunlikely\(\s*{re.escape(variable)}\s*(?:!=\s*NULL\s*)?\)"
    return re.search(said, context.source.text) is not None


def name_notes(
    copy: Called, kinds: tuple[str, ...] = (COMMENT, STRING)
) -> tuple[str, ...]:
    """A note if a nearby comment or message names the function that is no longer called."""
    name = copy.access.name
    mentioned = any(
        t.kind in kinds and re.search(rf"\b{name}\b", t.text) for t in nearby(copy)
    )
    return (NAMED.format(name),) if mentioned else ()


def nearby(copy: Called) -> list[Token]:
    """The tokens of a copy's statement and the lines above it, with all of a comment that begins before."""
    source, body = copy.context.source, copy.context.body
    first = source.line_starts[max(copy.line - _NEAR, 1) - 1]
    end = innermost(copy.context.function, copy.start).end
    return [t for t in source.tokens_between(body.start, end) if t.end > first]
