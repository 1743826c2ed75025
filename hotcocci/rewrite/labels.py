# SPDX-License-Identifier: GPL-2.0
"""The fault labels of windows, named in the style of the file."""

import re
from collections import Counter
from dataclasses import replace
from typing import TypeVar

from hotcocci.c.source import COMMENT
from hotcocci.c.syntax import LABELS, Statement, following
from hotcocci.findings import READ, READ_WRITE, WRITE, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.exits import texts
from hotcocci.rewrite.options import SCOPED
from hotcocci.rewrite.window import END, FaultLabel, Window, conditions_at

_LABEL = re.compile(r"^[ \t]*([A-Za-z_]\w*):(?!:)[ \t]*(?:$|/\*)", re.MULTILINE)
_CLOSES = re.compile(r"^(\w+):\s*user_(?:\w+_)?access_end\(", re.MULTILINE)
_FAULT = re.compile(r"(?:[a-z]+_)?[eE]?fault|uaccess_end|ua_end")
# What a label does before it returns (coding-style.rst, 7: names say what the goto does)
_CLEANUP = re.compile(r"\w*(unlock|free|put)\w*\(")
_SUFFIX = {READ: "read", WRITE: "write", READ_WRITE: "rw"}


AnyWindow = TypeVar("AnyWindow", bound=Window)

# checkpatch.pl asks for names without capitals there.
_STRICT = ("net/", "drivers/net/", "drivers/staging/")


def house_name(context: Context) -> str:
    """Return the name that this file would use for a fault label.

    One that closes a window (efault_end in kernel/rseq.c); a label with "fault" in its name;
    else the prefix that most labels share (``out_``, ``err_``); else efault.
    """
    if context.options.api != SCOPED:
        closing = _CLOSES.search(context.source.text)
        if closing is not None:
            return closing[1]
    found: list[str] = [
        m for m in _LABEL.findall(context.source.text) if m != "default"
    ]
    faults = Counter(n for n in found if _FAULT.fullmatch(n))
    if faults:
        name = faults.most_common(1)[0][0]
        return name.lower() if context.source.file.startswith(_STRICT) else name
    prefixes = Counter(n.split("_")[0] for n in found if "_" in n)
    for prefix in ("out", "err", "fail", "error"):
        if prefixes[prefix] * 2 > len(found):
            return f"{prefix}_fault"
    return "efault"


class FaultLabels:
    """The fault labels of a function's windows: equal exits share one.

    Their names are added to ``taken``.
    """

    def __init__(self, context: Context, taken: set[str]) -> None:
        self._context = context
        self._taken = taken
        self._known: dict[tuple[str, tuple[str, ...], tuple[str, ...]], FaultLabel] = {}
        self._places: set[int] = set()

    def labelled(self, window: AnyWindow, several: bool, last: bool) -> AnyWindow:
        """A window with its label.

        If a function has ``several`` directions of windows, labels name theirs. ``last``
        is set if no other label follows it.
        """
        context, exits = self._context, window.exits
        scoped = context.options.api == SCOPED
        key = ("" if scoped else window.direction, exits.on_fault, exits.guards)
        if key not in self._known:
            made = _there(context, window)
            if made is None and scoped:
                made = self._at_tail(window, alone=last and not self._known)
            self._known[key] = made or self._new(window, several and not scoped, last)
        return replace(window, label=self._known[key])

    def _at_tail(self, window: Window, alone: bool) -> FaultLabel | None:
        """The label of a scope, which needs no end, before the last statements of the function.

        A function without a result whose only label it is, if it is ``alone``, ends in it.
        """
        context, on_fault = self._context, window.exits.on_fault
        tail, lines = _tail(context, on_fault), ""
        if alone and on_fault == ("return;",) and tail is None and _ends_void(context):
            tail, lines = _last_line(context), f"{context.unit}return;\n"
        if tail is None or window.exits.guards:
            return None
        # No error label where everything else ends as well: perf_callchain_user32()
        fails = on_fault[-1].startswith("return -")
        before = context.body.children[-1 if lines else -len(on_fault) - 1]
        joins = not fails and _falls_through(before)
        if joins and "out" not in context.identifiers | self._taken:
            name = "out"
            self._taken.add(name)
        else:
            name = choose(context, self._taken, window.direction, on_fault, False)
        return FaultLabel(name, (Edit(tail, tail, f"{name}:\n{lines}"),))

    def _new(self, window: Window, several: bool, last: bool) -> FaultLabel:
        """A label before one of the function that continues its exit, or else at the end."""
        context, direction = self._context, window.direction
        on_fault, guards = window.exits.on_fault, window.exits.guards
        name = choose(context, self._taken, direction, on_fault, several)
        scoped, unit = context.options.api == SCOPED, context.unit
        end = [] if scoped else [f"{unit}{END[direction]}();"]
        for target in () if scoped or guards else context.labels:
            place = _place_before(context, target)
            if place is not None and place not in self._places:
                if _continues(context, target, on_fault):
                    self._places.add(place)
                    text = "\n".join((f"{name}:", *end, ""))
                    return FaultLabel(name, (Edit(place, place, text),))
        follows = not scoped or len(on_fault) > 1  # something, after the label
        if last and follows and on_fault[-1:] == ("return;",):
            on_fault = on_fault[:-1]  # no return needed at the end of a void function
        place = _last_line(context)
        before = [f"{unit}return;\n"] if _ends_void(context) else []
        exits = (f"{unit}{statement}" for statement in on_fault)
        closed = ("#endif" for _ in guards)
        text = "\n".join(("", *guards, f"{name}:", *end, *exits, *closed, ""))
        return FaultLabel(name, tuple(Edit(place, place, t) for t in (*before, text)))


