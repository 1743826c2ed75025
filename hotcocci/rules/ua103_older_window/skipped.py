# SPDX-License-Identifier: GPL-2.0
"""Tell whether a path can leave a window without an access.

A begin refuses a bad pointer in any case; a scope leaves that to the first access on x86-64 and
powerpc, as a masked begin does, so that the function would no longer fail where there is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import Binary, Call, Expr, Literal, Name, assigned, walk
from hotcocci.c.flow import BasicBlock, Edge, Graph, solve
from hotcocci.windows.events import accessor_of, argument, begin_of, is_constant
from hotcocci.windows.vocabulary import ENDS

# The variables that are 0
_Zero = frozenset[str]


def skips_access(begin: int, graph: Graph) -> bool:
    """Whether a path from the begin at an offset leaves its window, and may make no access."""
    start = next((b for b in graph.blocks if b.holds(begin)), None)
    opened = begin_of(start.expr, {}) if start is not None and start.expr else None
    if start is None or opened is None or not start.is_test:
        return False
    inside = [e.target for e in start.edges if e.value is opened[2]]
    reached = solve(((block, _Zero()) for block in inside), _following)
    return any(block.returns or _ends(block) for block, _ in reached)


def _following(block: BasicBlock, zero: _Zero) -> Iterator[tuple[BasicBlock, _Zero]]:
    """Where a path goes on that has made no access yet, with the variables that are 0 there."""
    if _ends(block) or any(_always_accesses(part) for part in _parts(block)):
        return
    after = _zero_after(block, zero)
    for edge in block.edges:
        if not _is_first_test(block, edge, zero):
            yield edge.target, after


def _parts(block: BasicBlock) -> Iterator[Expr]:
    yield from walk(block.expr) if block.expr is not None else ()


def _ends(block: BasicBlock) -> bool:
    return any(
        isinstance(part, Call)
        and isinstance(part.function, Name)
        and part.function.text in ENDS
        for part in _parts(block)
    )


def _always_accesses(part: Expr) -> bool:
    """Whether an expression is an access; a copy may be of no bytes if its size is not constant."""
    accessor = accessor_of(part) if isinstance(part, Call) else None
    if accessor is None or accessor.size is None:
        return accessor is not None
    assert isinstance(part, Call)
    size = argument(part, accessor.size)
    return size is not None and is_constant(size)


def _zero_after(block: BasicBlock, zero: _Zero) -> _Zero:
    changed = {
        target.text
        for part in _parts(block)
        for target in assigned(part)
        if isinstance(target, Name)
    }
    zero -= changed | block.asm
    expr = block.expr
    if isinstance(expr, Binary) and expr.operator == "=":
        if isinstance(expr.left, Name) and isinstance(expr.right, Literal):
            return zero | {expr.left.text} if expr.right.text == "0" else zero
    return zero


def _is_first_test(block: BasicBlock, edge: Edge, zero: _Zero) -> bool:
    """Whether an edge leaves ``for (i = 0; i < N; i++)`` before the first iteration."""
    test = block.expr
    return (
        edge.value is False
        and isinstance(test, Binary)
        and test.operator in ("<", "!=")
        and isinstance(test.left, Name)
        and test.left.text in zero
        and is_constant(test.right)
        and getattr(test.right, "text", "") != "0"
    )
