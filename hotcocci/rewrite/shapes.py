# SPDX-License-Identifier: GPL-2.0
"""The shapes of fault tests and exits that a window can replace.

A and C  `if (a || b) return -EFAULT;`, one or several
D        the same with `goto out`
E        `ret = a; if (ret) return ret;`, and `if (!ret) ret = b;`
B        `err = a; err |= b; if (err) return -EFAULT;`
R        `return a;`
"""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.rewrite.context import Context
from hotcocci.rewrite.exits import FAULT, Exit
from hotcocci.rewrite.loops import Loop
from hotcocci.rewrite.obstacles import SPLIT, obstacle
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.statements import (
    ACCUMULATE,
    ASSIGN,
    CHAIN,
    GUARDED,
    HANDLED,
    IGNORED,
    MIXED,
    PURE,
    RETURN,
    RETURN_VARIABLE,
    TEST,
    fits_window,
)
from hotcocci.rewrite.window import Refusal

RETURN_FAULT = ("return -EFAULT;",)
STOPS = (
    "after a fault the remaining accesses are no longer made"
    " (before, later ones were still tried)"
)


@dataclass(frozen=True)
class RunExits:
    """The exit path and the success path of a run, apart from its accesses.

    ``stop`` and ``dropped`` as in `Window`; ``target`` is the label of the error path,
    ``variable`` the error variable that is no longer used here.
    """

    shape: str
    on_fault: tuple[str, ...]
    on_success: tuple[str, ...]
    stop: int
    dropped: tuple[int, ...]
    target: str | None
    variable: str | None
    note: str | None = None


def exits_of(run: Run, context: Context) -> RunExits | Refusal:
    """Return the shape of a run, or why it has none."""
    forms = {s.form for s in run.statements if s.accesses}
    first = run.statements[0]
    for form, reason in (
        (IGNORED, "result-ignored"),
        (MIXED, "mixed-condition"),
        (HANDLED, "fault-handled"),
    ):
        statement = next((s for s in run.statements if s.form == form), None)
        if statement is not None:
            return Refusal(reason, statement.line)
    if forms <= {CHAIN, RETURN} and not any(
        s.variable for s in run.statements if s.accesses
    ):
        return _chains(run, context)
    if GUARDED in forms and forms <= {ASSIGN, GUARDED}:
        return _collected(run, context, "E")
    if ACCUMULATE in forms and forms <= {ASSIGN, ACCUMULATE}:
        return _collected(run, context, "B")
    if forms == {ASSIGN} and len([s for s in run.statements if s.accesses]) == 1:
        return _collected(run, context, "B")
    if forms <= {ASSIGN, CHAIN, RETURN}:
        return _tested(run, context)
    return Refusal("fault-handled", first.line)


def _source_lines(context: Context, exit_: Exit) -> tuple[str, ...]:
    text = context.source.text[exit_.start : exit_.end]
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _exit_refusal(exit_: Exit, variable: str | None) -> str | None:
    """Why an exit cannot move to a label: it returns another error."""
    if exit_.target is not None or exit_.value in (None, FAULT):
        return None
    if variable is not None and exit_.variable == variable:
        return None
    return "other-errno"


def _chains(run: Run, context: Context) -> RunExits | Refusal:
    exits = [
        s.exit for s in run.statements if s.accesses and s.exit and s.form == CHAIN
    ]
    for exit_ in exits:
        refusal = _exit_refusal(exit_, None)
        if refusal:
            return Refusal(refusal, context.source.line_of(exit_.start))
        if exit_.key != exits[0].key:
            return Refusal("different-exits", context.source.line_of(exit_.start))
    last = run.statements[-1]
    returns = last.form == RETURN
    if returns and exits and exits[0].value != FAULT:
        return Refusal("different-exits", last.line)
    on_fault = _source_lines(context, exits[0]) if exits else RETURN_FAULT
    target = exits[0].target if exits else None
    shape = "D" if target else ("R" if not exits else "C" if len(exits) > 1 else "A")
    note = (
        "the exit's other statements are written twice" if len(on_fault) > 2 else None
    )
    if any(s.tries_all for s in run.statements):
        note = STOPS
    return RunExits(
        shape,
        on_fault,
        ("return 0;",) if returns else (),
        run.last,
        (),
        target,
        None,
        note,
    )


