# SPDX-License-Identifier: GPL-2.0
"""Which loads of a function are made again after a call, followed along its paths."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from hotcocci.c.expression import (
    Call,
    Conditional,
    Expr,
    Name,
    Opaque,
    SizeOf,
    walk,
)
from hotcocci.c.source import NAME, tokenize
from hotcocci.c.syntax import Function
from hotcocci.rewrite.loads.credential_loads import COUNTING
from hotcocci.windows.graph import ASM, JOIN, Node, graph, nodes

# What a path has after it: no load yet, one that a register may hold, one and a call since
NONE, HELD, LOST = 1, 2, 4


@dataclass(frozen=True)
class Reloads:
    """What paths do with the loads of a function, each by its offset in the file.

    ``lost`` are those before which a path has made one, and a call since; ``held`` those before
    which a path has made one without a call since.
    """

    lost: frozenset[int]
    held: frozenset[int]


def reloads(
    function: Function,
    loads: Collection[int],
    opaque: Callable[[str], bool],
    rounds: bool = True,
) -> Reloads:
    """Follow every path; ``opaque`` says whether a call of that name may change memory.

    Without ``rounds`` no loop is gone through twice.
    """
    drawn = graph(function)
    steps = list(nodes(drawn))
    back = frozenset() if rounds else _back(drawn.entry)
    places = frozenset(loads)
    events = {id(n): tuple(_events(n, places, opaque)) for n in steps}
    for node, missing in _braced(steps, places, events):
        events[id(node)] = (*missing, *events[id(node)])
    before: dict[int, int] = {id(drawn.entry): NONE}
    lost: set[int] = set()
    held: set[int] = set()
    waiting: list[Node] = [drawn.entry]
    while waiting:
        node = waiting.pop()
        state = before[id(node)]
        for event in events[id(node)]:
            if event is None:
                state = state & NONE | (LOST if state & (HELD | LOST) else 0)
                continue
            if state & LOST:
                lost.add(event)
            if state & HELD:
                held.add(event)
            state = HELD
        for target in (node.then, node.other):
            if target is None or (id(node), id(target)) in back:
                continue
            known = before.get(id(target), 0)
            if known | state != known:
                before[id(target)] = known | state
                waiting.append(target)
    return Reloads(frozenset(lost), frozenset(held))


def _back(entry: Node) -> frozenset[tuple[int, int]]:
    """The ways from a step to one that a path has come from."""
    found: set[tuple[int, int]] = set()
    done: dict[int, bool] = {}
    stack: list[tuple[Node, bool]] = [(entry, False)]
    while stack:
        node, left = stack.pop()
        if left:
            done[id(node)] = True
            continue
        if id(node) in done:
            continue
        done[id(node)] = False
        stack.append((node, True))
        for target in (node.then, node.other):
            if target is not None and done.get(id(target)) is False:
                found.add((id(node), id(target)))
            elif target is not None:
                stack.append((target, False))
    return frozenset(found)


def _braced(
    steps: list[Node], loads: frozenset[int], events: dict[int, tuple[int | None, ...]]
) -> Iterator[tuple[Node, list[int]]]:
    """The loads that are in no step, as between the braces of an initialiser, by what follows."""
    met = {event for several in events.values() for event in several}
    later: dict[int, list[int]] = {}
    plain = sorted((n for n in steps if n.kind != JOIN), key=lambda n: n.at)
    for load in sorted(loads - met):
        index = next((i for i, n in enumerate(plain) if n.at > load), None)
        if index is not None:
            later.setdefault(index, []).append(load)
    for index, missing in later.items():
        yield plain[index], missing


def _events(
    node: Node, loads: frozenset[int], opaque: Callable[[str], bool]
) -> Iterator[int | None]:
    """The loads of a step by offset, and None for each call, in the order they are made."""
    if node.kind == ASM:
        yield None
    elif node.expr is not None:
        yield from _evaluated(node.expr, loads, opaque)


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
    """What was not read as an expression: a compound literal, a statement in parentheses."""
    tokens = tokenize(expr.text)
    for token, follower in zip(tokens, (*tokens[1:], None)):
        if token.kind != NAME:
            continue
        if expr.start + token.start in loads:
            yield expr.start + token.start
        elif follower is not None and follower.text == "(" and opaque(token.text):
            yield None


def always(expr: Expr, offset: int) -> bool:
    """Whether what is at an offset of an expression is evaluated whenever that is."""
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
