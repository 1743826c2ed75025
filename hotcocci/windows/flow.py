# SPDX-License-Identifier: GPL-2.0
"""Follow whether user access is open along every path of a function.

Conditions are correlated by their text: ``if (user) begin … if (user) end`` is balanced. Code
that cannot be followed gives no report. In ``if (n) begin … for (i = 0; i < n; i++) access … if (n) end``, no path has
the access without the begin, but nothing that is known of the variables says so: such a condition is found.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from hotcocci.c.expression import (
    Binary,
    Call,
    Expr,
    Literal,
    Name,
    assigned,
    canonical,
    names,
    root,
    uncast,
)
from hotcocci.c.flow import BasicBlock, Graph, Scope, forward, reachable, solve
from hotcocci.c.source import WORD
from hotcocci.windows.events import (
    ACCESSORS,
    BEGINS,
    ENDS,
    SCOPES,
    Begin,
    Helper,
    begin_of,
    constant_of,
    events,
    tested,
)
from hotcocci.windows.outcome import (
    ASSEMBLY,
    CLOSED,
    KERNEL,
    OPEN,
    Exit,
    Known,
    Outcome,
    Run,
    State,
    Window,
)
from hotcocci.windows.transitions import (
    JUMPED,
    apply_event,
    nested,
    opened,
    unopened,
    untested,
)

# Tests after which an address needs no window
KERNEL_TEST = "is_kernel_addr"
USER_LIMITS = frozenset({"TASK_SIZE", "TASK_SIZE_MAX", "USER_PTR_MAX"})

_NO_RETURN = frozenset({"BUG", "panic", "unreachable", "do_exit"})

# Limit of pairs of block and state per function; functions above it are reported as skipped
_MOST_STATES = 60_000
# How a comparison is spelled in facts: the operator, and whether sides and value are turned around
_SPELLED = {
    "==": ("==", False, False),
    "!=": ("==", False, True),
    ">": ("<", True, False),
    "<=": ("<", True, True),
    ">=": ("<", False, True),
}


def follow(graph: Graph, known: Known, entries: frozenset[Window]) -> Outcome:
    """Follow all paths from a function's entry, once per window in ``entries``.

    Raises TooManyPaths.
    """
    text = graph.function.source.text
    tests = [
        (_fact(known, text, b.expr)[0], (b.expr.children() or (b.expr,))[0].start)
        for b in graph.blocks
        if b.is_test and b.expr is not None
    ]
    # The cases of a switch are one test.
    operands = Counter(one for one, _ in {(_operand(key), at) for key, at in tests})
    returned = {
        canonical(text[b.expr.start : b.expr.end])
        for b in graph.blocks
        if b.returns and b.expr
    }
    repeated = frozenset(
        key for key, _ in tests if operands[_operand(key)] > 1 or key in returned
    )
    tested = frozenset(word for key, _ in tests for word in WORD.findall(key))
    run = Run(graph, known, text, repeated, tested)
    reached = _reached(run, entries)
    if run.outcome.is_unbalanced():
        unclear = undecided(
            graph, reached, known.helpers, lambda b, s: _is_known(run, b, s)
        )
        if unclear is not None:
            run.lost(unclear.at, "a condition decides whether it is open")
            run.outcome.conditional = True
    elif run.outcome.uses:
        unrelated = Run(graph, known, text, frozenset(), frozenset())
        _reached(unrelated, entries)
        run.outcome.conditional = unrelated.outcome.is_unbalanced()
    return run.outcome


def _reached(run: Run, entries: frozenset[Window]) -> list[tuple[BasicBlock, State]]:
    def transfer(block: BasicBlock, state: State) -> list[tuple[BasicBlock, State]]:
        run.following = []
        _visit(run, block, state)
        return run.following

    windows = sorted(entries, key=repr)
    starts = [(run.graph.entry, State(window)) for window in windows]
    return solve(starts, transfer, _MOST_STATES)


def _fact(known: Known, text: str, expr: Expr, truth: bool = True) -> tuple[str, bool]:
    """A condition with a value, spelled one way: ``a != b`` is a false ``a == b``."""
    if isinstance(expr, Binary) and expr.operator in _SPELLED:
        operator, swapped, negated = _SPELLED[expr.operator]
        sides = [
            known.constant(canonical(text[e.start : e.end]))
            for e in (expr.left, expr.right)
        ]
        left, right = reversed(sides) if swapped else sides
        return f"{left}{operator}{right}", truth is not negated
    return canonical(text[expr.start : expr.end]), truth


def _visit(run: Run, block: BasicBlock, state: State) -> None:
    if block.is_test:
        _visit_test(run, block, state)
        return
    if block.enters is not None and block.enters.name in SCOPES:
        _visit_scope(run, block, block.enters, state)
        return
    if block.asm:
        run.use(state.window, ASSEMBLY)
    for name in block.asm:
        state = state.changed(name, None)
    if block.expr is not None:
        state = _evaluate(run, block, block.expr, state)
    if block.returns:
        _visit_return(run, block, state)
    if block.expr is not None and block.expr.callee in _NO_RETURN:
        return
    for edge in block.edges:
        run.go(block, edge.target, state)


def _evaluate(run: Run, block: BasicBlock, expr: Expr, state: State) -> State:
    for event in events(expr, run.known.helpers):
        state = apply_event(run, block, state, event)
    return state


def _visit_test(run: Run, block: BasicBlock, state: State) -> None:
    assert block.expr is not None
    begun = begin_of(block.expr, run.known.helpers)
    if begun is not None:
        _visit_begin(run, block, state, *begun)
        return
    state = _evaluate(run, block, block.expr, state)
    for edge in block.edges:
        after = _assume(run, block.expr, edge.value is True, state)
        if after is not None:
            run.go(block, edge.target, after)


def _visit_begin(
    run: Run, block: BasicBlock, state: State, call: Call, begin: Begin, when: bool
) -> None:
    """Follow both branches of a condition that is a begin."""
    for child in call.arguments:
        state = _evaluate(run, block, child, state)
    nested(run, state, call.start, "a begin")
    taken = state.put(opened(run, call.start, begin))
    failed = unopened(state, call.start)
    for edge in sorted(block.edges, key=lambda edge: edge.value is not when):
        run.go(block, edge.target, taken if edge.value is when else failed)


def _assume(run: Run, expr: Expr, truth: bool, state: State) -> State | None:
    """The state if a condition has this value; None if it cannot have it."""
    if isinstance(expr, Binary) and expr.operator == "=":
        expr = expr.left
    pending = state.pending
    tested = _tests(expr)
    if pending is not None and tested is not None and tested[0] == pending.variable:
        value = truth is tested[1]
        if value is pending.when:
            state = state.put(pending.window)
        else:
            state = unopened(state, pending.window.at)
        return state.changed(tested[0], "1" if value else "0")
    decided = _decided(run.known, expr, state)
    if decided is not None:
        return state if decided is truth else None
    if state.window.kind == CLOSED and _is_kernel(expr) is truth:
        state = state.put(Window(KERNEL))
    key, truth = _fact(run.known, run.text, expr, truth)
    if (key, not truth) in state.facts or _excluded(key, truth, state):
        return None
    if key in run.repeated:
        state = replace(state, facts=state.facts | {(key, truth)})
    return state


def _is_known(run: Run, block: BasicBlock, state: State) -> bool:
    """Whether a condition has only one value in a state."""
    if not block.is_test or block.expr is None:
        return False
    return None in (_assume(run, block.expr, each, state) for each in (True, False))


def _tests(expr: Expr) -> tuple[str, bool] | None:
    """The variable whose truth a condition tests, and the truth that makes it true."""
    variable, truth = tested(expr) or (expr, True)
    return (variable.text, truth) if isinstance(variable, Name) else None


def _differ(one: str, other: str) -> bool:
    """Whether these are two numbers, or two names that stand for none that is known, which differ."""
    kinds = (str.isdigit, str.isupper)
    return one != other and any(kind(one) and kind(other) for kind in kinds)


def _operand(key: str) -> str:
    """The operand that a condition compares with a constant or tests."""
    return key.removeprefix("0<").partition("==")[0]


def _excluded(key: str, truth: bool, state: State) -> bool:
    """Whether a condition cannot have this value, as the other facts about its operand say."""
    operand, equals, constant = key.partition("==")
    if equals:
        same = (other.partition("==") for other, true in state.facts if true)
        return truth and any(o == operand and _differ(c, constant) for o, _, c in same)
    # What is above 0 is not 0.
    zero, _, above = key.partition("<")
    if zero == "0":
        return truth and (above, False) in state.facts
    return not truth and (f"0<{key}", True) in state.facts


def _is_kernel(expr: Expr) -> bool | None:
    """The value of a condition for kernel addresses; None if it does not tell."""
    if isinstance(expr, Call):
        return True if expr.callee == KERNEL_TEST else None
    if isinstance(expr, Binary) and isinstance(expr.right, Name):
        if expr.right.text in USER_LIMITS:
            return {">=": True, ">": True, "<": False, "<=": False}.get(expr.operator)
    return None


def _decided(known: Known, expr: Expr, state: State) -> bool | None:
    """The value of a constant condition, or of one on a variable last set to a constant; None if unknown."""
    if isinstance(expr, (Literal, Name)):
        own = expr.text in ("0", "1", "true", "false")
        value = expr.text if own else state.value(expr.text)
        return None if value is None else value not in ("0", "false", "NULL")
    if not isinstance(expr, Binary):
        return None
    value, other = (
        known.constant(text or "")
        for text in (state.value(expr.left.name), constant_of(expr.right))
    )
    if expr.operator in ("==", "!="):
        if value and value == other or _differ(value, other):
            return (value == other) is (expr.operator == "==")
    elif expr.operator in ("<", ">=") and other == "0":
        if value == "0" or value.startswith("-"):
            return (value != "0") is (expr.operator == "<")
    return None


def _visit_scope(run: Run, block: BasicBlock, scope: Scope, state: State) -> None:
    *arguments, label = scope.call.arguments or (scope.call,)
    for child in arguments:
        state = _evaluate(run, block, child, state)
    nested(run, state, block.at, "a scoped window")
    if isinstance(label, Name):
        closed = state.put(Window(CLOSED, block.at, failed=JUMPED))
        run.jump(block, label.text, closed)
    state = state.put(Window(OPEN, block.at, SCOPES[scope.name], scope=scope))
    for edge in block.edges:
        run.go(block, edge.target, state)


def _visit_return(run: Run, block: BasicBlock, state: State) -> None:
    pending = state.pending
    if pending is not None and block.name != pending.variable:
        state = untested(run, state)
    window = state.left(block.scopes).window
    begun = begin_of(block.expr, run.known.helpers) if block.expr is not None else None
    if begun is not None:
        # What a begin returns is returned: two ways out.
        call, begin, when = begun
        taken = opened(run, call.start, begin)
        run.outcome.exits.add(Exit(block.at, when, taken))
        run.outcome.exits.add(Exit(block.at, not when, window))
        return
    if pending is not None and state.pending is pending:
        run.outcome.exits.add(Exit(block.at, pending.when, pending.window))
        run.outcome.exits.add(Exit(block.at, not pending.when, window))
        return
    value = _value(run.known, block.expr, state) if block.expr is not None else None
    run.outcome.exits.add(Exit(block.at, value, window, bool(state.saved)))


def _value(known: Known, expr: Expr, state: State) -> bool | None:
    """The truth of a returned constant, or variable set to one; None if unknown."""
    constant = constant_of(uncast(expr))
    if constant is not None:
        return constant not in ("0", "false", "NULL")
    tested = (true for key, true in state.facts if key == expr.name)
    return next(tested, _decided(known, expr, state))


def undecided(
    graph: Graph,
    reached: Iterable[tuple[BasicBlock, State]],
    helpers: Mapping[str, Helper],
    is_known: Callable[[BasicBlock, State], bool],
) -> BasicBlock | None:
    """The first condition that tells an open window from a closed one; None if there is none.

    It is reached in both states, decides whether the window is used or ended, and has a name in common with
    another condition, or with what another sets, that decides whether it is opened. Where callers opened it, it
    tests what they gave. ``is_known`` tells whether a condition's value is known in a state.
    """
    windows: dict[BasicBlock, set[tuple[str, int]]] = {}
    for block, state in reached:
        if len(block.edges) > 1 and not is_known(block, state):
            windows.setdefault(block, set()).add((state.window.kind, state.window.at))
    conditions = [b for b in graph.blocks if len(b.edges) > 1 and b.expr is not None]
    decided = {b: _decided_by(b) for b in conditions}
    for block in conditions:
        own = decided[block]
        before = [
            (kind, at)
            for kind, at in windows.get(block, ())
            if not any(b.holds(at) for b in own)
        ]
        opened = {at for kind, at in before if kind == OPEN}
        closed = any(kind == CLOSED for kind, _ in before)
        assert block.expr is not None
        if not opened or not closed or begin_of(block.expr, helpers) is not None:
            continue
        if not _uses(own, helpers):
            continue
        tested = names(block.expr)
        function = graph.function
        head = function.source.text[function.start : function.body.start]
        own_begin = any(function.start < at < function.body.end for at in opened)
        if not own_begin and tested & {*WORD.findall(head)}:
            return block
        others = (b for b in conditions if b is not block)
        if any(
            tested & _told(other, decided[other], opened, helpers) for other in others
        ):
            return block
    return None


def _decided_by(block: BasicBlock) -> frozenset[BasicBlock]:
    """The blocks that only some of the edges of a condition lead to."""
    sides = [frozenset(reachable([edge.target], forward)) for edge in block.edges]
    return frozenset.union(*sides) - frozenset.intersection(*sides)


def _uses(blocks: Iterable[BasicBlock], helpers: Mapping[str, Helper]) -> bool:
    for name in {part.callee for block in blocks for part in block.parts()}:
        helper = helpers.get(name, Helper())
        if name in ACCESSORS or name in ENDS or helper.directions or helper.ends:
            return True
    return False


def _told(
    block: BasicBlock,
    decided: frozenset[BasicBlock],
    opened: set[int],
    helpers: Mapping[str, Helper],
) -> frozenset[str]:
    """The names that tell which way a condition went, if a begin depends on it."""
    assert block.expr is not None
    begin = begin_of(block.expr, helpers) is not None
    if not begin and not any(b.holds(at) for b in decided for at in opened):
        return frozenset()
    set_there = (
        root(target)
        for b in decided
        if b.expr is not None
        for target in assigned(b.expr)
    )
    found = frozenset(t.text for t in set_there if isinstance(t, Name))
    return found if begin else found | (names(block.expr) - BEGINS.keys())
