# SPDX-License-Identifier: GPL-2.0
"""Array indexes whose value the code does not tell."""

from __future__ import annotations

from hotcocci.c.expression import Expr, Index, Member, Name, walk
from hotcocci.c.typed import field_of, type_of
from hotcocci.rewrite.base import constant
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.variables import types_of, variables


def variable_indexes(expr: Expr) -> list[Index]:
    """Every ``a[i]`` in an expression whose index is not a constant."""
    return [
        e
        for e in walk(expr)
        if isinstance(e, Index)
        and constant(e.index) is None
        and not (isinstance(e.index, Name) and e.index.text.isupper())
    ]


def has_checked_index(expr: Expr, context: Context) -> bool:
    """Whether the index of what may be an array is variable: UBSAN_BOUNDS would add a call.

    It adds none for a pointer, nor for a flexible array without __counted_by().
    """
    indexes = variable_indexes(expr)
    if not indexes:
        return False
    known = types_of(variables(context))
    return any(_may_be_checked(e.object, known, context) for e in indexes)


def _may_be_checked(indexed: Expr, known: dict[str, str], context: Context) -> bool:
    root, file = context.options.root, context.source.file
    if not isinstance(indexed, Member):
        return not (type_of(root, file, indexed, known) or "").endswith("*")
    found = field_of(root, file, indexed, known)
    if found is None:
        return True
    counted = any(word.startswith("__counted_by") for word in found.attributes)
    if found.bounds:
        return counted or found.bounds != ("",)
    return counted or not found.stars
