# SPDX-License-Identifier: GPL-2.0
"""Read a window that a begin opens and ends close, in the forms that a scope can replace."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hotcocci.c.expression import (
    Call,
    Literal,
    Name,
    Unary,
    assigned,
    assignment,
    is_hint,
)
from hotcocci.c.parsing import parse_text
from hotcocci.c.syntax import (
    LABELS,
    Statement,
    condition,
    expression,
    following,
    innermost,
)
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.exits import Exit, read_exit, read_statements
from hotcocci.rewrite.liveness import constant_before
from hotcocci.rewrite.window import Refusal
from hotcocci.windows.events import BEGINS, ENDS, accessor_of, argument
from hotcocci.windows.outcome import Outcome


@dataclass(frozen=True)
class Begin:
    """``if (!begin(p, n)) leave;``, or that after ``if (can_do_masked_user_access())``.

    ``call`` is the begin that can fail, ``calls`` the offsets of all begins. ``exit`` is None
    if the begin is tested in another way.
    """

    statement: Statement
    call: Call
    calls: frozenset[int]
    exit: Exit | None


@dataclass(frozen=True)
class Classic:
    """A window: its begin, the code in it, the ends after that and at the fault label.

    ``early`` are ends in the window before a return or a jump out of it. ``stop`` is the offset after the code in
    the window; ``end`` ends the window where nothing faults, ``fault`` is the labelled end where something does,
    which may be the same. ``label`` is where its accesses jump to, ``target`` where a scope's should, and ``kept``
    is set if ``label`` is still needed.
    """

    begin: Begin
    end: Statement
    fault: Statement
    label: str
    stop: int
    accesses: tuple[Call, ...]
    early: tuple[Statement, ...]
    target: str = ""
    kept: bool = False

    def holds(self, at: int) -> bool:
        """Whether an offset is between the begin and the end."""
        return self.begin.statement.end <= at < self.stop


def begins(context: Context) -> Iterator[Begin]:
    """The begins of a function, those that are tested directly first."""
    seen: set[int] = set()
    for statement in context.function.statements:
        found = _begin(statement, context)
        if found is not None and found.call.start not in seen:
            seen |= found.calls
            yield found
    for part in context.graph.calls():
        begin = BEGINS.get(part.callee)
        if begin is not None and not begin.masked:
            if part.start not in seen:
                seen.add(part.start)
                statement = innermost(context.function, part.start)
                yield Begin(statement, part, frozenset({part.start}), None)


def read_window(begin: Begin, outcome: Outcome, context: Context) -> Classic | Refusal:
    """The window of a begin, or why it has another form."""
    source, line = context.source, context.line(begin.call)
    ends = {end for end, at in outcome.ends if at in begin.calls}
    others = {at for end, at in outcome.ends if end in ends} - begin.calls
    if others:
        return Refusal("shared-end", line)
    block = begin.statement.parent
    if begin.exit is None or block is None or block.kind != "block":
        return Refusal("other-form", line)
    if not ends:
        return Refusal("other-form", line)
    statements = {end: _end(end, context) for end in ends}
    after = following(begin.statement)
    normal = [
        (s, outer)
        for s in statements.values()
        if s is not None
        for outer in after
        if outer is s or s.parent is outer and outer.kind == "label"
    ]
    fault = [s for s in statements.values() if s is not None and label_of(s, context)]
    if not normal or not fault or None in statements.values():
        return Refusal("other-form", line)
    end, outer = min(normal, key=lambda pair: pair[0].start)
    early = tuple(
        s
        for s in statements.values()
        if s is not None
        and begin.statement.end <= s.start < outer.start
        and _leaves(s, context)
    )
    accesses = tuple(_accesses(context, begin.statement.end, outer.start))
    last = (argument(call, -1) for call in accesses)
    labels = {label.name if label is not None else "" for label in last}
    wanted = [s for s in fault if {label_of(s, context)} == labels]
    if len(wanted) != 1 or len({id(end), id(wanted[0])}) + len(early) != len(ends):
        return Refusal("exit-differs" if len(labels) > 1 else "other-form", line)
    window = Classic(
        begin,
        end,
        wanted[0],
        label_of(wanted[0], context),
        outer.start,
        accesses,
        early,
    )
    target, kept = _target(window, begin.exit, context)
    if not target:
        return Refusal("exit-differs", source.line_of(wanted[0].start))
    return replace(window, target=target, kept=kept)


def _begin(statement: Statement, context: Context) -> Begin | None:
    if statement.kind != "if" or not statement.children:
        return None
    test = condition(context.source, statement)
    if test.callee == "can_do_masked_user_access" and len(statement.children) == 2:
        inner = _begin(statement.children[1], context)
        masked = _masked(statement.children[0], context)
        if inner is None or masked is None or len(inner.calls) != 1:
            return None
        return Begin(statement, inner.call, inner.calls | {masked.start}, inner.exit)
    if len(statement.children) != 1:
        return None
    leave = read_exit(context.source, statement.children[0])
    while is_hint(test):
        test = test.arguments[0]
    if leave is None or not (isinstance(test, Unary) and test.operator == "!"):
        return None
    call = test.operand
    begin = BEGINS.get(call.callee)
    if not isinstance(call, Call) or begin is None or begin.masked:
        return None
    return Begin(statement, call, frozenset({call.start}), leave)


def _masked(statement: Statement, context: Context) -> Call | None:
    """The begin of ``p = masked_user_access_begin(p);``."""
    if statement.kind == "block" and len(statement.children) == 1:
        statement = statement.children[0]
    if statement.kind != "expression":
        return None
    name, value = assignment(expression(context.source, statement)) or ("", None)
    begin = BEGINS.get(value.callee) if value is not None else None
    if begin is None or not begin.masked or not isinstance(value, Call):
        return None
    pointer = argument(value, 0)
    return value if pointer is not None and pointer.name == name else None


def _end(at: int, context: Context) -> Statement | None:
    """The statement ``user_access_end();`` at an offset."""
    statement = innermost(context.function, at)
    if statement.kind != "expression" or statement.start != at:
        return None
    return statement if expression(context.source, statement).callee in ENDS else None


def label_of(statement: Statement, context: Context) -> str:
    """The label directly before a statement; empty if there is none."""
    parent = statement.parent
    if parent is None or parent.kind != "label":
        return ""
    return context.source.code_between(parent.start, parent.end)[0].text


def _accesses(context: Context, start: int, stop: int) -> Iterator[Call]:
    for part in context.graph.calls():
        if start <= part.start < stop:
            if part.callee.startswith("unsafe_") or accessor_of(part) is not None:
                yield part


def _target(window: Classic, leave: Exit, context: Context) -> tuple[str, bool]:
    """The label for a scope, and whether the old one stays; empty if the exits differ.

    A failed begin leaves at once; with a scope it goes to the label of the accesses.
    """
    begin, fault = window.begin, window.fault
    after, shared = _after(fault), window.end is fault
    if not after:
        return "", False
    first = after[0]
    if leave.calls or (leave.target and leave.variable):
        return "", False
    found = _exit_of(after, context)
    if found is not None and leave.target and found.target == leave.target:
        same = _sets_again(found, window, context)
        alone = not shared and _is_only_jumped_to(fault)
        return (leave.target, False) if same and alone else ("", False)
    if first.kind == "label" and leave.target:
        own = context.source.code_between(first.start, first.end)[0].text
        # The old label and its end go away, so nothing else may jump there.
        return (own, False) if own == leave.target and not shared else ("", False)
    if found is None or found.calls:
        return "", False
    if found.key == leave.key:
        if found.target is not None:
            return "", False
        return window.label, True
    at = begin.call.start
    initial = constant_before(context, found.variable or "", at, at)
    if leave.target is None and leave.value is not None and initial == leave.value:
        return window.label, True
    return "", False


def _after(statement: Statement) -> list[Statement]:
    """The statements after a labelled one."""
    return following(statement.parent) if statement.parent is not None else []


def _sets_again(found: Exit, window: Classic, context: Context) -> bool:
    """Whether ``err = -EFAULT; goto out;`` sets what ``err`` is in the whole window."""
    if found.calls or len(found.statements) != 2 or found.variable is None:
        return False
    set_inside = any(
        target.name == found.variable
        for _, part in context.graph.expressions()
        if window.holds(part.start)
        for target in assigned(part)
    )
    at = window.begin.call.start
    known = constant_before(context, found.variable, at, at)
    return known is not None and known == found.value and not set_inside


def _is_only_jumped_to(fault: Statement) -> bool:
    """Whether nothing runs into the label of a statement."""
    outer = fault.parent
    assert outer is not None and outer.parent is not None
    siblings = outer.parent.children
    before = siblings[: siblings.index(outer)]
    return bool(before) and before[-1].kind in ("return", "goto")


def dead(window: Classic) -> list[Statement]:
    """The statements after the fault label that only a fault led to, if the label goes."""
    after = _after(window.fault)
    if window.kept or not after or after[0].kind == "label":
        return []
    return _up_to_exit(after)


def _exit_of(statements: list[Statement], context: Context) -> Exit | None:
    """The exit that statements end in, with what they execute before."""
    path = _up_to_exit(statements)
    if not path:
        return read_exit(context.source, statements[0])
    return read_statements(context.source, path)


def _up_to_exit(statements: list[Statement]) -> list[Statement]:
    """The statements up to the first return or goto; none if there is neither."""
    exits = (n for n, s in enumerate(statements, 1) if s.kind in ("return", "goto"))
    return statements[: next(exits, 0)]


def _leaves(end: Statement, context: Context) -> bool:
    """Whether a jump or a plain return follows an end directly."""
    outer = end
    while outer.parent is not None and outer.parent.kind in LABELS:
        outer = outer.parent
    if outer.parent is None:
        return False
    jump = next((s for s in outer.parent.children if s.start >= end.end), None)
    if jump is None or jump.kind not in ("return", "goto"):
        return False
    leave = read_exit(context.source, jump)
    if leave is None or leave.target is not None:
        return leave is not None
    return leave.value is None or not _changes(leave.value)


def _changes(text: str) -> bool:
    """Whether a value is more than a constant."""
    return not isinstance(parse_text(text.removeprefix("-")), (Name, Literal))
