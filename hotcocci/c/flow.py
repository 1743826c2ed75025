# SPDX-License-Identifier: GPL-2.0
"""The control-flow graph of a function, and the solver that propagates states through it.

`hotcocci.c.flow_builder` builds the graph. The effects of expressions, and jumps hidden
in macros, are up to its users.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from hotcocci.c.expression import Call, Expr, walk
from hotcocci.c.syntax import Function, Statement

State = TypeVar("State", bound=Hashable)


class TooManyPaths(Exception):
    """The function has more paths than can be followed."""


@dataclass(frozen=True, eq=False)
class Scope:
    """The statement after a macro such as scoped_guard(), whose cleanup runs on every exit."""

    call: Call
    statement: Statement

    @property
    def name(self) -> str:
        """The macro's name."""
        return self.call.callee


@dataclass(frozen=True)
class Edge:
    """A transfer of control to ``target``.

    ``value`` is the value of the condition on this edge, None if no condition decides. ``back``
    is true if it begins another iteration of a loop.
    """

    target: BasicBlock
    value: bool | None = None
    back: bool = False


@dataclass(eq=False)
class BasicBlock:
    """At most one expression, and the edges to its successors; a return has none.

    ``at`` is the offset, ``scopes`` are the enclosing scopes, outermost first, and ``enters`` the scope that
    begins here. ``asm`` are the names in an asm statement, which may change any of them.
    """

    at: int
    scopes: tuple[Scope, ...] = ()
    expr: Expr | None = None
    edges: tuple[Edge, ...] = ()
    enters: Scope | None = None
    asm: frozenset[str] = frozenset()

    @property
    def is_test(self) -> bool:
        """Whether the expression is a condition that decides between two edges."""
        return any(edge.value is not None for edge in self.edges)

    @property
    def returns(self) -> bool:
        """Whether the function returns here."""
        return not self.edges

    @property
    def name(self) -> str:
        """The variable that its expression is; empty for any other."""
        return self.expr.name if self.expr is not None else ""

    def parts(self) -> Iterator[Expr]:
        """Its expression and all subexpressions."""
        return walk(self.expr) if self.expr is not None else iter(())

    def holds(self, offset: int) -> bool:
        """Whether its expression spans an offset."""
        return self.expr is not None and self.expr.start <= offset < self.expr.end


@dataclass(frozen=True)
class Graph:
    """A function's control flow from ``entry``, with the block of each label.

    ``blocks`` are those reachable from the entry or a label, in source order. ``hints`` are the likely() and
    unlikely() in its conditions, which have no blocks of their own.
    """

    function: Function
    entry: BasicBlock
    labels: dict[str, BasicBlock]
    blocks: tuple[BasicBlock, ...]
    scopes: tuple[Scope, ...]
    hints: tuple[Call, ...]

    def expressions(self) -> Iterator[tuple[BasicBlock, Expr]]:
        """Every expression and subexpression, with its block."""
        for block in self.blocks:
            for part in block.parts():
                yield block, part

    def calls(self) -> Iterator[Call]:
        """Every call in its expressions."""
        return (part for _, part in self.expressions() if isinstance(part, Call))


def closure(
    starts: Iterable[State],
    following: Callable[[State], Iterable[State]],
    limit: int | None = None,
) -> list[State]:
    """All that follows from ``starts``, these included. Raises TooManyPaths if it is more than ``limit``."""
    waiting = list(starts)
    seen = dict.fromkeys(waiting)
    while waiting:
        for each in following(waiting.pop()):
            if each in seen:
                continue
            seen[each] = None
            if limit is not None and len(seen) > limit:
                raise TooManyPaths
            waiting.append(each)
    return list(seen)


def solve(
    starts: Iterable[tuple[BasicBlock, State]],
    transfer: Callable[[BasicBlock, State], Iterable[tuple[BasicBlock, State]]],
    limit: int | None = None,
) -> list[tuple[BasicBlock, State]]:
    """Propagate states along all paths; returns each block with each state it is reached in.

    ``transfer`` returns the successors of a block with their states. States are not
    merged at joins, so correlations between variables are kept; there must be few of
    them. Raises TooManyPaths above ``limit`` pairs of block and state.
    """
    return closure(starts, lambda pair: transfer(*pair), limit)


def _edges(block: BasicBlock) -> Iterable[Edge]:
    return block.edges


def forward(block: BasicBlock) -> list[Edge]:
    """The edges of a block that begin no other iteration of a loop."""
    return [edge for edge in block.edges if not edge.back]


def reachable(
    starts: Iterable[BasicBlock], edges: Callable[[BasicBlock], Iterable[Edge]] = _edges
) -> list[BasicBlock]:
    """The blocks on all paths from ``starts``, these included; ``edges`` selects the edges to follow."""
    return closure(starts, lambda block: (edge.target for edge in edges(block)))
