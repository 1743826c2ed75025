# SPDX-License-Identifier: GPL-2.0
"""Find access_ok() in conditions, and the accesses through the same pointer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Call,
    Expr,
    Member,
    Name,
    Unary,
    canonical,
)
from hotcocci.c.flow import Graph
from hotcocci.c.syntax import Statement, condition
from hotcocci.findings import READ, WRITE
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.exits import Exit, read_exit
from hotcocci.rewrite.statements import range_check

_GET_PUT = re.compile(r"(?:__)?(?:get|put)_user")
_COPY = re.compile(r"(?:__)?copy_(from|to)_user")


@dataclass(frozen=True)
class Access:
    """One access: its pointer, the kernel's side, and the size in bytes of a copy."""

    call: Call
    name: str
    pointer: Expr
    value: Expr
    size: Expr | None

    @property
    def direction(self) -> str:
        """Whether it reads or writes user memory."""
        return READ if "get" in self.name or "from" in self.name else WRITE

    @property
    def unchecked(self) -> bool:
        """Whether it does not check its range itself."""
        return self.name.startswith("__")


@dataclass(frozen=True)
class Check:
    """A range check at the start of an if statement, and the accesses right after it.

    ``operands`` are those of the condition's ``||`` chain, of which the first is the check;
    ``exit`` is that of the check and of the accesses. ``others`` are all other accesses through
    the pointer.
    """

    statement: Statement
    operands: tuple[Expr, ...]
    pointer: Expr
    size: Expr
    exit: Exit
    accesses: tuple[Access, ...]
    others: tuple[Access, ...]


def range_checks(graph: Graph, context: Context) -> Iterator[Check]:
    """The range checks of a function that an access through the same pointer follows."""
    for statement in graph.function.statements:
        found = _check(statement, graph, context)
        if found is not None:
            yield found


def _check(statement: Statement, graph: Graph, context: Context) -> Check | None:
    if statement.kind != "if" or len(statement.children) != 1:
        return None
    operands = tuple(_operands(condition(context.source, statement)))
    leave = read_exit(context.source, statement.children[0])
    checked = _checked(operands[0])
    if checked is None or leave is None:
        return None
    pointer, size = checked
    own = [a for a in map(_access, operands[1:]) if a is not None]
    through = [a for a in own if _through(a, pointer, context)]
    if len(through) < len(operands) - 1:
        return None
    for following in _after(statement):
        chained = _accesses_of(following, leave, context)
        if not chained or not all(_through(a, pointer, context) for a in chained):
            break
        through += chained
    starts = {a.call.start for a in through}
    every = [a for a in accesses(graph) if _through(a, pointer, context)]
    others = [a for a in every if a.call.start not in starts]
    if not any(a.call.start > statement.start for a in every):
        return None
    return Check(
        statement, operands, pointer, size, leave, tuple(through), tuple(others)
    )


def accesses(graph: Graph) -> Iterator[Access]:
    """All accesses of a function, outside windows."""
    for _, part in graph.expressions():
        found = _access(part)
        if found is not None:
            yield found


def other_exit(check: Check, context: Context) -> int | None:
    """The line of accesses right after a check that fail in another way; None if there are none."""
    for following in _after(check.statement)[:1]:
        if following.kind == "if":
            found = map(_access, _operands(condition(context.source, following)))
            if any(
                a is not None and _through(a, check.pointer, context) for a in found
            ):
                return context.source.line_of(following.start)
    return None


def same(one: Expr, other: Expr, context: Context) -> bool:
    """Whether two expressions have the same text but for white space."""
    text = context.source.text
    return canonical(text[one.start : one.end]) == canonical(
        text[other.start : other.end]
    )


def _operands(test: Expr) -> Iterator[Expr]:
    """The operands of a chain of ``||``."""
    if isinstance(test, Binary) and test.operator == "||":
        yield from _operands(test.left)
        yield from _operands(test.right)
    else:
        yield test


def _checked(operand: Expr) -> tuple[Expr, Expr] | None:
    """The pointer and the size of ``!access_ok(p, n)``."""
    call = range_check(operand)
    return (call.arguments[-2], call.arguments[-1]) if call else None


def _access(expr: Expr) -> Access | None:
    if not (isinstance(expr, Call) and isinstance(expr.function, Name)):
        return None
    name, arguments = expr.function.text, expr.arguments
    if _GET_PUT.fullmatch(name) and len(arguments) == 2:
        return Access(expr, name, arguments[1], arguments[0], None)
    copy = _COPY.fullmatch(name)
    if copy is not None and len(arguments) == 3:
        user, kernel = (1, 0) if copy[1] == "from" else (0, 1)
        return Access(expr, name, arguments[user], arguments[kernel], arguments[2])
    return None


def _after(statement: Statement) -> list[Statement]:
    """The statements after one in its block."""
    siblings = statement.parent.children if statement.parent is not None else []
    return siblings[siblings.index(statement) + 1 :] if statement in siblings else []


def _accesses_of(statement: Statement, leave: Exit, context: Context) -> list[Access]:
    """The accesses of ``if (A || B) leave;`` with this exit; none for any other statement."""
    if statement.kind != "if" or len(statement.children) != 1:
        return []
    own = read_exit(context.source, statement.children[0])
    if own is None or own.key != leave.key:
        return []
    tests = list(_operands(condition(context.source, statement)))
    found = [a for a in map(_access, tests) if a is not None]
    return found if len(found) == len(tests) else []


def _through(access: Access, pointer: Expr, context: Context) -> bool:
    """Whether an access is through a pointer ``p``, as ``p`` or as ``&p->m``."""
    place = access.pointer
    if same(place, pointer, context):
        return True
    if not (isinstance(place, Unary) and place.operator == "&"):
        return False
    place = place.operand
    while isinstance(place, Member):
        if place.operator == "->":
            return same(place.object, pointer, context)
        place = place.object
    return False
