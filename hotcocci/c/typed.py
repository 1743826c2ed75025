# SPDX-License-Identifier: GPL-2.0
"""Find the type of an lvalue from the types of its variables and the tree's headers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hotcocci.c.expression import (
    Binary,
    Cast,
    Expr,
    Index,
    Member,
    Name,
    Postfix,
    Unary,
)
from hotcocci.c import model
from hotcocci.c.members import members
from hotcocci.c.records import record


def type_of(
    root: Path, file: str, expr: Expr, variables: Mapping[str, str]
) -> str | None:
    """The type in C's notation (``struct a *``, ``u32[4]``); None if unknown.

    ``variables`` are the types of the names as SmPL prints them; ``file`` is relative to the tree.
    """
    if isinstance(expr, Name):
        found = variables.get(expr.text)
        return " ".join(found.split()) if found else None
    if isinstance(expr, Cast):
        return " ".join(expr.type.split())
    if isinstance(expr, Binary) and expr.operator in ("+", "-"):
        sides = [type_of(root, file, e, variables) for e in (expr.left, expr.right)]
        return next((_decayed(t) for t in sides if t and t.endswith(("*", "]"))), None)
    if isinstance(expr, Postfix) or (
        isinstance(expr, Unary) and expr.operator in ("++", "--")
    ):
        return type_of(root, file, expr.operand, variables)
    if isinstance(expr, Unary) and expr.operator == "*":
        return _element(type_of(root, file, expr.operand, variables))
    if isinstance(expr, Unary) and expr.operator == "&":
        inner = type_of(root, file, expr.operand, variables)
        return f"{inner} *" if inner and "[" not in inner else None
    if isinstance(expr, Index):
        return _element(type_of(root, file, expr.object, variables))
    if isinstance(expr, Member):
        return _member(root, file, expr, variables)
    return None


def _decayed(type_: str) -> str:
    """An array type decayed to a pointer to its element; pointers stay the same."""
    return type_ if type_.endswith("*") else f"{_element(type_)} *"


def _element(type_: str | None) -> str | None:
    """The type that a pointer points to, or the element type of an array."""
    if type_ is None:
        return None
    if type_.endswith("]"):
        # The element type of u32[2][4] is u32[4].
        head, _, rest = type_.partition("[")
        return (head + rest.partition("]")[2]).strip()
    words = type_.removesuffix("const").removesuffix("restrict").rstrip()
    return words[:-1].strip() if words.endswith("*") else None


def _member(
    root: Path, file: str, expr: Member, variables: Mapping[str, str]
) -> str | None:
    field = field_of(root, file, expr, variables)
    if field is None or field.width is not None or field.record is not None:
        return None
    bounds = "".join(f"[{bound}]" for bound in field.bounds)
    return f"{field.type}{' *' if field.stars else ''}{bounds}"


def field_of(
    root: Path, file: str, expr: Member, variables: Mapping[str, str]
) -> model.Member | None:
    """The field for a member expression, also if its structure is anonymous."""
    if expr.operator == "." and isinstance(expr.object, Member):
        around = field_of(root, file, expr.object, variables)
        if around is not None and around.record is not None:
            whole = not around.stars and not around.bounds
            return members(around.record).get(expr.field) if whole else None
    object_ = type_of(root, file, expr.object, variables)
    if expr.operator == "->":
        object_ = _element(object_)
    if object_ is None or "*" in object_ or "[" in object_:
        return None
    found = record(root, file, object_)
    return members(found).get(expr.field) if found else None
