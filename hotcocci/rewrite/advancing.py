# SPDX-License-Identifier: GPL-2.0
"""Runs through a void pointer that moves past each object: ``p += sizeof(u32);``.

It moves in the window as it did without. In a scope it is constant: there the accesses have offsets,
and it moves once, after the scope.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hotcocci.c.expression import Binary, Cast, Name, canonical
from hotcocci.c.source import tokenize
from hotcocci.c.syntax import expression
from hotcocci.rewrite import base as bases
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.shapes import RunExits
from hotcocci.rewrite.statements import PURE, RunStatement, UserAccess


def advance(run: Run, context: Context) -> Run:
    """Give each access of such a run its base and offset; any other run is returned unchanged."""
    name = run.accesses[0].base.key
    if run.split is not None or not name.isidentifier():
        return run
    type_ = context.types.get(name, "").removeprefix("const ")
    if type_ != "void __user *":
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
    size = canonical(context.source.of(tree.right))
    return size if size.startswith("sizeof(") and size.endswith(")") else None


def leaves_pointer(run: Run, exits: RunExits) -> bool:
    """Whether the error path does not look at the pointer, which had been moved before."""
    used = {t.text for text in exits.on_fault for t in tokenize(text)}
    return exits.target is None and run.accesses[0].base.key not in used


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
