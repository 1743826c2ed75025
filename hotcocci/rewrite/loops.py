# SPDX-License-Identifier: GPL-2.0
"""Loops with user accesses in each iteration, which one window may enclose."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from hotcocci.c.expression import (
    Binary,
    Call,
    Expr,
    Index,
    Literal,
    Name,
    Postfix,
    SizeOf,
    Unary,
    assignment,
    computed,
)
from hotcocci.c.parsing import parse
from hotcocci.c.source import Source
from hotcocci.c.syntax import Statement, for_clauses, unlabelled
from hotcocci.rewrite.base import ELEMENT, is_constant
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.runs import Run, accesses_of, by_statement
from hotcocci.rewrite.statements import UserAccess, read_statement

_LOOPS = ("for", "while", "do")
_NEVER = ("0", "false")


@dataclass(frozen=True)
class Loop:
    """A loop, and its body read as a run."""

    statement: Statement
    body: Statement
    run: Run


@dataclass(frozen=True)
class Count:
    """The trip count of a for loop: its variable and its bound as written.

    ``value`` is the bound if it is a number; ``constant`` is set if the compiler knows
    it.
    """

    variable: str
    bound: Expr
    text: str
    value: int | None
    constant: bool


def find_loops(context: Context) -> list[Loop]:
    """Every loop of a function with an access directly in its body, in source order."""
    source, function = context.source, context.function
    owned = by_statement(function, accesses_of(context))
    found = []
    for loop in function.statements:
        if loop.kind not in _LOOPS or not loop.children or _is_once(source, loop):
            continue
        body = loop.children[-1]
        parts = body.children if body.kind == "block" else [body]
        own = [owned.get(id(unlabelled(part)), ()) for part in parts]
        if not any(own):
            continue
        sequence = tuple(map(partial(read_statement, source), parts, own))
        accesses = tuple(a for s in sequence for a in s.accesses)
        run = Run(function, accesses, sequence, 0, len(sequence) - 1)
        found.append(Loop(loop, body, run))
    return found


def _is_once(source: Source, loop: Statement) -> bool:
    """Whether a statement is ``do … while (0)``, which is only there for its breaks."""
    tail = [t.text for t in source.code_between(loop.children[-1].end, loop.end)]
    return loop.kind == "do" and tail in (["while", "(", c, ")", ";"] for c in _NEVER)


def count(loop: Loop, context: Context) -> Count | None:
    """The trip count of ``for (i = 0; i < n; i++)``; None for any other loop."""
    source = context.source
    if loop.statement.kind != "for":
        return None
    clauses = for_clauses(source, loop.statement)
    start, test = (parse(source.text, clause) for clause in clauses[:2])
    if not isinstance(start, Binary):
        # for (int i = 0; …)
        words = clauses[0]
        if len(words) > 3 and words[-2].text == "=":
            start = parse(source.text, words[-3:])
    begun = assignment(start)
    if begun is None or not begun[1].is_zero:
        return None
    variable = begun[0]
    if counter(source, loop.statement) != variable:
        return None
    if not (isinstance(test, Binary) and test.operator in ("<", "!=")):
        return None
    if test.left.name != variable:
        return None
    bound = test.right
    text = source.of(bound)
    return Count(variable, bound, text, computed(bound), _constant(bound, context))


def counter(source: Source, loop: Statement) -> str | None:
    """The variable that a for loop counts up by one, alone; None for any other loop."""
    if loop.kind != "for":
        return None
    advance = parse(source.text, for_clauses(source, loop)[2])
    if isinstance(advance, (Postfix, Unary)) and advance.operator == "++":
        return advance.operand.name
    return None


def _constant(bound: Expr, context: Context) -> bool:
    if isinstance(bound, (Literal, SizeOf)):
        return True
    if isinstance(bound, Name):
        return is_constant(bound.text, context)
    if isinstance(bound, Call):
        return bound.callee == "ARRAY_SIZE"
    if isinstance(bound, Binary) and bound.operator in ("+", "-", "*", "/", "<<"):
        return all(_constant(e, context) for e in (bound.left, bound.right))
    return False


def is_element(access: UserAccess, variable: str) -> bool:
    """Whether an access is to the element of its base that a loop variable counts to."""
    pointer = access.pointer
    if access.base.place != ELEMENT:
        return False
    while isinstance(pointer, Unary):
        pointer = pointer.operand
    while not isinstance(pointer, (Name, Literal)):
        if isinstance(pointer, Index) and pointer.object == access.base.expr:
            return pointer.index.name == variable
        if isinstance(pointer, Binary):
            right = pointer.right
            return right.name == variable
        inner = pointer.children()
        if not inner:
            return False
        pointer = inner[0]
    return False
