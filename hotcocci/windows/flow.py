# SPDX-License-Identifier: GPL-2.0
"""Whether user access is open, followed along every path of a function.

Correlated conditions are followed as far as their text shows it: ``if (user) begin … if (user)
end`` is balanced. What cannot be followed is silent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from hotcocci.c.expression import Binary, Call, Cast, Expr, Name, canonical
from hotcocci.findings import READ, WRITE
from hotcocci.rules.windows import OPENS, may_sleep
from hotcocci.windows.events import (
    Accessed,
    Called,
    Ended,
    Event,
    Helper,
    Opened,
    Saved,
    begin_of,
    constant_of,
    events,
)
from hotcocci.windows.graph import ENTER, RETURN, TEST, Graph, Node, nodes
from hotcocci.windows.state import CALLER, CLOSED, KERNEL, OPEN, Pending, State, Window
from hotcocci.windows.vocabulary import END_OF, SCOPES, Begin, permits

# Points of paths in one function; more than this is given up, and told.
MOST_STATES = 60_000
# How a violation is put right
REPLACE = "replace"
BEFORE = "before"
DROP = "drop"
JUMPED = "jumped"
FAILED = "failed"
# Tests after which an address needs no window
KERNEL_TEST = "is_kernel_addr"
USER_LIMITS = frozenset({"TASK_SIZE", "TASK_SIZE_MAX", "USER_PTR_MAX"})


class TooManyPaths(Exception):
    """A function with more paths than can be followed."""


@dataclass(frozen=True)
class Fix:
    """What puts a statement right: the end that belongs before it or in its place, or none."""

    how: str
    end: str = ""


@dataclass(frozen=True)
class Violation:
    """A rule that is broken at an offset. ``begin`` is where the window was opened, if anywhere.

    ``fix`` is for the statement that begins at the offset, where it is mechanical.
    """

    rule: str
    at: int
    message: str
    begin: int | None = None
    fix: Fix | None = None


@dataclass(frozen=True)
class OpenCall:
    """A call that is made with user access open on some path, as `Called` has it."""

    name: str
    at: int
    begin: int
    known_size: bool


@dataclass(frozen=True)
class Exit:
    """A way out of a function: where, whether the value is true if that is known, the window."""

    at: int
    value: bool | None
    window: Window
    missing_restore: bool = False


@dataclass
class Outcome:
    """What following all paths of a function has shown.

    ``calls`` are the windows with which other functions of the file are called, ``ended`` the
    flavours of the ends that end a caller's window, ``accesses`` those in a window of its own, with
    its begin.
    """

    violations: dict[tuple[str, int], Violation] = field(default_factory=dict)
    open_calls: set[OpenCall] = field(default_factory=set)
    exits: set[Exit] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    accesses: set[tuple[int, int]] = field(default_factory=set)
    calls: dict[str, set[Window]] = field(default_factory=dict)


@dataclass(frozen=True)
class Known:
    """What holds for all functions of a file.

    ``functions`` are those of the file whose callers matter, with the directions of the accesses
    in each; ``one_flavour`` says that the tree's masked begin has no flavours.
    """

    helpers: Mapping[str, Helper]
    functions: Mapping[str, frozenset[str]]
    one_flavour: bool


@dataclass
class _Run:
    graph: Graph
    known: Known
    text: str
    repeated: frozenset[str]
    tested: frozenset[str]
    outcome: Outcome = field(default_factory=Outcome)
    waiting: list[tuple[Node, State]] = field(default_factory=list)
    seen: set[tuple[int, State]] = field(default_factory=set)

    def report(
        self,
        rule: str,
        at: int,
        message: str,
        begin: int | None,
        fix: Fix | None = None,
    ) -> None:
        found = Violation(rule, at, message, begin, fix)
        self.outcome.violations.setdefault((rule, at), found)

    def go(
        self, source: Node, target: Node | None, state: State, why: str = ""
    ) -> None:
        if target is None:
            return
        left = tuple(s for s in source.scopes if s not in target.scopes)
        state = state.left(left, why)
        if (id(target), state) in self.seen:
            return
        self.seen.add((id(target), state))
        if len(self.seen) > MOST_STATES:
            raise TooManyPaths
        self.waiting.append((target, state))


def follow(drawn: Graph, known: Known, entries: frozenset[Window]) -> Outcome:
    """Follow all paths from a function's start; raises TooManyPaths."""
    text = drawn.function.source.text
    tests = Counter(
        _key(text, n.expr) for n in nodes(drawn) if n.kind == TEST and n.expr
    )
    repeated = frozenset(key for key, count in tests.items() if count > 1)
    tested = frozenset(
        w for key in tests for w in key.replace("-", " ").split() if w.isidentifier()
    )
    run = _Run(drawn, known, text, repeated, tested)
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


