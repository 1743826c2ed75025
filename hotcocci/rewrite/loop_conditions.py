# SPDX-License-Identifier: GPL-2.0
"""Conditions for putting one window around a loop, and the preparations it needs."""

from dataclasses import dataclass

from hotcocci.c.expression import (
    Binary,
    Expr,
    Index,
    Member,
    Name,
    assigned,
    calls,
    names,
    root,
    walk,
)
from hotcocci.c.model import INTEGER
from hotcocci.c.syntax import (
    LOOPS,
    Statement,
    condition,
    declarations,
    enclosing,
    expression,
)
from hotcocci.c.text import layout
from hotcocci.c.typed import plain, type_of
from hotcocci.findings import READ, WRITE
from hotcocci.rewrite import base as bases
from hotcocci.rewrite import conditions, context_conditions, hoisting, ranges
from hotcocci.rewrite.base import acting, has_checked_index, variable_indexes
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.liveness import dies, reads_after, reads_at_label
from hotcocci.rewrite.options import MASKED
from hotcocci.rewrite.runs import Count, Loop, Run, count, counter, is_element
from hotcocci.rewrite.shapes import exits_of
from hotcocci.rewrite.statements import (
    ACCUMULATE,
    TEST,
    RunStatement,
    UserAccess,
    fits_window,
    is_always_made,
)
from hotcocci.rewrite.window import (
    ACTING,
    IN_LOOP,
    UNUSED_LABEL,
    Exits,
    Refusal,
    Window,
    conditional,
    obstacle,
    opened_for,
    split_by_directive,
)


@dataclass(frozen=True, kw_only=True)
class LoopWindow(Window):
    """The window around a loop.

    ``skip`` is the condition for opening it, if the loop may have no iteration.
    """

    loop: Loop
    count: Count
    skip: str | None


def judge_loop(loop: Loop, context: Context) -> LoopWindow | Refusal | None:
    """Return the window for a loop, or a refusal with the first condition it fails.

    None for a loop over bytes that copies none: it looks for one in a write() of a byte or two, as watchdog
    drivers look for a 'V'.
    """
    run, source = loop.run, context.source
    line = source.line_of(run.accesses[0].start)
    refusal = conditions.no_gain(run, context) or _body(loop, context)
    if refusal is not None:
        return refusal
    trips = count(loop, context)
    if trips is None:
        return Refusal(_uncounted(loop, context), source.line_of(loop.statement.start))
    if trips.value is not None:
        number = trips.value * len(run.accesses)
        if number < context.options.min_run:
            return conditions.too_few(context, number, run.accesses[0].start)
    statement = loop.statement
    refusal = (
        split_by_directive(statement.start, statement.end, context)
        or conditional(statement.start, context, UNUSED_LABEL)
        or _iterations(loop, trips, context)
    )
    if refusal is not None:
        return refusal
    if any(s.form == ACCUMULATE for s in run.sequence):
        return Refusal("fault-handled", line)
    exits = exits_of(run, context)
    if isinstance(exits, Refusal):
        # The test is a statement of its own.
        own = exits.reason == "work-before-test"
        return Refusal("loop-form", exits.line) if own else exits
    if exits.on_success:
        return Refusal("fault-handled", line)
    if _is_counter_used(loop, trips.variable, exits, context):
        detail = f"{trips.variable} may be used after the loop, and has no value where the window is not opened"
        return Refusal("loop-form", line, detail)
    refusal = context_conditions.of_exits(run, context, exits)
    if refusal is not None:
        return refusal
    if len(run.accesses) > 1:
        return Refusal("loop-form", line)
    if _of_bytes(run.accesses[0], context):
        return Refusal("copies-bytes", line) if array_of(loop, context) else None
    if run.accesses[0].value.is_zero and run.direction == WRITE:
        return Refusal("writes-zeroes", line)
    return _window(loop, trips, exits, context)


def array_of(loop: Loop, context: Context) -> str | None:
    """The array whose elements a loop reads or writes one by one, with no gap; None if it does not, or they differ in size."""
    run, access = loop.run, loop.run.accesses[0]
    element, base = _element(run, context), access.base
    if len(run.accesses) > 1 or not isinstance(element, Index):
        return None
    index = context.of(element.index)
    if index != counter(context.source, loop.statement) or index in _changed(loop):
        return None
    for statement in run.sequence:
        goes_on = statement.form == TEST or statement.syntax.kind == "expression"
        if statement.accesses:
            # Where another test leads may be in the loop.
            tested = any(operand.access is None for operand in statement.operands)
            goes_on = is_always_made(statement) and not tested
        if not goes_on:
            return None
    elements = (f"&{base.key}[{index}]", f"{base.key}+{index}")
    if context.key(access.pointer) not in elements:
        return None
    if not isinstance(element.object, (Name, Member)):
        return None
    array = type_of(*context.where, element.object, context.types) or ""
    kernel, bounds, _ = array.partition("[")
    user, star, rest = context.types.get(base.key, "").partition("*")
    if not bounds or not star or rest.strip():
        return None
    same = user.strip() and _sizes(user, context) == _sizes(kernel, context)
    return f"{context.of(element.object)}[]" if same else None


