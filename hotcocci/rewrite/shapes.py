# SPDX-License-Identifier: GPL-2.0
"""The shapes of fault tests and exits that a window can replace.

A and C  `if (a || b) return -EFAULT;`, one or several
D        the same with `goto out`
E        `ret = a; if (ret) return ret;`, and `if (!ret) ret = b;`
B        `err = a; err |= b; if (err) return -EFAULT;`
R        `return a;`
"""

import re
from dataclasses import dataclass, replace

from hotcocci.c.source import tokenize
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.exits import FAULT, Exit, read_continued
from hotcocci.rewrite.liveness import constant_before, reads_after, reads_at_label
from hotcocci.rewrite.options import SCOPED
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
    RunStatement,
    fits_window,
)
from hotcocci.rewrite.window import SPLIT, Exits, Refusal, obstacle

# An errno is stored, and a label jumped to that returns it.
_PRESET = re.compile(r"(?P<preset>(?P<name>\w+) = -?[A-Z]\w*;) goto (?P<label>\w+);")
RETURN_FAULT = ("return -EFAULT;",)
STOPS = "stops at the first fault; the old code went on"


def exits_of(run: Run, context: Context) -> Exits | Refusal:
    """Return the shape of a run, or why it has none."""
    found = _exits(run, context)
    return found if isinstance(found, Refusal) else _with_preset(run, found, context)


def _with_preset(run: Run, exits: Exits, context: Context) -> Exits:
    """Set the errno before the window, where that lets it jump to a label of the function."""
    match = _PRESET.fullmatch(" ".join(exits.on_fault))
    if match is None or match["label"] not in context.labels:
        return exits
    name = match["name"]
    if any(name in text for text in exits.on_success):
        return exits
    if reads_after(context, name, run.sequence[exits.stop].syntax):
        return exits
    for index in range(run.first, exits.stop + 1):
        statement = run.sequence[index]
        if index in exits.dropped:
            continue
        kept = [(o.start, o.end) for o in statement.operands]
        if any(o.access not in run.accesses for o in statement.operands):
            return exits
        if not statement.accesses:
            if statement.form != PURE:
                return exits  # an early exit, which returns the errno of before
            kept = [(statement.start, statement.end)]
        if any(context.mentions(name, *part) for part in kept):
            return exits
    return replace(exits, preset=match["preset"], on_fault=(f"goto {match['label']};",))


def _exits(run: Run, context: Context) -> Exits | Refusal:
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


def _chains(run: Run, context: Context) -> Exits | Refusal:
    exits = [
        s.exit for s in run.statements if s.accesses and s.exit and s.form == CHAIN
    ]
    for exit_ in exits:
        if exit_.calls and not exit_.leaves and context.options.api != SCOPED:
            # The call would be made at three places: here, on a failed begin, after the label.
            return Refusal("fault-handled", context.line(exit_))
        if exit_.key != exits[0].key:
            return Refusal("different-exits", context.line(exit_))
    last = run.statements[-1]
    returns = last.form == RETURN
    if returns and exits and exits[0].value != FAULT:
        return Refusal("different-exits", last.line)
    on_fault = exits[0].statements if exits else RETURN_FAULT
    target = exits[0].target if exits else None
    shape = "D" if target else ("R" if not exits else "C" if len(exits) > 1 else "A")
    note = (
        "the exit's other statements are written twice" if len(on_fault) > 2 else None
    )
    if any(s.tries_all for s in run.statements):
        note = STOPS
    return Exits(
        shape,
        on_fault,
        ("return 0;",) if returns else (),
        run.last,
        (),
        target,
        None,
        note,
    )


@dataclass(frozen=True)
class _Outcome:
    """The code after one access: the exit on a fault, and its test, which is dropped.

    ``returns`` is set if the function returns the access's result in any case.
    """

    on_fault: tuple[str, ...]
    target: str | None = None
    test: int | None = None
    returns: bool = False


def _tested(run: Run, context: Context) -> Exits | Refusal:
    """`ret = a; if (ret) …`: each access is followed by its test."""
    outcomes: list[_Outcome] = []
    variable = None
    index = run.first
    while index <= run.last:
        statement = run.sequence[index]
        if not statement.accesses:
            if not fits_window(statement):
                return obstacle(statement.start, statement.end, context, SPLIT)
            index += 1
            continue
        if variable not in (None, statement.variable or variable):
            return Refusal("different-exits", statement.line)
        variable = statement.variable or variable
        outcome = _outcome(run, index, context)
        if isinstance(outcome, Refusal):
            return outcome
        outcomes.append(outcome)
        if outcome.on_fault != outcomes[0].on_fault:
            return Refusal("different-exits", statement.line)
        index = (index if outcome.test is None else outcome.test) + 1
    dropped = tuple(o.test for o in outcomes if o.test is not None)
    stop = max([run.last, *dropped])
    on_success: tuple[str, ...] = ()
    if outcomes[-1].returns:
        on_success = ("return 0;",)
    elif variable and reads_after(context, variable, run.sequence[stop].syntax):
        on_success = _zeroed(context, variable, run, stop)
    last = outcomes[-1]
    return Exits("E", last.on_fault, on_success, stop, dropped, last.target, variable)