def _visit(run: _Run, node: Node, state: State) -> None:
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
            state = _happen(run, node, state, event)
    if node.kind == RETURN:
        _visit_return(run, node, state)
        return
    run.go(node, node.then, state)


def _visit_test(run: _Run, node: Node, state: State) -> None:
    if node.expr is None:
        run.go(node, node.then, state)
        run.go(node, node.other, state)
        return
    begun = begin_of(node.expr, run.known.helpers)
    if begun is not None:
        _visit_begin(run, node, state, *begun)
        return
    for event in events(node.expr, run.known.helpers):
        state = _happen(run, node, state, event)
    for truth, target in ((True, node.then), (False, node.other)):
        after = _assume(run, node.expr, truth, state)
        if after is not None:
            run.go(node, target, after)


def _visit_begin(
    run: _Run, node: Node, state: State, call: Call, begin: Begin, when: bool
) -> None:
    """A begin that is tested where it stands."""
    for child in call.arguments:
        for event in events(child, run.known.helpers):
            state = _happen(run, node, state, event)
    _nested(run, state, call.start, "a begin")
    taken, failed = (node.then, node.other) if when else (node.other, node.then)
    run.go(node, taken, state.put(_opened(run, call.start, begin)))
    run.go(node, failed, _unopened(state, call.start))


def _unopened(state: State, at: int) -> State:
    """The state after a begin that failed: what was open before still is."""
    if state.window.kind == CLOSED:
        return state.put(Window(CLOSED, at, failed=FAILED))
    return replace(state, pending=None)


def _assume(run: _Run, expr: Expr, truth: bool, state: State) -> State | None:
    """The state if a condition is so; None if it cannot be so."""
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
    """The truth with which a condition says that an address is the kernel's."""
    if isinstance(expr, Call) and isinstance(expr.function, Name):
        return True if expr.function.text == KERNEL_TEST else None
    if isinstance(expr, Binary) and isinstance(expr.right, Name):
        if expr.right.text in USER_LIMITS:
            return {">=": True, ">": True, "<": False, "<=": False}.get(expr.operator)
    return None


def _decided(expr: Expr, state: State) -> bool | None:
    """Whether a condition holds, where the variable in it was set to something known."""
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


def _visit_scope(run: _Run, node: Node, state: State) -> None:
    scope = node.scope
    assert scope is not None and isinstance(node.expr, Call)
    *arguments, label = node.expr.arguments or (node.expr,)
    for child in arguments:
        for event in events(child, run.known.helpers):
            state = _happen(run, node, state, event)
    _nested(run, state, node.at, "a scoped window")
    if isinstance(label, Name):
        closed = state.put(Window(CLOSED, node.at, failed=JUMPED))
        run.go(node, run.graph.labels.get(label.text), closed)
    flavour = SCOPES[scope.name]
    run.go(node, node.then, state.put(Window(OPEN, node.at, flavour, scope=scope)))


def _visit_return(run: _Run, node: Node, state: State) -> None:
    pending = state.pending
    if pending is not None and not (
        isinstance(node.expr, Name) and node.expr.text == pending.variable
    ):
        state = _untested(run, state)
    window = state.left(node.scopes).window
    value = _value(node.expr, state) if node.expr is not None else None
    run.outcome.exits.add(Exit(node.at, value, window, bool(state.saved)))


def _value(expr: Expr, state: State) -> bool | None:
    """Whether a returned value is true, if it is a constant or a variable set to one."""
    constant = constant_of(expr)
    if constant is not None:
        return constant not in ("0", "false", "NULL")
    return _decided(expr, state)


def _opened(run: _Run, at: int, begin: Begin) -> Window:
    any_end = run.known.one_flavour and begin.masked
    return Window(OPEN, at, begin.flavour, any_end)


def _nested(run: _Run, state: State, at: int, what: str) -> None:
    if state.window.kind == OPEN:
        run.report(
            "UW10",
            at,
            f"{what} inside a window: it closes the outer one",
            state.window.at,
        )


def _untested(run: _Run, state: State) -> State:
    """A begin whose result nobody looks at."""
    assert state.pending is not None
    window = state.pending.window
    run.report(
        "UW01",
        window.at,
        "the result of this begin is not tested before user memory is accessed",
        None,
    )
    return state.put(window)


def _happen(run: _Run, node: Node, state: State, event: Event) -> State:
    if isinstance(event, Opened):
        return _on_open(run, node, state, event)
    if isinstance(event, Ended):
        return _on_end(run, state, event)
    if isinstance(event, Saved):
        return _on_save(state, event)
    if isinstance(event, Accessed):
        return _on_access(run, node, state, event)
    if isinstance(event, Called):
        return _on_call(run, node, state, event)
    value = event.value if event.name in run.tested else None
    return state.changed(event.name, value) if event.direct else state