def _element(run: Run, context: Context) -> Expr:
    """The element read or written in each round: a variable that is stored at once stands for where it is stored."""
    value = run.accesses[0].value
    *_, access, last = (None, *run.sequence)
    follows = access is not None and access.accesses and not last.accesses
    if not value.name or not follows or last.syntax.kind != "expression":
        return value
    stored = expression(context.source, last.syntax)
    if isinstance(stored, Binary) and stored.operator == "=":
        return stored.left if stored.right.name == value.name else value
    return value


def _sizes(type_: str, context: Context) -> object:
    """The property that one copy needs to be equal: the sizes of an integer, else its type as written."""
    written = plain(type_)
    found = layout(*context.where, written)
    if found is not None and found.kind == INTEGER:
        return found.sizes
    return written.split()


def _body(loop: Loop, context: Context) -> Refusal | None:
    """Refuse a body with more than accesses through one base and statements without calls."""
    run = loop.run
    first = run.accesses[0]
    for statement in run.sequence:
        others = statement.accesses and any(
            o.access is None for o in statement.operands
        )
        if others or not statement.accesses and not fits_window(statement):
            return _other_statement(statement, context)
    for access in run.accesses:
        line = context.line(access)
        if access.base.key != first.base.key:
            detail = (
                f"{access.access.name}() at line {line} goes through another pointer"
            )
            return Refusal("second-base", line, detail)
        if assigned(access.value) or any("_user" in e.name for e in walk(access.value)):
            return Refusal("side-effect-argument", line)
        macro = acting(access.value, context) or acting(access.pointer, context)
        if macro is not None:
            return Refusal("side-effect-argument", line, ACTING.format(macro, line))
        if calls(access.value):
            return obstacle(access.value.start, access.value.end, context, IN_LOOP)
        if access.base.through_cast or access.base.kind == bases.CAST:
            return Refusal("cast-pointer", line)
        if access.base.kind != bases.PLAIN or not context.owns(access.base.text):
            detail = f"{access.base.text} is no local variable"
            return Refusal("base-in-call", line, detail)
    own = first.base.names
    inside = [
        d for d in context.declared if loop.body.start < d[0].start < loop.body.end
    ]
    declared = next((d for d in inside if any(t.text in own for t in d)), None)
    if declared is not None:
        line = context.line(declared[0])
        detail = f"{first.base.text} is declared in the loop body (line {line})"
        return Refusal("base-changes", line, detail)
    if _changed(loop) & own:
        detail = f"{first.base.text} changes in the loop body, other than by {first.base.text}++ in the access"
        return Refusal("base-changes", context.line(first), detail)
    return ranges.moved_by_others(run, context)


def _other_statement(statement: RunStatement, context: Context) -> Refusal:
    """Refuse other statements in the body of a loop."""
    if not statement.accesses:
        return obstacle(statement.start, statement.end, context, IN_LOOP)
    operand = next(o for o in statement.operands if o.access is None)
    found = obstacle(operand.start, operand.end, context, IN_LOOP)
    if found.reason == "call-between":
        return found
    detail = f"the condition at line {found.line} tests something else as well"
    return Refusal("mixed-condition", found.line, detail)


def _changed(loop: Loop) -> set[str]:
    """The variables that the body assigns, except by increments in accesses."""
    targets = [target for _, target in loop.run.stores]
    targets += [a.value for a in loop.run.accesses if a.direction == READ]
    return {name for target in targets for name in names(root(target))}


def _uncounted(loop: Loop, context: Context) -> str:
    """Why a loop without a trip count is not rewritten: its form, or it polls one word."""
    head = context.source.code_between(loop.statement.start, loop.body.start)
    for access in loop.run.accesses:
        own = access.base.names
        moves = access.base.place == bases.STEP or access.base.index is None
        moves = moves or any(t.text in own for t in head)
        if moves or variable_indexes(access.pointer) or access.direction != READ:
            return "loop-form"
    return "double-fetch"