def _label_statement(context: Context, name: str) -> Statement | None:
    """A label in the outermost block."""
    place = context.labels[name]
    return next((s for s in context.body.children if s.start == place), None)


def _there(context: Context, window: Window) -> FaultLabel | None:
    """A label of the function that leaves as a window has to, and closes it if it is no scope."""
    on_fault = window.exits.on_fault
    closes = (f"{END[window.direction]}();", *on_fault)
    for name, place in context.labels.items():
        if context.options.api == SCOPED:
            fits = _continues(context, name, on_fault)
        else:
            # In all configurations
            fits = _executes(context, name, closes) and not conditions_at(
                place, context
            )
        if fits:
            return FaultLabel(name)
    return None


def _continues(context: Context, name: str, on_fault: tuple[str, ...]) -> bool:
    """Whether an exit goes on at a label of the function, or does what follows it."""
    return on_fault == (f"goto {name};",) or _executes(context, name, on_fault)


def _executes(context: Context, name: str, on_fault: tuple[str, ...]) -> bool:
    """Whether the statements after a label are these, in the scope of the function's end."""
    label = _label_statement(context, name)
    if label is None or not label.children:
        return False
    parts = [label.children[0], *following(label)][: len(on_fault)]
    here = context.cleanups_at(label.start + 1)
    return (
        texts(context.source, parts) == on_fault
        and parts[-1].kind in ("return", "goto")
        and not context.source.has_directive(label.start, parts[-1].end)
        and here == context.cleanups_at(context.body.end - 1)
    )


def _tail(context: Context, on_fault: tuple[str, ...]) -> int | None:
    """The start of the last statements of the function, if they are these."""
    source, parts = context.source, context.body.children[-len(on_fault) :]
    if texts(source, parts) != on_fault or parts[-1].kind != "return":
        return None
    if source.has_directive(parts[0].start, context.body.end):
        return None
    place = source.line_starts[source.line_of(parts[0].start) - 1]
    return place if not source.code_between(place, parts[0].start) else None


def _last_line(context: Context) -> int:
    """The line that ends the function."""
    source = context.source
    return source.line_starts[source.line_of(context.body.end - 1) - 1]


def _place_before(context: Context, name: str) -> int | None:
    """The line of a label in the outermost block that nothing falls into from above."""
    label, siblings = _label_statement(context, name), context.body.children
    if label is None:
        return None
    for before in siblings[: siblings.index(label)][-1:]:
        between = context.source.tokens_between(before.end, label.start)
        if not _falls_through(before) and all(t.kind == COMMENT for t in between):
            return context.source.line_starts[context.line(label) - 1]
    return None


def choose(
    context: Context,
    taken: set[str],
    direction: str,
    on_fault: tuple[str, ...],
    several: bool,
) -> str:
    """Choose the label of one window, whose exit is the statements ``on_fault``.

    If a function has ``several`` windows, their labels name the direction.
    """
    house = house_name(context)
    cleanup = _CLEANUP.match(on_fault[0]) if len(on_fault) > 1 else None
    if cleanup is not None:
        house = f"{house}_{cleanup[1]}"
    if several:
        house = f"{house}_{_SUFFIX[direction]}"
    if house in context.labels:
        # As in fs/readdir.c: efault_end closes the window and falls through to efault.
        onward = on_fault == (f"goto {house};",) and context.options.api != SCOPED
        house = f"{house}_end" if onward else f"{house}_{_SUFFIX[direction]}"
    numbered = (f"{house}{number}" for number in range(2, 100))
    return context.free_name((house, *numbered), taken)


def _falls_through(last: Statement) -> bool:
    while last.kind in LABELS and last.children:
        last = last.children[0]
    return last.kind not in ("return", "goto")


def _ends_void(context: Context) -> bool:
    """Whether a function without a result goes on to its end."""
    void = "void" in context.returned and "*" not in context.returned
    return void and _falls_through(context.body.children[-1])
