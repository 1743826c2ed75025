# SPDX-License-Identifier: GPL-2.0
"""Apply each event to the state of user access, and report the rules it violates."""

import re
from dataclasses import replace

from hotcocci.c.constants import macros_named
from hotcocci.c.expression import Call, uncast
from hotcocci.c.flow import BasicBlock
from hotcocci.findings import READ, WRITE
from hotcocci.tree.kernel import OPENS, may_sleep
from hotcocci.windows.events import (
    END_OF,
    RETURN,
    Accessed,
    Begin,
    Called,
    Ended,
    Event,
    Hidden,
    Opened,
    Saved,
    begin_of,
    permits,
)
from hotcocci.windows.outcome import (
    CALLER,
    CLOSED,
    DROP,
    KERNEL,
    OPEN,
    REPLACE,
    Exit,
    Fix,
    OpenCall,
    Pending,
    Run,
    State,
    Window,
)

# Why a window is closed
JUMPED = "jumped"
FAILED = "failed"


def apply_event(run: Run, block: BasicBlock, state: State, event: Event) -> State:
    """The state after an event."""
    if isinstance(event, Opened):
        return _on_open(run, block, state, event)
    if isinstance(event, Ended):
        return _on_end(run, state, event)
    if isinstance(event, Saved):
        return _on_save(state, event)
    if isinstance(event, Accessed):
        return _on_access(run, block, state, event)
    if isinstance(event, Called):
        return _on_call(run, block, state, event)
    if isinstance(event, Hidden):
        run.lost(event.at, event.why)
        return state
    if not event.direct:
        return state
    value = event.value if event.name in run.tested else None
    pending, state = state.pending, state.changed(event.name, value)
    if pending is not None and event.copied and event.copied == pending.variable:
        if event.copied in run.tested:
            run.lost(event.at, "the result of its begin is in two variables")
        return replace(state, pending=replace(pending, variable=event.name))
    return state


def _on_open(run: Run, block: BasicBlock, state: State, event: Opened) -> State:
    nested(run, state, event.at, f"{event.name}()")
    begun = opened(run, event.at, event.begin)
    if event.returns or event.labels:
        failed = unopened(state, event.at)
        if event.returns:
            left = failed.left(block.scopes).window
            run.outcome.exits.add(Exit(event.at, None, left))
        for label in event.labels:
            run.jump(block, label, failed)
        return state.put(begun)
    if event.into is not None:
        return replace(state, pending=Pending(event.into, event.when is True, begun))
    whole = uncast(block.expr) if block.expr is not None else None
    if isinstance(whole, Call) and whole.start == event.at and not whole.arguments:
        return state.put(begun)  # A statement without a result, before 5.0
    is_ignored = isinstance(whole, Call) and whole.start == event.at
    if is_ignored and not block.returns and not event.begin.stores:
        run.report("UW01", event.at, f"the result of {event.name}() is ignored", None)
        return state.put(begun)
    if event.begin.masked:
        if event.when is None:
            run.outcome.masking.add(event.name)
        if (name := _unread(run, event)) is not None:
            run.report(
                "UW01",
                event.at,
                f"nothing reads {name}, the result of {event.name}()",
                None,
            )
        return state.put(begun)
    # A returned result tells the caller; any other use is not followed.
    if block.returns and whole and begin_of(whole, run.known.helpers) is not None:
        return state
    run.lost(event.at, f"what becomes of the result of {event.name}() is not clear")
    return state.put(Window(CALLER))


def _unread(run: Run, event: Opened) -> str | None:
    """The new variable that has the result of a begin, if the function names it nowhere else."""
    body = run.graph.function.body
    before = run.text[body.start : event.at]
    declared = re.search(r"\*\s*(\w+)\s*=\s*$", before)
    if declared is None or re.search(r"[;{}]\s*\*[^;{}]*$", before):
        return None
    named = re.findall(rf"\b{declared[1]}\b", run.text[body.start : body.end])
    return declared[1] if len(named) == 1 else None


def _on_end(run: Run, state: State, event: Ended) -> State:
    if state.pending is not None:
        state = untested(run, state)
    window = state.window
    if window.kind in (CALLER, KERNEL) or window.inherited:
        run.outcome.ended.add(event.flavour)
        return state.put(Window(CALLER))
    if window.kind == CLOSED:
        if window.failed == JUMPED:
            message = f"{event.name}() after the fault label of a scope, which has already closed its window"
            run.report("UW16", event.at, message, window.at, Fix(DROP))
        elif window.failed == FAILED:
            message = f"{event.name}() is reached after a failed begin"
            run.report("UW02", event.at, message, window.at)
            _failed_path(run, window, event.name)
        else:
            message = f"{event.name}() is reached with no window open"
            run.report("UW02", event.at, message, window.at or None)
        return state
    if window.scope is not None:
        message = f"{event.name}() inside a scope, which closes its own window"
        run.report("UW02", event.at, message, window.at)
    elif not _matches(window, event.flavour):
        message = f"{event.name}() ends a window that needs {END_OF[window.flavour]}()"
        fix = Fix(REPLACE, END_OF[window.flavour])
        run.report("UW03", event.at, message, window.at, fix)
    run.outcome.ends.add((event.at, window.at))
    return state.put(Window(CLOSED, event.at))


