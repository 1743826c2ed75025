# SPDX-License-Identifier: GPL-2.0
"""Hoist expressions out of a window: pointers that are not plain names, calls in values."""

from __future__ import annotations

from hotcocci.c.expression import (
    Expr,
    Call,
    Cast,
    Index,
    Member,
    Name,
    Unary,
    assigned,
    names,
    root,
    walk,
)
from hotcocci.c.typed import type_of
from hotcocci.findings import READ
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.computing import has_checked_index, outside_calls
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.window import IN_VALUE, Hoist, Refusal, obstacle
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.context_conditions import expressions_in
from hotcocci.rewrite.options import MASKED


def fresh_name(wanted: str, context: Context, taken: set[str]) -> str:
    candidates = [wanted, f"user_{wanted}", *(f"{wanted}{n}" for n in range(2, 100))]
    name = next(
        c for c in candidates if c not in context.identifiers and c not in taken
    )
    taken.add(name)
    return name


def hoist_base(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> str | Refusal:
    """Compute a base that is not a plain name once, before the window (W13)."""
    first = run.accesses[0].base
    line = context.source.line_of(run.accesses[0].start)
    if first.kind == bases.PLAIN:
        if context.options.api == MASKED and not assignable(context, first.text):
            return Refusal("base-in-call", line)
        return first.text
    if any(a.base.text != first.text for a in run.accesses):
        return Refusal("cast-pointer", line)
    if first.kind == bases.CALL:
        return Refusal("base-in-call", line)
    if assigned(first.expr):
        return Refusal("side-effect-argument", line)
    if first.kind == bases.INDEXED:
        name = fresh_name("up", context, taken)
        target = _plain(_typed(first.expr, context))
        hoists.append(Hoist(name, _pointer_to(target, first.text), first.text))
        notes.append(f"the address {first.text} is taken once, into {name}")
        return name
    if first.kind == bases.CAST:
        inner = first.text.strip()
        while inner.startswith("(") and not inner.startswith(
            ("(struct", "(const", "(union")
        ):
            stripped = inner[1:-1].strip() if inner.endswith(")") else inner
            if stripped == inner or not stripped.startswith("("):
                break
            inner = stripped
        type_ = next(
            (
                e.type
                for e in walk(first.expr)
                if hasattr(e, "type") and "__user" in e.type
            ),
            None,
        )
        if type_ is None or "void" in type_:
            return Refusal("cast-pointer", line)
        if isinstance(first.expr, Cast) and isinstance(first.expr.operand, Call):
            # compat_ptr() and the like return void *, which needs no cast.
            operand = first.expr.operand
            inner = context.source.of(operand)
        name = fresh_name("up", context, taken)
        star = type_ if type_.endswith("*") else type_ + " "
        hoists.append(Hoist(name, star, inner))
    else:
        last = first.expr.field if isinstance(first.expr, Member) else "up"
        name = fresh_name(last, context, taken)
        target = pointed(first.expr, context)
        hoists.append(Hoist(name, _pointer_to(target, first.text), first.text))
    notes.append(f"the pointer {first.text} is read once, into {name}")
    return name


def _pointer_to(target: str | None, text: str) -> str:
    """How a variable for a user pointer is declared, before its name."""
    return f"{target} __user *" if target else f"typeof({text}) "


def pointed(pointer: Expr, context: Context) -> str | None:
    """The type that a pointer points to, as C writes it; None if it has no plain one."""
    found = _typed(pointer, context)
    return _plain(found[:-1]) if found.endswith("*") else None


def _typed(expr: Expr, context: Context) -> str:
    known = {n: _kernel(t) for n, t in context.types.items()}
    root_, file = context.where
    return _kernel(type_of(root_, file, expr, known) or "")


def _kernel(type_: str) -> str:
    return " ".join(word for word in type_.split() if word != "__user")


def _plain(type_: str) -> str | None:
    return None if set(type_) & set("*[(") else type_.strip() or None


def assignable(context: Context, name: str) -> bool:
    """Whether a pointer variable may be assigned: local, and not ``T *const p``."""
    return any(
        t.text == name and "const" not in _declared_after_star(context, name)
        for t in context.facts.types
    )


def _declared_after_star(context: Context, name: str) -> str:
    tokens = context.tokens
    for index, token in enumerate(tokens):
        if token.text == name:
            return tokens[index - 1].text if index else ""
    return ""


def hoist_values(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> Refusal | None:
    """Move calls in value arguments before the window (W6, W11)."""
    source = context.source
    written: set[str] = set()
    for index in range(run.first, run.last + 1):
        statement = run.sequence[index]
        if not statement.accesses:
            for tree in expressions_in(context, statement.syntax):
                written |= {n for e in assigned(tree) for n in names(root(e))}
    for access in run.accesses:
        line = source.line_of(access.start)
        value = access.value
        if access.direction == READ:
            written |= names(root(value))
            continue
        made = outside_calls(value)
        if not made and not has_checked_index(value, context):
            continue
        object_ = bases.base_names(access.base.outer or access.base)
        if names(value) & (written | (object_ if made else frozenset())):
            if not made:
                return Refusal("variable-index", line)
            found = obstacle(value.start, value.end, context, IN_VALUE)
            return Refusal("call-between", found.line, found.detail)
        if any("_user" in c.text for c in walk(value) if isinstance(c, Name)):
            return Refusal("side-effect-argument", line)
        field = access.pointer
        while isinstance(field, Unary):
            field = field.operand
        wanted = field.field if isinstance(field, Member) else "value"
        if isinstance(field, Index) and isinstance(field.object, Member):
            wanted = field.object.field
        name = fresh_name(wanted, context, taken)
        pointer = source.of(access.pointer)
        lvalue = pointer[1:].strip() if pointer.startswith("&") else f"*{pointer}"
        if access.base.place == bases.STEP:
            lvalue = f"*{access.base.text}"
        text = " ".join(source.of(value).split())
        target = pointed(access.pointer, context)
        type_ = (
            target if target and "const" not in target.split() else f"typeof({lvalue})"
        )
        hoists.append(Hoist(name, f"{type_} ", text, value.start, value.end))
        called = ", ".join(
            sorted(
                {
                    c.function.text
                    for c in made
                    if isinstance(c, Call) and isinstance(c.function, Name)
                }
            )
        )
        what = "the indexed value"
        if made:
            what = f"the call of {called}" if called else "the statement in the value"
        notes.append(f"{what} is made before the window")
    return None
