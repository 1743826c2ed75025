# SPDX-License-Identifier: GPL-2.0
"""Find loads that a path repeats after a call."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import islice

from hotcocci.c.expression import (
    Call,
    Conditional,
    Expr,
    Name,
    Opaque,
    SizeOf,
    walk,
)
from hotcocci.c.flow import BasicBlock, solve
from hotcocci.c.flow_builder import build_graph
from hotcocci.c.source import NAME, Source, tokenize
from hotcocci.c.syntax import Function, Statement, evaluated
from hotcocci.rewrite.loads.credential_loads import COUNTING

# The state of a path: no load yet, the last load still in a register, or a call since
# then
_NONE, _LOADED, _CALLED = "none", "loaded", "called"


@dataclass(frozen=True)
class Reloads:
    """The loads of a function that some path repeats, by their offsets in the file.

    ``after_call`` loads are repeated after a call, ``without_call`` ones without a call in between.
    """

    after_call: frozenset[int]
    without_call: frozenset[int]


def reloads(
    function: Function,
    loads: Collection[int],
    opaque: Callable[[str], bool],
    repeat: bool = True,
) -> Reloads:
    """Follow every path; ``opaque`` tells whether a call of that name may change memory.

    Without ``repeat`` each loop has one iteration.
    """
    graph = build_graph(function)
    places = frozenset(loads)
    events = {block: tuple(_events(block, places, opaque)) for block in graph.blocks}
    # The graph omits braced initializers: their loads come before the code after them.
    for load in sorted(places.difference(*events.values()), reverse=True):
        later = (
            b for b in graph.blocks if b.at > load and (b.expr or b.asm or b.returns)
        )
        for block in islice(later, 1):
            events[block] = (load, *events[block])

    def transfer(block: BasicBlock, state: str) -> list[tuple[BasicBlock, str]]:
        state = reduce(_after, events[block], state)
        return [(e.target, state) for e in block.edges if repeat or not e.back]

    before: dict[str, set[int]] = {_NONE: set(), _LOADED: set(), _CALLED: set()}
    for block, state in solve([(graph.entry, _NONE)], transfer):
        for event in events[block]:
            if event is not None:
                before[state].add(event)
            state = _after(state, event)
    return Reloads(frozenset(before[_CALLED]), frozenset(before[_LOADED]))


def _after(state: str, event: int | None) -> str:
    """The state of a path after a load, or after a call if the event is None."""
    if event is not None:
        return _LOADED
    return _CALLED if state == _LOADED else state


def _events(
    block: BasicBlock, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    """The loads of a block by offset, and None for each call, in evaluation order."""
    if block.asm:
        yield None
    elif block.expr is not None:
        yield from _evaluated(block.expr, loads, opaque)


def _evaluated(
    expr: Expr, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    if isinstance(expr, SizeOf):
        return
    if isinstance(expr, Opaque):
        yield from _text(expr, loads, opaque)
        return
    if isinstance(expr, Name) and expr.start in loads:
        yield expr.start
        return
    if isinstance(expr, Call):
        callee = expr.function
        if callee.start in loads:
            yield callee.start
            if isinstance(callee, Name) and callee.text in COUNTING:
                yield None
            return
        for argument in expr.arguments:
            yield from _evaluated(argument, loads, opaque)
        if not isinstance(callee, Name):
            yield from _evaluated(callee, loads, opaque)
            yield None
        elif opaque(callee.text):
            yield None
        return
    children = expr.children()
    if isinstance(expr, Conditional) and expr.then is expr.condition:
        children = (expr.condition, expr.other)
    for child in children:
        yield from _evaluated(child, loads, opaque)


def _text(
    expr: Opaque, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    """Events in text that is not parsed as an expression: compound and statement expressions."""
    tokens = tokenize(expr.text)
    for token, follower in zip(tokens, (*tokens[1:], None)):
        if token.kind != NAME:
            continue
        if expr.start + token.start in loads:
            yield expr.start + token.start
        elif follower is not None and follower.text == "(" and opaque(token.text):
            yield None


def evaluates(source: Source, statement: Statement, offset: int) -> bool:
    """Whether a statement evaluates the code at an offset whenever it is reached."""
    expr = evaluated(source, statement)
    if expr is None or not expr.start <= offset < expr.end:
        return False
    for part in walk(expr):
        inside = [c for c in part.children() if c.start <= offset < c.end]
        if not inside:
            continue
        if isinstance(part, Conditional) and inside[-1] is not part.condition:
            return False
        operator = getattr(part, "operator", "")
        if operator in ("&&", "||") and inside[0] is part.children()[1]:
            return False
    return True
