# SPDX-License-Identifier: GPL-2.0
"""Prepare a run for a window: hoist expressions out of it, and give accesses through a moving pointer their offsets.

Hoisted are pointers that are not plain names, and calls in values. A void pointer may move past each object, as by
``p += sizeof(u32);``. It moves in a window as it did without. In a scope it is constant: there the accesses have offsets,
and it moves once, after the scope."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

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
    SizeOf,
    Unary,
    assigned,
    canonical,
    names,
    root,
    walk,
)
from hotcocci.c.syntax import expression
from hotcocci.c.typed import type_of
from hotcocci.findings import READ, WRITE
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.base import has_checked_index, outside_calls
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.liveness import is_followed
from hotcocci.rewrite.options import MASKED
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.statements import PURE, RunStatement, UserAccess
from hotcocci.rewrite.window import IN_VALUE, Exits, Hoist, Refusal, obstacle

# In names of functions that access user memory, unlike current_user_ns()
_ACCESSES = re.compile(r"(?:get|put|from|to|clear|dup|len)_user(?!_ns)")


def fresh_name(wanted: str, context: Context, taken: set[str]) -> str:
    numbered = (f"{wanted}{number}" for number in range(2, 100))
    return context.free_name((wanted, f"user_{wanted}", *numbered), taken)


def hoist_base(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> str | Refusal:
    """Compute a base that is not a plain name once, before the window (W13)."""
    first = run.accesses[0].base
    line = context.line(run.accesses[0])
    if first.kind == bases.PLAIN:
        cast = next((a for a in run.accesses if a.base.kind != bases.PLAIN), None)
        if cast is not None:
            return Refusal("cast-pointer", context.line(cast))
        if not context.owns(first.text):
            detail = (
                f"{first.text} is no local variable: it may change between the accesses"
            )
            return Refusal("base-changes", line, detail)
        if context.options.api == MASKED and not assignable(context, first.text):
            return Refusal("base-in-call", line)
        return first.text
    if any(a.base.text != first.text for a in run.accesses):
        return Refusal("cast-pointer", line)
    if first.kind == bases.CALL:
        return Refusal("base-in-call", line)
    if assigned(first.expr):
        return Refusal("side-effect-argument", line)
    what, value, wanted = f"pointer {first.text} is read", first.text, "up"
    if first.kind == bases.INDEXED:
        what = f"address {first.text} is taken"
        type_ = _pointer_to(_plain(typed(first.expr, context)), first.text)
    elif isinstance(first.expr, Cast):
        type_, operand = first.expr.type, first.expr.operand
        if not re.search(r"__user ?\*$", type_) or "void" in type_:
            return Refusal("cast-pointer", line)
        # compat_ptr() and the like return void *, which needs no cast.
        cast_to = "" if isinstance(operand, Call) else f"({type_})"
        value = f"{cast_to}{context.of(operand)}"
    else:
        wanted = first.expr.field if isinstance(first.expr, Member) else wanted
        type_ = _pointer_to(pointed(first.expr, context), first.text)
    name = fresh_name(wanted, context, taken)
    hoists.append(Hoist(name, type_, value))
    notes.append(f"the {what} once, into {name}")
    return name


def _pointer_to(target: str | None, text: str) -> str:
    """The declaration of a variable for a user pointer, up to its name."""
    return f"{target} __user *" if target else f"typeof({text}) "


def pointed(pointer: Expr, context: Context) -> str | None:
    """The type that a pointer points to, as C writes it; None if it has no plain one."""
    found = typed(pointer, context)
    return _plain(found[:-1]) if found.endswith("*") else None


def typed(expr: Expr, context: Context) -> str:
    """The type of an expression, without ``__user``; empty if it is not known."""
    known = {n: _kernel(t) for n, t in context.types.items()}
    root_, file = context.where
    return _kernel(type_of(root_, file, expr, known) or "")


def _kernel(type_: str) -> str:
    return " ".join(word for word in type_.split() if word != "__user")


def _plain(type_: str) -> str | None:
    return None if set(type_) & set("*[(") else type_.strip() or None


def assignable(context: Context, name: str) -> bool:
    """Whether a pointer variable may be assigned: local, and not ``T *const p``."""
    pairs = zip(context.tokens, context.tokens[1:])
    before = next((before.text for before, own in pairs if own.text == name), "")
    return before != "const" and name in context.user | context.kernel


def hoist_values(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> Refusal | None:
    """Move calls in value arguments before the window (W6, W11), and values that are read before one of these."""
    source = context.source
    written: set[str] = set()
    shared: list[int] = []
    for statement, stored in run.stores:
        written |= names(root(stored))
        if not context.is_local(stored):
            shared.append(statement.start)
    last = _last_effect(run)
    if last is not None and last.base.kind == bases.MEMORY:
        line = context.line(last.value)
        detail = f"a call in the value at line {line} may change {last.base.text}"
        return Refusal("call-between", line, detail)
    for access in run.accesses:
        line = source.line_of(access.start)
        value = access.value
        if access.direction == READ:
            written |= names(root(value))
            if not context.is_local(value):
                shared.append(access.start)
            continue
        made = outside_calls(value)
        indexed = has_checked_index(value, context)
        fixed = _is_fixed(value, context)
        sooner = last is not None and access.start < last.start and not fixed
        if not made and not indexed and not sooner:
            continue
        object_ = (access.base.outer or access.base).names
        stale = not fixed and any(start < access.start for start in shared)
        if stale or names(value) & (written | (object_ if made else frozenset())):
            if not made and last is None:
                return Refusal("variable-index", line)
            own = value if made or last is None else last.value
            found = obstacle(own.start, own.end, context, IN_VALUE)
            return Refusal("call-between", found.line, found.detail)
        if any(_ACCESSES.search(c.text) for c in walk(value) if isinstance(c, Name)):
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
        if made or indexed:
            notes.append(f"{_moved(made)} before the window")
    return None


def _last_effect(run: Run) -> UserAccess | None:
    """The last access with a call in its value that may change what another value reads."""
    found = (
        access
        for access in run.accesses
        if access.direction == WRITE
        if any(c.callee not in bases.READ for c in outside_calls(access.value))
    )
    return max(found, key=lambda access: access.start, default=None)


def _is_fixed(value: Expr, context: Context) -> bool:
    """Whether only the function itself changes a value: it is computed from constants and locals."""
    kinds = (Literal, SizeOf, Cast, Binary, Conditional)
    return all(
        isinstance(part, kinds)
        or isinstance(part, Unary)
        and part.operator != "*"
        or part.name.isupper()
        or bool(part.name)
        and is_followed(context, part.name)
        for part in walk(value)
    )


def _moved(calls: Sequence[Call | Opaque]) -> str:
    """The parts of a value that move in front of a window: calls, or else an index that is checked."""
    names_ = sorted({f"{call.callee}()" for call in calls if call.callee})
    if len(names_) > 1:
        return f"the calls of {', '.join(names_[:-1])} and {names_[-1]} are made"
    if names_:
        return f"the call of {names_[0]} is made"
    if any(isinstance(call, Call) for call in calls):
        return "a call through a pointer is made"
    if calls:
        return "the statements in a value are run"
    return "a value with a variable index is read"


def advance(run: Run, context: Context) -> Run:
    """Give each access of such a run its base and offset; any other run is returned unchanged."""
    name = run.accesses[0].base.key
    if run.split is not None or not name.isidentifier():
        return run
    if context.types.get(name, "").removeprefix("const ") != "void __user *":
        return run
    past: list[str] = []
    found: list[UserAccess] = []
    previous: str | None = None
    for statement in run.statements:
        size = increment(statement, name, context)
        mentions = len(context.mentions(name, statement.start, statement.end))
        if statement.accesses:
            own = _size_of(statement.accesses[0])
            if previous or own is None or len(statement.accesses) + mentions != 2:
                return run
            found.append(_at(statement.accesses[0], name, tuple(past)))
            previous = own
        elif size is not None and size == previous:
            past.append(size)
            previous = None
        elif mentions:
            return run
    return run.with_accesses(tuple(found)) if past else run


def is_advancing(run: Run) -> bool:
    """Whether the accesses of a run have offsets from a pointer that was moved between them."""
    return run.accesses[0].base.place == bases.ADVANCED


def increment(statement: RunStatement, name: str, context: Context) -> str | None:
    """The size that ``name += sizeof(T);`` adds to a pointer; None for other statements."""
    if statement.form != PURE or statement.syntax.kind != "expression":
        return None
    tree = expression(context.source, statement.syntax)
    if not (isinstance(tree, Binary) and tree.operator == "+="):
        return None
    if not (tree.left.name == name):
        return None
    size = context.key(tree.right)
    return size if size.startswith("sizeof(") and size.endswith(")") else None


def leaves_pointer(run: Run, exits: Exits) -> bool:
    """Whether the error path does not look at the pointer, which had been moved before."""
    return exits.target is None and run.accesses[0].base.key not in exits.names


def sizes(run: Run) -> tuple[str, ...]:
    """The sizes of the objects of such a run."""
    last = run.accesses[-1]
    return (*last.base.past, _size_of(last) or "")


def total(sizes: tuple[str, ...]) -> str:
    """A sum of sizes, equal ones as a product."""
    parts = (f"{n} * {size}" if n > 1 else size for size, n in Counter(sizes).items())
    return " + ".join(parts)


def moves(run: Run, stop: int, context: Context) -> tuple[tuple[int, ...], str]:
    """The statements that move the pointer of such a run, also past its last object, and the sum of their sizes.

    ``stop`` is the last statement that the window replaces.
    """
    name, (*sizes_, last) = run.accesses[0].base.key, sizes(run)
    found = [
        index
        for index in range(run.first, stop + 1)
        if increment(run.sequence[index], name, context)
    ]
    after = run.sequence[stop + 1 : stop + 2]
    if after and not context.source.has_directive(
        run.sequence[stop].end, after[0].start
    ):
        if increment(run.sequence[stop + 1], name, context) == last:
            found.append(stop + 1)
            sizes_.append(last)
    return tuple(found), total(tuple(sizes_))


def place(access: UserAccess, pointer: str) -> str:
    """The pointer of an access, at an offset from where it was before the run."""
    past = access.base.past
    if not past:
        return pointer
    cast, _, name = pointer.rpartition(")")
    return f"{cast})({name} + {total(past)})"


def _size_of(access: UserAccess) -> str | None:
    """``sizeof(T)`` of an access through ``(T __user *)p``."""
    cast = access.pointer
    if not isinstance(cast, Cast) or not isinstance(cast.operand, Name):
        return None
    words = [w for w in cast.type.replace("*", " * ").split() if w != "const"]
    if words[-2:] != ["__user", "*"] or "*" in words[:-1]:
        return None
    return canonical(f"sizeof({' '.join(words[:-2])})")


def _at(access: UserAccess, name: str, past: tuple[str, ...]) -> UserAccess:
    base = replace(
        access.base,
        text=name,
        kind=bases.PLAIN,
        place=bases.ADVANCED,
        index=0,
        past=past,
    )
    return replace(access, base=base)