def _tested(run: Run, context: Context) -> RunExits | Refusal:
    """`ret = a; if (ret) …`: each access is followed by its test."""
    on_fault: tuple[str, ...] | None = None
    key = None
    target = None
    variable = None
    dropped: list[int] = []
    on_success: tuple[str, ...] = ()
    index = run.first
    while index <= run.last:
        statement = run.sequence[index]
        if not statement.accesses:
            if not fits_window(statement):
                return obstacle(statement.start, statement.end, context, SPLIT)
            index += 1
            continue
        if statement.form == RETURN:
            on_success = ("return 0;",)
            outcome: tuple[str, ...] = RETURN_FAULT
        else:
            if statement.variable is not None and variable not in (
                None,
                statement.variable,
            ):
                return Refusal("different-exits", statement.line)
            variable = statement.variable or variable
            tested = statement if statement.form == CHAIN else None
            if tested is None and index + 1 < len(run.sequence):
                tested = run.sequence[index + 1]
                dropped.append(index + 1)
                index += 1
            if tested is None:
                return Refusal("work-before-test", statement.line)
            if tested.form == RETURN_VARIABLE and tested.variable == statement.variable:
                on_success = ("return 0;",)
                outcome = RETURN_FAULT
            elif tested.form in (TEST, CHAIN) and tested.variable == statement.variable:
                assert tested.exit is not None
                refusal = _exit_refusal(tested.exit, statement.variable)
                if refusal:
                    return Refusal(refusal, tested.line)
                outcome = _fault_exit(context, tested.exit, statement.variable)
                target = tested.exit.target
            else:
                return Refusal("work-before-test", statement.line)
        if on_fault not in (None, outcome):
            return Refusal("different-exits", statement.line)
        on_fault, key = outcome, outcome
        index += 1
    assert key is not None and on_fault is not None
    stop = max([run.last, *dropped])
    end = run.sequence[stop].end
    if variable and not on_success and context.reads_after(variable, end):
        on_success = (f"{variable} = 0;",)
    return RunExits("E", on_fault, on_success, stop, tuple(dropped), target, variable)


def _fault_exit(context: Context, exit_: Exit, variable: str | None) -> tuple[str, ...]:
    """The statements of an exit where the error variable is known to be -EFAULT."""
    if exit_.target is None and exit_.variable == variable and not exit_.calls:
        return RETURN_FAULT
    lines = _source_lines(context, exit_)
    if variable is None or exit_.variable == variable and exit_.target is not None:
        return lines
    if exit_.target is not None or exit_.variable == variable:
        return (f"{variable} = -EFAULT;", *lines)
    return lines


def _collected(run: Run, context: Context, shape: str) -> RunExits | Refusal:
    """`err = a; err |= b;` with the test right after the last one."""
    statements = [s for s in run.statements if s.accesses]
    variable = statements[0].variable
    assert variable is not None
    for statement in run.statements:
        if statement.accesses and statement.variable != variable:
            return Refusal("different-exits", statement.line)
        if not statement.accesses and statement.form != PURE:
            return Refusal("work-before-test", statement.line)
    following = run.sequence[run.last + 1] if run.last + 1 < len(run.sequence) else None
    if following is None or following.variable != variable:
        return Refusal("work-before-test", statements[-1].line)
    fresh = statements[0].form == ASSIGN or _known_zero(
        context, variable, statements[0].start, following.end
    )
    if following.form == RETURN_VARIABLE:
        on_fault: tuple[str, ...] = RETURN_FAULT
        on_success: tuple[str, ...] = ("return 0;",)
        target = None
    elif following.form == TEST:
        assert following.exit is not None
        refusal = _exit_refusal(following.exit, variable)
        if refusal:
            return Refusal(refusal, following.line)
        on_fault = _fault_exit(context, following.exit, variable)
        target = following.exit.target
        on_success = ()
        if fresh and context.reads_after(variable, following.end):
            on_success = (f"{variable} = 0;",)
    else:
        return Refusal("work-before-test", following.line)
    note = None
    if shape == "B" and len(run.accesses) > 1:
        note = STOPS
    if not fresh:
        return RunExits(shape, on_fault, (), run.last, (), target, None, note)
    return RunExits(
        shape,
        on_fault,
        on_success,
        run.last + 1,
        (run.last + 1,),
        target,
        variable,
        note,
    )


def _known_zero(context: Context, variable: str, start: int, end: int) -> bool:
    """Whether the error variable still has the 0 of its declaration at ``start``.

    Code after ``end``, where it is tested, may run first in another iteration.
    """
    before = context.mentions(variable, context.function.start, start)
    if len(before) != 1:
        return False
    if any(
        context.mentions(variable, end, last)
        for _, last in context.repeated_ranges(start)
    ):
        return False
    following = context.source.code_between(before[0].end, start)[:3]
    return [t.text for t in following[:2]] == ["=", "0"] and following[2].text in (
        ";",
        ",",
    )


def collected(loop: Loop, context: Context) -> RunExits | Refusal:
    """`err |= …` in every iteration, with the test right after the loop."""
    statements = [s for s in loop.run.sequence if s.accesses]
    first = statements[0]
    variable = first.variable
    if variable is None or any(
        s.form != ACCUMULATE or s.variable != variable for s in statements
    ):
        return Refusal("fault-handled", first.line)
    after = loop.after
    if after is None or after.variable != variable:
        return Refusal("work-before-test", first.line)
    fresh = _known_zero(context, variable, loop.statement.start, after.end)
    note = STOPS
    if after.form == RETURN_VARIABLE:
        on_fault: tuple[str, ...] = RETURN_FAULT
        target = None
        on_success: tuple[str, ...] = ("return 0;",)
    elif after.form == TEST and after.exit is not None:
        refusal = _exit_refusal(after.exit, variable)
        if refusal:
            return Refusal(refusal, after.line)
        on_fault, target = _fault_exit(context, after.exit, variable), after.exit.target
        kept = context.reads_after(variable, after.end)
        on_success = (f"{variable} = 0;",) if kept else ()
    else:
        return Refusal("work-before-test", after.line)
    if not fresh:
        return RunExits("F", on_fault, (), loop.run.last, (), target, None, note)
    return RunExits(
        "F", on_fault, on_success, loop.run.last, (-1,), target, variable, note
    )
