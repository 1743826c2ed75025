# SPDX-License-Identifier: GPL-2.0
"""Loops with user accesses in each iteration, which one window may enclose."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
    canonical,
)
from hotcocci.c.parsing import parse
from hotcocci.c.source import Source, closing
from hotcocci.c.syntax import Function, Statement, unlabelled
from hotcocci.findings import Facts
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.base import Base
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.runs import Run, owned_accesses
from hotcocci.rewrite.steps import ACCUMULATE, Step, UserAccess, read_step

_LOOPS = ("for", "while", "do")


@dataclass(frozen=True)
class Loop:
    """A loop, and its body read as a run; ``after`` is the statement after it, if any."""

    node: Statement
    body: Statement
    run: Run
    after: Step | None


@dataclass(frozen=True)
class Count:
    """How often a ``for`` goes round: the variable, the bound as written.

    ``value`` is the bound as a number where it is one; ``constant`` says that it is
    known to the compiler.
    """

    variable: str
    bound: Expr
    text: str
    value: int | None
    constant: bool


def find_loops(source: Source, function: Function, facts: Facts) -> list[Loop]:
    """Every loop of a function with an access directly in its body."""
    owned = owned_accesses(source, function, facts)
    found = []
    for node in function.statements:
        if node.kind not in _LOOPS or not node.children:
            continue
        body = node.children[-1]
        parts = body.children if body.kind == "block" else [body]
        line = tuple(
            read_step(source, p, tuple(owned.get(id(unlabelled(p)), ()))) for p in parts
        )
        holders = [i for i, s in enumerate(line) if s.accesses]
        if not holders:
            continue
        accesses = tuple(a for s in line for a in s.accesses)
        run = Run(function, accesses, line, 0, len(line) - 1)
        found.append(Loop(node, body, run, _after(source, node)))
    return found


def _after(source: Source, node: Statement) -> Step | None:
    """The statement right after a loop."""
    parent = node.parent
    siblings = parent.children if parent is not None else []
    index = next((i for i, s in enumerate(siblings) if s is node), len(siblings))
    if index + 1 >= len(siblings):
        return None
    between = source.tokens_between(node.end, siblings[index + 1].start)
    return read_step(source, siblings[index + 1], ()) if not between else None


def count(loop: Loop, context: Context) -> Count | None:
    """The trip count of ``for (i = 0; i < n; i++)``; None for any other loop."""
    source = context.source
    if loop.node.kind != "for":
        return None
    tokens = source.code_between(loop.node.start, loop.body.start)
    last = closing(tokens, 1)
    if last is None:
        return None
    cuts = [i for i, t in enumerate(tokens[:last]) if t.text == ";"]
    if len(cuts) != 2:
        return None
    start = parse(source.text, tokens[2 : cuts[0]])
    test = parse(source.text, tokens[cuts[0] + 1 : cuts[1]])
    step = parse(source.text, tokens[cuts[1] + 1 : last])
    if not isinstance(start, Binary):
        # for (int i = 0; …)
        words = tokens[2 : cuts[0]]
        if len(words) > 3 and words[-2].text == "=":
            start = parse(source.text, words[-3:])
    if not (
        isinstance(start, Binary)
        and start.operator == "="
        and isinstance(start.left, Name)
        and isinstance(start.right, Literal)
        and start.right.text == "0"
    ):
        return None
    variable = start.left.text
    if not (isinstance(step, (Postfix, Unary)) and step.operator == "++"):
        return None
    if not (isinstance(step.operand, Name) and step.operand.text == variable):
        return None
    if not (isinstance(test, Binary) and test.operator in ("<", "!=")):
        return None
    if not (isinstance(test.left, Name) and test.left.text == variable):
        return None
    bound = test.right
    text = source.text[bound.start : bound.end]
    return Count(variable, bound, text, bases.constant(bound), _constant(bound))


def _constant(bound: Expr) -> bool:
    if isinstance(bound, (Literal, SizeOf)):
        return True
    if isinstance(bound, Name):
        return bound.text.isupper()
    if isinstance(bound, Call):
        return isinstance(bound.function, Name) and bound.function.text == "ARRAY_SIZE"
    if isinstance(bound, Binary) and bound.operator in ("+", "-", "*", "/", "<<"):
        return _constant(bound.left) and _constant(bound.right)
    return False


def round_base(access: UserAccess, variable: str) -> Base:
    """The base of an access whose element is the loop's own variable.

    ``index`` 0 then means the element of the iteration.
    """
    base = access.base
    if base.place != bases.ELEMENT or base.index is not None:
        return base
    return replace(base, index=0) if _element(access, variable) else base


def _element(access: UserAccess, variable: str) -> bool:
    pointer = access.pointer
    while isinstance(pointer, Unary):
        pointer = pointer.operand
    while not isinstance(pointer, (Name, Literal)):
        if isinstance(pointer, Index) and pointer.object == access.base.expr:
            return isinstance(pointer.index, Name) and pointer.index.text == variable
        if isinstance(pointer, Binary):
            right = pointer.right
            return isinstance(right, Name) and right.text == variable
        inner = pointer.children()
        if not inner:
            return False
        pointer = inner[0]
    return False


def indexed_member(access: UserAccess, variable: str) -> Index | None:
    """``&p->array[i]``: the index step, if it is the loop's variable."""
    pointer = access.pointer
    while isinstance(pointer, Unary):
        pointer = pointer.operand
    if isinstance(pointer, Index) and isinstance(pointer.index, Name):
        if pointer.index.text == variable and access.base.place == bases.FIELD:
            return pointer
    return None


def same_bound(bound: str, count_: Count) -> bool:
    """Whether an array's bound is at least the trip count."""
    if canonical(bound) == canonical(count_.text):
        return True
    try:
        return count_.value is not None and count_.value <= int(bound, 0)
    except ValueError:
        return False


def collects(loop: Loop) -> bool:
    """Whether the loop gathers errors: ``err |= …``."""
    return any(s.form == ACCUMULATE for s in loop.run.line)
