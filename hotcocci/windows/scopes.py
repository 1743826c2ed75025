# SPDX-License-Identifier: GPL-2.0
"""Find violations specific to scoped windows: UW13, UW16, UW17."""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import Call, Expr, Name
from hotcocci.c.flow import Graph, Scope
from hotcocci.c.syntax import Statement, enclosing
from hotcocci.windows.events import argument
from hotcocci.windows.outcome import Violation
from hotcocci.windows.vocabulary import SCOPES

_LOOPS = ("for", "while", "do", "macro")


def violations(graph: Graph) -> Iterator[Violation]:
    """Violations in the scopes of a function."""
    for scope in graph.scopes:
        if scope.name not in SCOPES:
            continue
        yield from _identifier(scope)
        yield from _leaving(graph, scope)
        yield from _labels(graph, scope)


def _at(scope: Scope) -> int:
    return scope.statement.start


def _identifier(scope: Scope) -> Iterator[Violation]:
    pointer = argument(scope.call, 0)
    if pointer is not None and not isinstance(pointer, Name):
        yield Violation(
            "UW13",
            _at(scope),
            f"the pointer of {scope.name}() must be a plain identifier: the scope redeclares it",
        )


def _leaving(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find breaks and continues that only leave the loops inside the scope macro."""
    outer = _enclosing(scope.statement, (*_LOOPS, "switch"))
    loop = _enclosing(scope.statement, _LOOPS)
    for statement in graph.function.statements:
        meant = {"break": outer, "continue": loop}.get(statement.kind)
        if meant is None:
            continue
        kinds = _LOOPS if statement.kind == "continue" else (*_LOOPS, "switch")
        if _enclosing(statement, kinds) is scope.statement:
            yield Violation(
                "UW17",
                statement.start,
                f"{statement.kind} leaves only {scope.name}(), not the enclosing {_word(meant)}",
                _at(scope),
            )


def _word(statement: Statement) -> str:
    return "switch" if statement.kind == "switch" else "loop"


def _enclosing(statement: Statement, kinds: tuple[str, ...]) -> Statement | None:
    return next((s for s in enclosing(statement) if s.kind in kinds), None)


def _labels(graph: Graph, scope: Scope) -> Iterator[Violation]:
    """Find fault labels inside the scope that they should lead out of."""
    own = argument(scope.call, -1)
    if isinstance(own, Name) and _within(graph, own.text, scope):
        yield Violation(
            "UW16",
            _at(scope),
            f"label {own.text} is inside the scope that jumps to it",
        )
    for call in _accesses(graph, scope):
        label = argument(call, -1)
        if isinstance(label, Name) and _within(graph, label.text, scope):
            yield Violation(
                "UW16",
                call.start,
                f"fault label {label.text} is inside the scope of this access",
                _at(scope),
            )


def _within(graph: Graph, label: str, scope: Scope) -> bool:
    place = graph.labels.get(label)
    return place is not None and scope in place.scopes


def _accesses(graph: Graph, scope: Scope) -> Iterator[Call]:
    """The accesses in a scope, including all macros named unsafe_*."""
    for block, part in graph.expressions():
        if scope in block.scopes and isinstance(part, Call):
            if _text(part.function).startswith("unsafe_"):
                yield part


def _text(value: Expr) -> str:
    return value.text if isinstance(value, Name) else ""