def _iterations(loop: Loop, trips: Count, context: Context) -> Refusal | None:
    """Refuse unless each iteration accesses another element within the range."""
    source = context.source
    line = source.line_of(loop.run.accesses[0].start)
    changed = _changed(loop)
    if trips.variable in changed or names(trips.bound) & changed and not trips.constant:
        return Refusal("loop-form", line)
    if not trips.constant and not (
        isinstance(trips.bound, Name) and context.declared_times(trips.bound.text)
    ):
        detail = f"{trips.text} is neither a constant nor a local variable"
        return Refusal("loop-form", line, detail)
    if not trips.constant and not _counts(trips, context):
        detail = f"{trips.variable} and {trips.text} differ in sign or width, or {trips.text} may be wider than size_t"
        return Refusal("loop-form", line, detail)
    for access in loop.run.accesses:
        line = source.line_of(access.start)
        if access.base.place == bases.STEP:
            if not source.of(access.pointer).endswith("++"):
                return Refusal("base-changes", line)
            if reads_after(context, access.base.text, loop.statement):
                detail = f"{access.base.text} is used after the loop, and would be where it was before"
                return Refusal("base-changes", line, detail)
            continue
        fixed = access.base.index is not None
        member = fixed and variable_indexes(access.pointer)
        if member or not (fixed or is_element(access, trips.variable)):
            return Refusal("variable-index", line)
        if fixed and access.direction == READ:
            return Refusal("double-fetch", line)
        if fixed:
            detail = (
                f"each iteration writes to the same place, {source.of(access.pointer)}"
            )
            return Refusal("loop-form", line, detail)
    return None


def _is_counter_used(loop: Loop, name: str, exits: Exits, context: Context) -> bool:
    """Whether the value that a loop leaves in its counter may be read; one of ``for (int i = …)`` is not."""
    if context.declared_times(name) > 1 and _is_last_use(loop, name, context):
        return name in exits.names
    return context.declared_times(name) > 0 and (
        name in exits.names
        or reads_after(context, name, loop.statement)
        or exits.target is not None
        and reads_at_label(context, name, exits.target)
    )


def _is_last_use(loop: Loop, name: str, context: Context) -> bool:
    """Whether a loop is the last use of a counter in the block that declares it, and no other loop is around it there."""
    for around in enclosing(loop.statement):
        if around.kind in LOOPS:
            return False
        if around.kind == "block" and any(
            declares(d, name) for d in declarations(context.source, around)
        ):
            return not context.mentions(name, loop.statement.end, around.end)
    return False


def _counts(trips: Count, context: Context) -> bool:
    """Whether a variable counts up to a bound that is no wider than size_t, or negative in no iteration."""
    counter, bound = map(context.integer, (trips.variable, trips.text))
    if counter is None or bound is None or bound.sizes == (8, 8, 8):
        return False
    wide = all(a >= min(b, 4) for a, b in zip(counter.sizes, bound.sizes))
    return wide and (counter.signed is not False or bound.signed is False)


def _window(
    loop: Loop, trips: Count, exits: Exits, context: Context
) -> LoopWindow | Refusal:
    first = loop.run.accesses[0]
    base = first.base.text
    if context.options.api == MASKED and not hoisting.assignable(context, base):
        return Refusal("base-in-call", context.line(first))
    notes = ["one window for the whole loop"]
    if has_checked_index(first.value, context):
        notes.append(
            "an array is indexed in the window: its UBSAN bounds check must fold away"
        )
    if first.direction == READ and not dies(first, context):
        kept = context.of(first.value)
        notes.append(f"on a fault {kept} keep the old value instead of 0")
    decisions = list(conditions.built_without_gain(loop.statement, context))
    skip = None
    size = f"{trips.text} * sizeof(*{base})"
    if not trips.constant:
        size = f"array_size({trips.text}, sizeof(*{base}))"
        known = context.integer(trips.text)
        unsigned = known is not None and known.signed is False
        skip = trips.text if unsigned else f"{trips.text} > 0"
        if _is_known(skip, trips.text, loop.statement, context):
            skip = None
        else:
            notes.append("the window is skipped if the loop makes no iteration")
            sure = "never 0" if skip == trips.text else "always positive"
            decisions.append(f"if {trips.text} is {sure}, drop the test")
    return LoopWindow(
        loop.run,
        exits,
        opened_for(loop.run.direction, context.options),
        base,
        size,
        loop.run.first,
        tuple(notes),
        tuple(decisions),
        loop=loop,
        count=trips,
        skip=skip,
    )


def _is_known(test: str, name: str, loop: Statement, context: Context) -> bool:
    """Whether a loop follows ``if (test)`` with the variable unchanged in between."""
    source = context.source
    tokens = context.tokens
    if any(a.text == "&" and b.text == name for a, b in zip(tokens, tokens[1:])):
        return False
    statement = loop
    while (parent := statement.parent) is not None and parent.kind in ("block", "if"):
        if parent.kind == "if" and statement is parent.children[0]:
            tested = condition(source, parent)
            if source.of(tested).strip() == test:
                between = context.mentions(name, tested.end, loop.start)
                entered = (
                    tested.end < at < loop.start for at in context.labels.values()
                )
                return not between and not any(entered)
        statement = parent
    return False


def _of_bytes(access: UserAccess, context: Context) -> bool:
    """Whether the pointer of an access is to bytes, so that their number is the size."""
    type_ = ranges.pointed(access, context)
    if type_ is None:
        return False
    found = layout(*context.where, type_)
    return found is not None and found.kind == INTEGER and set(found.sizes) == {1}
