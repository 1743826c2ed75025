# SPDX-License-Identifier: GPL-2.0
"""Find accesses through a pointer unrelated to the one the window checked: UW22."""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import (
    Binary,
    Call,
    Cast,
    Expr,
    Index,
    Member,
    Name,
    Unary,
    names,
    root,
    walk,
)
from hotcocci.c.flow import Graph
from hotcocci.windows.events import accessor_of, argument
from hotcocci.windows.outcome import Outcome, Violation
from hotcocci.windows.vocabulary import BEGINS, SCOPES

_LIMITS = ("task_size", "tasksize", "user_ptr_max", "user_limit")
_CHECKS = frozenset({*BEGINS, *SCOPES, "access_ok", "__access_ok"})


def violations(graph: Graph, outcome: Outcome) -> Iterator[Violation]:
    """Accesses through a pointer that no check in the function covers."""
    made = _made(graph)
    checked: set[str] = set()
    for call in _all_calls(graph):
        if isinstance(call.function, Name) and call.function.text in _CHECKS:
            first = argument(call, 0)
            checked |= names(first) if first is not None else set()
    if not checked:
        return
    covered = _linked(checked | _compared(graph), made)
    for call, begin in _open_accesses(graph, outcome):
        accessor = accessor_of(call)
        pointer = argument(call, accessor.pointer) if accessor is not None else None
        base = root(pointer) if pointer is not None else None
        if pointer is None or not isinstance(base, Name) or _stored(pointer):
            continue
        if base.text not in covered:
            yield Violation(
                "UW22",
                call.start,
                f"the range of {base.text} was not checked: the window was opened for another pointer",
                begin,
            )


def _made(graph: Graph) -> list[tuple[str, frozenset[str]]]:
    """Each assigned variable with the names in the assigned value."""
    found = []
    for _, part in graph.expressions():
        if isinstance(part, Binary) and part.operator == "=":
            target = root(part.left)
            if isinstance(target, Name):
                found.append((target.text, names(part.right)))
    return found


def _stored(pointer: Expr) -> bool:
    """Whether the user pointer is itself a field: the code that stored it may have checked it.

    True for ``&t->rseq.usrptr->ip``, false for ``&u->ip``.
    """
    arrows = sum(
        (isinstance(part, Member) and part.operator == "->")
        or (isinstance(part, Unary) and part.operator == "*")
        for part in walk(pointer)
    )
    indirect = any(
        isinstance(part, Index) and isinstance(part.object, Member)
        for part in walk(pointer)
    )
    outer = pointer
    while isinstance(outer, (Cast, Binary)):
        outer = outer.operand if isinstance(outer, Cast) else outer.left
    return arrows > 1 or indirect or isinstance(outer, Member)


def _compared(graph: Graph) -> set[str]:
    """Names compared with an address limit such as TASK_SIZE anywhere in the function."""
    found: set[str] = set()
    for _, part in graph.expressions():
        if isinstance(part, Binary) and part.operator in ("<", ">", "<=", ">="):
            limits = {n.lower() for n in names(part.right)}
            if any(word in limit for limit in limits for word in _LIMITS):
                found |= names(part.left)
    return found


def _linked(checked: set[str], made: list[tuple[str, frozenset[str]]]) -> set[str]:
    """All names linked to a checked one by assignments in either direction."""
    known = set(checked)
    grown = True
    while grown:
        grown = False
        for name, sources in made:
            if name in known and not sources <= known:
                known |= sources
                grown = True
            elif name not in known and sources & known:
                known.add(name)
                grown = True
    return known


def _all_calls(graph: Graph) -> Iterator[Call]:
    return (part for _, part in graph.expressions() if isinstance(part, Call))


def _open_accesses(graph: Graph, outcome: Outcome) -> Iterator[tuple[Call, int]]:
    opened = dict(sorted(outcome.accesses))
    for call in _all_calls(graph):
        if call.start in opened and accessor_of(call) is not None:
            yield call, opened[call.start]
