# SPDX-License-Identifier: GPL-2.0
"""Follow whether user access is open along every path of a function.

Conditions are correlated by their text: ``if (user) begin … if (user) end`` is balanced. Code
that cannot be followed gives no report.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from hotcocci.c.expression import Binary, Call, Expr, Name, canonical
from hotcocci.windows.events import begin_of, constant_of, events
from hotcocci.windows.graph import ENTER, RETURN, TEST, Graph, Node, nodes
from hotcocci.windows.outcome import Exit, Known, Outcome, Run
from hotcocci.windows.state import CLOSED, KERNEL, OPEN, State, Window
from hotcocci.windows.transitions import (
    FAILED,
    JUMPED,
    happen,
    nested,
    opened,
    untested,
)
from hotcocci.windows.vocabulary import SCOPES, Begin


# Tests after which an address needs no window
KERNEL_TEST = "is_kernel_addr"
USER_LIMITS = frozenset({"TASK_SIZE", "TASK_SIZE_MAX", "USER_PTR_MAX"})

_WORD = re.compile(r"[A-Za-z_]\w*")


def follow(drawn: Graph, known: Known, entries: frozenset[Window]) -> Outcome:
    """Follow all paths from a function's entry, once per window in ``entries``.

    Raises TooManyPaths.
    """
    text = drawn.function.source.text
    tests = Counter(
        _key(text, n.expr) for n in nodes(drawn) if n.kind == TEST and n.expr
    )
    repeated = frozenset(key for key, count in tests.items() if count > 1)
    tested = frozenset(word for key in tests for word in _WORD.findall(key))
    run = Run(drawn, known, text, repeated, tested)
    for window in sorted(entries, key=repr):
        start = State(window)
        run.seen.add((id(drawn.entry), start))
        run.waiting.append((drawn.entry, start))
    while run.waiting:
        node, state = run.waiting.pop()
        _visit(run, node, state)
    return run.outcome


def _key(text: str, expr: Expr) -> str:
    return canonical(text[expr.start : expr.end])


def _visit(run: Run, node: Node, state: State) -> None:
    if node.kind == TEST:
        _visit_test(run, node, state)
        return
    if node.kind == ENTER:
        _visit_scope(run, node, state)
        return
    for word in sorted(node.words):
        state = state.changed(word, None)
        run.go(node, run.graph.labels.get(word), state)
    if node.expr is not None:
        for event in events(node.expr, run.known.helpers):
            state = happen(run, node, state, event)
    if node.kind == RETURN:
        _visit_return(run, node, state)
        return
    run.go(node, node.then, state)


def _visit_test(run: Run, node: Node, state: State) -> None:
    if node.expr is None:
        run.go(node, node.then, state)
        run.go(node, node.other, state)
        return
    begun = begin_of(node.expr, run.known.helpers)
    if begun is not None:
        _visit_begin(run, node, state, *begun)
        return
    for event in events(node.expr, run.known.helpers):
        state = happen(run, node, state, event)
    for truth, target in ((True, node.then), (False, node.other)):
        after = _assume(run, node.expr, truth, state)
        if after is not None:
            run.go(node, target, after)


def _visit_begin(
    run: Run, node: Node, state: State, call: Call, begin: Begin, when: bool
) -> None:
    """Follow both branches of a condition that is a begin."""
    for child in call.arguments:
        for event in events(child, run.known.helpers):
            state = happen(run, node, state, event)
    nested(run, state, call.start, "a begin")
    taken, failed = (node.then, node.other) if when else (node.other, node.then)
    run.go(node, taken, state.put(opened(run, call.start, begin)))
    run.go(node, failed, _unopened(state, call.start))


def _unopened(state: State, at: int) -> State:
    """The state after a failed begin: a window open before it is still open."""
    if state.window.kind == CLOSED:
        return state.put(Window(CLOSED, at, failed=FAILED))
    return replace(state, pending=None)


def _assume(run: Run, expr: Expr, truth: bool, state: State) -> State | None:
    """The state if a condition has this value; None if it cannot have it."""
    if isinstance(expr, Binary) and expr.operator == "=":
        expr = expr.left
    pending = state.pending
    if pending is not None and isinstance(expr, Name) and expr.text == pending.variable:
        if truth is pending.when:
            return state.put(pending.window)
        return _unopened(state, pending.window.at)
    decided = _decided(expr, state)
    if decided is not None:
        return state if decided is truth else None
    key = _key(run.text, expr)
    if (key, not truth) in state.facts:
        return None
    if state.window.kind == CLOSED and _is_kernel(expr) is truth:
        state = state.put(Window(KERNEL))
    if key in run.repeated:
        state = replace(state, facts=state.facts | {(key, truth)})
    return state


def _is_kernel(expr: Expr) -> bool | None:
    """The value of a condition for kernel addresses; None if it does not tell."""
    if isinstance(expr, Call) and isinstance(expr.function, Name):
        return True if expr.function.text == KERNEL_TEST else None
    if isinstance(expr, Binary) and isinstance(expr.right, Name):
        if expr.right.text in USER_LIMITS:
            return {">=": True, ">": True, "<": False, "<=": False}.get(expr.operator)
    return None


def _decided(expr: Expr, state: State) -> bool | None:
    """The value of a condition on a variable last set to a constant; None if unknown."""
    if isinstance(expr, Name):
        if expr.text in ("true", "false"):
            return expr.text == "true"
        value = state.value(expr.text)
        return None if value is None else value not in ("0", "false", "NULL")
    if (
        isinstance(expr, Binary)
        and expr.operator in ("<", ">=")
        and isinstance(expr.left, Name)
        and getattr(expr.right, "text", "") == "0"
    ):
        value = state.value(expr.left.text)
        if value is None or not (value == "0" or value.startswith("-")):
            return None
        return (value != "0") is (expr.operator == "<")
    return None


def _visit_scope(run: Run, node: Node, state: State) -> None:
    scope = node.scope
    assert scope is not None and isinstance(node.expr, Call)
    *arguments, label = node.expr.arguments or (node.expr,)
    for child in arguments:
        for event in events(child, run.known.helpers):
            state = happen(run, node, state, event)
    nested(run, state, node.at, "a scoped window")
    if isinstance(label, Name):
        closed = state.put(Window(CLOSED, node.at, failed=JUMPED))
        run.go(node, run.graph.labels.get(label.text), closed)
    flavour = SCOPES[scope.name]
    run.go(node, node.then, state.put(Window(OPEN, node.at, flavour, scope=scope)))


def _visit_return(run: Run, node: Node, state: State) -> None:
    pending = state.pending
    if pending is not None and not (
        isinstance(node.expr, Name) and node.expr.text == pending.variable
    ):
        state = untested(run, state)
    window = state.left(node.scopes).window
    value = _value(node.expr, state) if node.expr is not None else None
    run.outcome.exits.add(Exit(node.at, value, window, bool(state.saved)))


def _value(expr: Expr, state: State) -> bool | None:
    """The truth of a returned constant, or variable set to one; None if unknown."""
    constant = constant_of(expr)
    if constant is not None:
        return constant not in ("0", "false", "NULL")
    return _decided(expr, state)