def _on_open(run: _Run, node: Node, state: State, event: Opened) -> State:
    _nested(run, state, event.at, f"{event.name}()")
    opened = _opened(run, event.at, event.begin)
    if event.into is not None:
        return replace(state, pending=Pending(event.into, event.when, opened))
    whole = node.expr
    while isinstance(whole, Cast):
        whole = whole.operand
    if isinstance(whole, Call) and whole.start == event.at and node.kind != RETURN:
        run.report("UW01", event.at, f"the result of {event.name}() is ignored", None)
        return state.put(opened)
    if event.begin.masked:
        return state.put(opened)
    # Its caller is told whether it is open now, or something that is not followed here.
    return state if node.kind == RETURN else state.put(Window(CALLER))


def _on_end(run: _Run, state: State, event: Ended) -> State:
    if state.pending is not None:
        state = _untested(run, state)
    window = state.window
    if window.kind in (CALLER, KERNEL) or window.inherited:
        run.outcome.ended.add(event.flavour)
        return state.put(Window(CALLER))
    if window.kind == CLOSED:
        if window.failed == JUMPED:
            message = f"{event.name}() behind the fault label of a scope, which has ended itself"
            run.report("UW16", event.at, message, window.at, Fix(DROP))
        elif window.failed == FAILED:
            message = f"{event.name}() is reached after a begin that failed"
            run.report("UW02", event.at, message, window.at)
            _failed_path(run, window, event.name)
        else:
            message = f"{event.name}() is reached with no window open"
            run.report("UW02", event.at, message, window.at or None)
        return state
    if window.scope is not None:
        message = f"{event.name}() inside a scope, which ends itself"
        run.report("UW02", event.at, message, window.at)
    elif not _matches(window, event.flavour):
        message = (
            f"{event.name}() ends a window that {END_OF[window.flavour]}() has to end"
        )
        fix = Fix(REPLACE, END_OF[window.flavour])
        run.report("UW03", event.at, message, window.at, fix)
    return state.put(Window(CLOSED, event.at))


def _matches(window: Window, end: str) -> bool:
    """Whether an end is of the window's flavour, or of what was done in one without flavours."""
    if window.any_end:
        return all(permits(end, direction) for direction in window.directions)
    return window.flavour == end


def _failed_path(run: _Run, window: Window, name: str) -> None:
    run.report(
        "UW01", window.at, f"{name}() is reached where this begin has failed", None
    )


def _on_save(state: State, event: Saved) -> State:
    if not event.restored:
        return replace(
            state,
            saved=(*state.saved, state.window),
            window=Window(CLOSED),
            pending=None,
        )
    if not state.saved:
        return state.put(Window(CALLER))
    return replace(state, saved=state.saved[:-1], window=state.saved[-1])


def _on_access(run: _Run, node: Node, state: State, event: Accessed) -> State:
    if state.pending is not None:
        state = _untested(run, state)
    window = state.window
    if window.kind == CLOSED:
        why = " (its begin failed)" if window.failed == FAILED else ""
        run.report(
            "UW21",
            event.at,
            f"{event.name}() outside any window{why}",
            window.at or None,
        )
        if window.failed == FAILED:
            _failed_path(run, window, event.name)
    elif window.kind == OPEN:
        if not window.inherited:
            run.outcome.accesses.add((event.at, window.at))
        for direction in event.directions:
            if not permits(window.flavour, direction):
                opened = "reading" if window.flavour == READ else "writing"
                does = {READ: "reads", WRITE: "writes"}.get(
                    direction, "reads and writes"
                )
                run.report(
                    "UW04",
                    event.at,
                    f"{event.name}() {does} in a window opened for {opened} only",
                    window.at,
                )
    state = state.used(frozenset(event.directions))
    for label in event.labels:
        run.go(node, run.graph.labels.get(label), state, JUMPED)
    return state


def _on_call(run: _Run, node: Node, state: State, event: Called) -> State:
    window = state.window
    helper = run.known.helpers.get(event.name)
    for name in (event.name, *(helper.calls if helper is not None else ())):
        if name in run.known.functions:
            run.outcome.calls.setdefault(name, set()).add(window)
            state = state.used(run.known.functions[name])
    if helper is not None and helper.returns:
        run.outcome.exits.add(Exit(event.at, None, state.left(node.scopes).window))
    for label in event.labels:
        run.go(node, run.graph.labels.get(label), state, JUMPED)
    if window.kind != OPEN:
        return state
    for name in (event.name, *(helper.calls if helper is not None else ())):
        call = OpenCall(name, event.at, window.at, event.known_size)
        run.outcome.open_calls.add(call)
    if event.name in OPENS or (helper is not None and helper.opens):
        _nested(run, state, event.at, f"{event.name}()")
    elif may_sleep(event.name):
        run.report(
            "UW09",
            event.at,
            f"{event.name}() may sleep with user access open",
            window.at,
        )
    elif event.name == "access_ok":
        run.report(
            "UW22",
            event.at,
            "access_ok() inside a window: no barrier stands between it and the access",
            window.at,
        )
    return state
