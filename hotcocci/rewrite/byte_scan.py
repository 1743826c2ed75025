# SPDX-License-Identifier: GPL-2.0
"""Loops that only look for a certain byte in a buffer, as watchdog drivers look for a 'V'."""

from __future__ import annotations

from hotcocci.c.expression import Binary, Expr, Literal, Name
from hotcocci.c.source import Source
from hotcocci.c.syntax import Statement, branches, condition, expression
from hotcocci.findings import READ
from hotcocci.rewrite.loops import Loop
from hotcocci.rewrite.statements import RunStatement


def scans_bytes(loop: Loop, source: Source) -> bool:
    """Whether a loop reads one value, compares it with constants and stores constants.

    Such writes are a byte or two long, so a window around the loop saves nothing.
    """
    if len(loop.run.accesses) != 1:
        return False
    access = loop.run.accesses[0]
    others = [s for s in loop.run.sequence if not s.accesses]
    return (
        access.direction == READ
        and isinstance(access.value, Name)
        and bool(others)
        and all(_notes(s, access.value.text, source) for s in others)
    )


def _notes(statement: RunStatement, name: str, source: Source) -> bool:
    """Whether a statement is ``if (name == 'V') found = 1;``."""
    syntax = statement.syntax
    if syntax.kind != "if" or len(syntax.children) != 1:
        return False
    test = condition(source, syntax)
    then, _ = branches(syntax)
    parts = then.children if then.kind == "block" else [then]
    return (
        isinstance(test, Binary)
        and test.operator == "=="
        and isinstance(test.left, Name)
        and test.left.text == name
        and isinstance(test.right, Literal)
        and all(_stores_constant(part, source) for part in parts)
    )


def _stores_constant(part: Statement, source: Source) -> bool:
    if part.kind != "expression":
        return False
    tree = expression(source, part)
    return isinstance(tree, Binary) and tree.operator == "=" and _constant(tree.right)


def _constant(expr: Expr) -> bool:
    named = isinstance(expr, Name) and (expr.text.isupper() or expr.text == "true")
    return named or isinstance(expr, Literal)
