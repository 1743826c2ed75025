# SPDX-License-Identifier: GPL-2.0
"""Structures that only carry values to a copy: a window stores the values themselves."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Expr,
    Member,
    Name,
    Unary,
    assigned,
    calls,
    names,
    uncast,
)
from hotcocci.c.parsing import parse
from hotcocci.c.source import Token, closing, split
from hotcocci.c.syntax import block_of, declarations, expression
from hotcocci.findings import WRITE
from hotcocci.rewrite.base import variable_indexes
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Copy
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.statements import PURE


@dataclass(frozen=True)
class Carried:
    """The values of a structure's members, and the indexes of the statements that assign them."""

    name: str
    values: tuple[str, ...]
    assignments: tuple[int, ...]


def carried(copy: Copy, members: tuple[str, ...], run: Run) -> Carried | None:
    """The values that a local variable carries to a copy; None if it is used for anything else.

    They are all of its initializer, or those of assignments right before the copy.
    ``members`` are the paths of the members in the order of their stores.
    """
    kernel, context = uncast(copy.kernel), copy.context
    if copy.direction != WRITE or not isinstance(kernel, Unary):
        return None
    if not isinstance(kernel.operand, Name):
        return None
    name = kernel.operand.text
    own = len(context.mentions(name, copy.start, copy.end))
    uses = len(context.mentions(name)) - own
    if context.declared_times(name) != 1 or name in context.static_names:
        return None
    assigned_ = _assigned(name, run, context)
    values = {member: value for member, value, _ in assigned_}
    if not assigned_:
        values = _initial(name, run, context)
    if uses != 1 + len(assigned_) or values.keys() != set(members):
        return None
    first = min(value.start for value in values.values())
    if context.source.has_directive(first, run.statements[0].end):
        return None
    if not all(_is_plain(value, copy) for value in values.values()):
        return None
    texts = tuple(squeeze(copy.text(values[member])) for member in members)
    return Carried(name, texts, tuple(index for _, _, index in assigned_))


def _assigned(name: str, run: Run, context: Context) -> list[tuple[str, Expr, int]]:
    """The members that the statements right before a run assign, with value and statement."""
    found: list[tuple[str, Expr, int]] = []
    for index in reversed(range(run.first)):
        statement = run.sequence[index]
        if statement.form != PURE or statement.syntax.kind != "expression":
            break
        tree = expression(context.source, statement.syntax)
        if not isinstance(tree, Binary) or tree.operator != "=":
            break
        member = tree.left
        if not isinstance(member, Member) or member.operator != ".":
            break
        if member.object.name != name:
            break
        found.append((f".{member.field}", tree.right, index))
    return found if len({member for member, _, _ in found}) == len(found) else []


def _initial(name: str, run: Run, context: Context) -> dict[str, Expr]:
    """The members of an initializer at the end of the declarations that the run follows."""
    source, first = context.source, run.statements[0].syntax
    block = block_of(first)
    if block.kind != "block" or first is not block.children[0]:
        return {}
    before = [d for d in declarations(source, block) if d[-1].end <= first.start]
    if not before:
        return {}
    tokens = before[-1]
    place = next((i for i, t in enumerate(tokens) if t.text == name), len(tokens))
    opening = place + 2
    if [t.text for t in tokens[place + 1 : opening + 1]] != ["=", "{"]:
        return {}
    end = closing(tokens, opening)
    if end is None or [t.text for t in tokens[end + 1 :]] != [";"]:
        return {}
    return _designated(source.text, tokens[opening + 1 : end])


def _designated(text: str, tokens: tuple[Token, ...]) -> dict[str, Expr]:
    """The values of ``.member = value, …``; none if it has other parts."""
    found: dict[str, Expr] = {}
    for part in split(tokens, ","):
        if not part:
            continue
        if len(part) < 4 or (part[0].text, part[2].text) != (".", "="):
            return {}
        found[f".{part[1].text}"] = parse(text, part[3:])
    return found


def _is_plain(value: Expr, copy: Copy) -> bool:
    """Whether a value may be computed in the window: no call, nothing assigned, no user pointer."""
    user = names(uncast(copy.user))
    return not (
        calls(value)
        or assigned(value)
        or variable_indexes(value)
        or names(value) & user
    )