def _matches(window: Window, end: str) -> bool:
    """Whether an end fits the window's flavour, or without one, the accesses in it."""
    if window.any_end:
        return all(permits(end, direction) for direction in window.directions)
    return window.flavour == end


def _failed_path(run: Run, window: Window, name: str) -> None:
    run.report("UW01", window.at, f"{name}() is reached if this begin fails", None)


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


def _on_access(run: Run, block: BasicBlock, state: State, event: Accessed) -> State:
    if state.pending is not None:
        state = untested(run, state)
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
                what = "reading" if window.flavour == READ else "writing"
                does = {READ: "reads", WRITE: "writes"}.get(
                    direction, "reads and writes"
                )
                run.report(
                    "UW04",
                    event.at,
                    f"{event.name}() {does} in a window opened for {what} only",
                    window.at,
                )
    run.use(window, event.name)
    state = state.used(frozenset(event.directions))
    for label in event.labels:
        run.jump(block, label, state, JUMPED)
    if event.returns:
        run.outcome.exits.add(Exit(event.at, None, state.left(block.scopes).window))
    return state


def _on_call(run: Run, block: BasicBlock, state: State, event: Called) -> State:
    window = state.window
    run.use(window, event.name)
    helper = run.known.helpers.get(event.name)
    if helper is not None and helper.lost:
        run.lost(event.at, helper.lost)
    for name in (event.name, *(helper.calls if helper is not None else ())):
        if name in run.known.functions:
            run.outcome.calls.setdefault(name, set()).add(window)
            state = state.used(run.known.functions[name])
    if event.name == RETURN or helper is not None and helper.returns:
        run.outcome.exits.add(Exit(event.at, None, state.left(block.scopes).window))
    for label in event.labels:
        run.jump(block, label, state, JUMPED)
    if window.kind == CLOSED and helper is not None and helper.accesses:
        # The file's own functions are followed themselves.
        if event.name not in run.known.functions:
            run.report("UW21", event.at, f"{event.name}() outside any window", None)
    if window.kind != OPEN:
        return state
    if _is_elsewhere(run, block, event):
        run.lost(event.at, f"{event.name}() is defined elsewhere")
    for name in (event.name, *(helper.calls if helper is not None else ())):
        # The accesses of the file's own functions are reported where they are.
        flavour = "" if name in run.known.functions else window.flavour
        call = OpenCall(name, event.at, window.at, event.last, flavour)
        run.outcome.open_calls.add(call)
    if event.name in OPENS or (helper is not None and helper.opens):
        nested(run, state, event.at, f"{event.name}()")
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
            "access_ok() inside a window: no barrier between the check and the access",
            window.at,
        )
    return state


def _is_elsewhere(run: Run, block: BasicBlock, event: Called) -> bool:
    """Whether a statement is a macro of a file that includes this one, as it seems."""
    if not event.name.isupper() or block.is_test or block.expr is None:
        return False
    if block.expr.start != event.at:
        return False
    return not macros_named(run.known.root, run.known.file, event.name)


def opened(run: Run, at: int, begin: Begin) -> Window:
    """The window that a begin opens."""
    any_end = run.known.one_flavour and begin.masked
    return Window(OPEN, at, begin.flavour, any_end)


def unopened(state: State, at: int) -> State:
    """The state after a failed begin: a window open before it is still open."""
    if state.window.kind == CLOSED:
        return state.put(Window(CLOSED, at, failed=FAILED))
    return replace(state, pending=None)


def nested(run: Run, state: State, at: int, what: str) -> None:
    """Report UW10 if something opens user access that is already open."""
    if state.window.kind == OPEN:
        run.report(
            "UW10", at, f"{what} inside a window closes the outer one", state.window.at
        )


def untested(run: Run, state: State) -> State:
    """Report a begin whose result is not tested, and return the state in which it did not fail."""
    assert state.pending is not None
    pending, window = state.pending, state.pending.window
    run.report(
        "UW01",
        window.at,
        "the result of this begin is not tested before user memory is accessed",
        None,
    )
    if pending.variable is not None:
        state = state.changed(pending.variable, "1" if pending.when else "0")
    return state.put(window)
