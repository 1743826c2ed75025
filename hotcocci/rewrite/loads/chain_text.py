# SPDX-License-Identifier: GPL-2.0
"""Expressions as text: one spelling for equal expressions."""

from __future__ import annotations

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Conditional,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Opaque,
    Postfix,
    SizeOf,
    Unary,
)


def text_of(expr: Expr) -> str:
    """The expression with every operator parenthesized except members and indexes."""
    if isinstance(expr, (Name, Literal, Opaque, SizeOf)):
        return " ".join(expr.text.split())
    if isinstance(expr, Member):
        return f"{_operand(expr.object)}{expr.operator}{expr.field}"
    if isinstance(expr, Index):
        return f"{_operand(expr.object)}[{text_of(expr.index)}]"
    if isinstance(expr, Call):
        arguments = ", ".join(text_of(argument) for argument in expr.arguments)
        return f"{_operand(expr.function)}({arguments})"
    if isinstance(expr, Unary):
        return f"{expr.operator}{_operand(expr.operand)}"
    if isinstance(expr, Postfix):
        return f"{_operand(expr.operand)}{expr.operator}"
    if isinstance(expr, Cast):
        return f"({expr.type}){_operand(expr.operand)}"
    if isinstance(expr, Binary):
        return f"{_operand(expr.left)} {expr.operator} {_operand(expr.right)}"
    if isinstance(expr, Conditional):
        parts = (expr.condition, expr.then, expr.other)
        return "{} ? {} : {}".format(*map(_operand, parts))
    raise TypeError(f"no expression: {expr!r}")


def _operand(expr: Expr) -> str:
    text = text_of(expr)
    bracketed = isinstance(expr, (Unary, Cast, Binary, Conditional))
    return f"({text})" if bracketed else text