def _zeroed(context: Context, variable: str, run: Run, stop: int) -> tuple[str, ...]:
    """Set an error variable to 0, unless it is 0 before the run; ``stop`` is the last statement with it."""
    start, end = run.sequence[run.first].start, run.sequence[stop].end
    if constant_before(context, variable, start, end) == "0":
        return ()
    return (f"{variable} = 0;",)


def _narrow(statement: RunStatement) -> Refusal:
    detail = f"{statement.variable} is of a type that does not hold -EFAULT"
    return Refusal("fault-handled", statement.line, detail)


def _outcome(run: Run, index: int, context: Context) -> _Outcome | Refusal:
    """The code after the access at an index of the sequence."""
    statement = run.sequence[index]
    exit_ = statement.exit
    test = None
    if statement.form == RETURN:
        return _Outcome(RETURN_FAULT, returns=True)
    if statement.form == ASSIGN:
        following = _at(run, index + 1)
        if following is not None and following.variable == statement.variable:
            if following.form == RETURN_VARIABLE:
                if not context.holds_errno(following.variable or ""):
                    return _narrow(following)
                return _Outcome(RETURN_FAULT, test=index + 1, returns=True)
            if following.form == TEST:
                exit_, test = following.exit, index + 1
        if exit_ is None and index == run.last:
            exit_ = read_continued(context.source, statement.syntax, None)
    if exit_ is None:
        return Refusal("work-before-test", statement.line)
    variable = statement.variable
    on_fault = _fault_exit(context, exit_, variable)
    if on_fault != exit_.statements and not context.holds_errno(variable or ""):
        return _narrow(statement)
    return _Outcome(on_fault, exit_.target, test)


def _at(run: Run, index: int) -> RunStatement | None:
    return run.sequence[index] if index < len(run.sequence) else None


def _fault_exit(context: Context, exit_: Exit, variable: str | None) -> tuple[str, ...]:
    """The statements of an exit where the error variable is known to be -EFAULT."""
    lines = exit_.statements
    if variable is None:
        return lines
    for line in lines:
        words = [token.text for token in tokenize(line)]
        if words[:2] == [variable, "="] and variable not in words[2:]:
            return lines
        if line == f"return {variable};":
            return (*lines[:-1], *RETURN_FAULT)
        chosen = re.fullmatch(rf"return {variable} \? ([-\w]+) : [^?:]+;", line)
        if chosen is not None:
            return (*lines[:-1], f"return {chosen[1]};")
        if line == f"return !{variable};":
            return (
                *lines[:-1],
                "return false;" if "bool" in context.returned else "return 0;",
            )
        if variable in words:
            return (f"{variable} = -EFAULT;", *lines)
    if exit_.target is not None and reads_at_label(context, variable, exit_.target):
        return (*lines[:-1], f"{variable} = -EFAULT;", lines[-1])
    return lines


def _collected(run: Run, context: Context, shape: str) -> Exits | Refusal:
    """`err = a; err |= b;` with the test right after the last one."""
    statements = [s for s in run.statements if s.accesses]
    variable = statements[0].variable
    assert variable is not None
    for statement in run.statements:
        if statement.accesses and statement.variable != variable:
            return Refusal("different-exits", statement.line)
        if not statement.accesses and statement.form != PURE:
            return Refusal("work-before-test", statement.line)
    first, last = statements[0], statements[-1]
    following = _at(run, run.last + 1)
    if following is not None and (
        following.variable != variable or following.form not in (TEST, RETURN_VARIABLE)
    ):
        following = None
    if following is not None:
        after = following.exit
    else:
        after = read_continued(context.source, last.syntax, None)
    if after is None:
        return Refusal("work-before-test", last.line)
    ending = last if following is None else following
    before = constant_before(context, variable, first.start, ending.end)
    fresh = first.form == ASSIGN or before == "0"
    if first.form == GUARDED and not fresh:
        detail = f"the accesses are only made if {variable} is 0 before"
        return Refusal("mixed-condition", first.line, detail)
    note = STOPS if shape == "B" and len(run.accesses) > 1 else None
    on_fault = _fault_exit(context, after, variable)
    returns = following is not None and following.form == RETURN_VARIABLE
    if returns:
        on_fault = RETURN_FAULT
    if on_fault != after.statements and not context.holds_errno(variable):
        return _narrow(first)
    made = Exits(shape, on_fault, (), run.last, (), after.target, None, note)
    if not fresh:
        return made
    on_success: tuple[str, ...] = ()
    if returns:
        on_success = ("return 0;",)
    elif reads_after(context, variable, ending.syntax):
        on_success = _zeroed(context, variable, run, run.last + (following is not None))
    made = replace(made, on_success=on_success, variable=variable)
    if following is None:
        return made
    return replace(made, stop=run.last + 1, dropped=(run.last + 1,))
