# SPDX-License-Identifier: GPL-2.0
"""Find changes of a prefix between two loads of it.

Compilers take each store through a pointer for a change of any memory
(-fno-strict-aliasing). A store to a member of another name does not overlap, unless
there is a union, but compilers do not know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from hotcocci.c.expression import (
    Call,
    Cast,
    Expr,
    Name,
    Opaque,
    SizeOf,
    assigned,
    walk,
)
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.syntax import Statement
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.loads.chain_bodies import bodies
from hotcocci.rewrite.loads.chain_paths import Load, Reader
from hotcocci.c.types import is_record
from hotcocci.rewrite.loads.chain_stores import computes, stores_nothing
from hotcocci.rewrite.loads.credential_opaque import opaque


@dataclass(frozen=True)
class Effect:
    """``changed`` is the offset where the loads may start to differ, None if they do not.

    ``hidden`` is set if a compiler cannot rule out that a store in between changes the
    loads.
    """

    changed: int | None
    hidden: bool


def effect_between(
    context: Context,
    reader: Reader,
    loads: Collection[Load],
    roots: Collection[str],
    first: Statement,
    last: Statement,
) -> Effect:
    """The effect of the statements from ``first`` to ``last`` of a block on these loads.

    ``roots`` are the variables that the loads begin with, or are indexed by.
    """
    start, end = first.start, last.end
    hidden = False
    for statement in context.function.statements:
        if start <= statement.start < end and statement.kind in ("label", "macro"):
            return Effect(statement.start, hidden)
    for block in build_graph(context.function).blocks:
        if not start <= block.at < end:
            continue
        if block.asm:
            return Effect(block.at, hidden)
        if block.expr is None:
            continue
        for changed in _changes(context, reader, loads, roots, block.expr):
            if changed is not None:
                return Effect(changed, hidden)
            hidden = True
    return Effect(None, hidden)


def _changes(
    context: Context,
    reader: Reader,
    loads: Collection[Load],
    roots: Collection[str],
    expr: Expr,
) -> Iterator[int | None]:
    """For each store or call that may change the loads: its offset, None if only a compiler must assume so."""
    root, file = context.options.root, context.facts.file
    for part in walk(expr):
        if isinstance(part, Opaque) or _hides(root, file, part):
            yield part.start
        elif isinstance(part, Call):
            name = part.function.text if isinstance(part.function, Name) else ""
            if not name or opaque(root, file, name):
                yield part.start
            elif not stores_nothing(root, file, name):
                yield part.start
    for target in assigned(expr):
        if isinstance(target, Name):
            if target.text in roots:
                yield target.start
            continue
        if isinstance(target, SizeOf):
            continue
        yield None if _cannot_overlap(reader, loads, target) else target.start


def _hides(root: Path, file: str, part: Expr) -> bool:
    """Whether a name is a macro that does more than compute."""
    return isinstance(part, Name) and any(
        body.parameters is None and not computes(root, file, body.value)
        for body in bodies(root, file, part.text)
        if not body.line
    )


def _cannot_overlap(reader: Reader, loads: Collection[Load], target: Expr) -> bool:
    """Whether a store cannot overlap what the loads read.

    A store through a cast may overlap anything.
    """
    if any(isinstance(part, Cast) for part in walk(target)):
        return False
    place = reader.object(target)
    if place is None or not place.field or place.type is None or place.type.shared:
        return False
    if is_record(reader.root, reader.file, place.type) is not False:
        return False
    return place.field not in {load.field for load in loads}
