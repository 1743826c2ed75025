# SPDX-License-Identifier: GPL-2.0
"""Conditions for turning a run into a window, and the preparations it needs.

Each function is one condition. Rule numbers (W4, W11, …) are those of the window rules in the rulebook.
"""

import re
from dataclasses import replace

from hotcocci.c.expression import Index, Member, Unary, walk
from hotcocci.c.headers import reachable
from hotcocci.c.source import tokenize
from hotcocci.c.syntax import DECLARATION, Statement, branch_of, enclosing
from hotcocci.findings import READ_WRITE, Edit
from hotcocci.rewrite import base as bases
from hotcocci.rewrite import hoisting
from hotcocci.rewrite.asking import differences
from hotcocci.rewrite.context import Context, declares
from hotcocci.rewrite.context_conditions import (
    atomic,
    left_unchecked,
    possible_exits,
    redundant_check,
)
from hotcocci.rewrite.hoisting import hoist_base, hoist_values, pointed
from hotcocci.rewrite.liveness import reads_after
from hotcocci.rewrite.options import CLASSIC, SCOPED, Options
from hotcocci.rewrite.ranges import architecture_of, fetches, pointer, reseat, widths
from hotcocci.rewrite.runs import Run
from hotcocci.rewrite.statements import EARLY, TEST
from hotcocci.rewrite.window import (
    UNUSED_VARIABLE,
    Exits,
    Hoist,
    Refusal,
    Window,
    conditional,
    guards_at,
    has_windows,
    opened_for,
    split,
    split_by_directive,
)
from hotcocci.tree.kconfig import architectures_of

UNUSED = "{} is no longer used and is removed"
# xfs_getbmap_format(): what follows is only there for another ioctl.
_SUCCESS = re.compile(r"return(?: true| \d+)?;")


def judge(run: Run, context: Context, taken: set[str]) -> Window | Refusal:
    """Return the window for a run, or a refusal with the first condition it fails.

    ``taken`` are names introduced by other windows of the function; names introduced here are added to it.
    """
    run = hoisting.advance(reseat(run, context), context)
    exits = _possible(run, context)
    if isinstance(exits, Refusal):
        return exits
    notes = [exits.note] if exits.note else []
    hoists: list[Hoist] = []
    base = _prepared(run, context, taken, hoists, notes)
    if isinstance(base, Refusal):
        return base
    notes += differences(run, context, exits)
    exits = _moved(run, base, exits, context, notes)
    if isinstance(exits, Refusal):
        return exits
    begin = redundant_check(run, context, exits)
    later = left_unchecked(run, context) if begin < run.first else []
    for token in later:
        line = context.line(token)
        checked = token.text.removeprefix("__")
        notes.append(f"{token.text}() at line {line} becomes {checked}()")
    unused = unused_in(run, context, begin, exits)
    if unused:
        notes.append(UNUSED.format(exits.variable))
    refusal = _declared(run, exits, context, unused, hoists)
    refusal = refusal or _unsafe_form(run, context)
    if refusal is not None:
        return refusal
    asked = _left_early(run, base, exits, context, notes)
    if isinstance(asked, Refusal):
        return asked
    asked += [*_works(run, exits), *_called_sooner(run)]
    part = None
    if (pointed(run.accesses[0].base.expr, context) or "").startswith("union "):
        part = _part(run)
        wide = f"{base}->{part}" if part else "the union"
        notes.append(
            f"the window is as wide as {wide}, of which user space may have passed less"
        )
    remarks: tuple[str, ...] = ()
    if any(a.access.name.startswith("__") for a in run.accesses) and begin == run.first:
        remarks = ("the window checks the range itself",)
    asked += built_without_gain(run.statements[0].syntax, context)
    return Window(
        run,
        replace(exits, dropped=(*exits.dropped, *range(begin, run.first))),
        opened_for(run.direction, context.options),
        base,
        f"sizeof({base}->{part})" if part else _size(run, base),
        begin,
        tuple(dict.fromkeys(notes)),
        tuple(asked),
        remarks,
        tuple(hoists),
        removed=exits.variable if unused else None,
        # Masked begins and scopes change a variable.
        part=f"&{base}->{part}" if part and context.options.api == CLASSIC else None,
        checked=tuple(Edit(t.start, t.start + len("__"), "") for t in later),
    )


def _possible(run: Run, context: Context) -> Exits | Refusal:
    """The exits of a run, or the reason that no window can replace it as it is."""
    every = (no_gain, _directives, _split, _min_run, pointer, fetches, widths, atomic)
    refusals = (refuse(run, context) for refuse in every)
    return next(filter(None, refusals), None) or possible_exits(run, context)


def _prepared(
    run: Run, context: Context, taken: set[str], hoists: list[Hoist], notes: list[str]
) -> str | Refusal:
    """The base of a window; what must be evaluated before it is added to ``hoists``."""
    base = hoist_base(run, context, taken, hoists, notes)
    if isinstance(base, Refusal):
        return base
    refusal = hoist_values(run, context, taken, hoists, notes)
    if refusal is None and hoists and guards_at(run.statements[0].start, context):
        refusal = conditional(run.statements[0].start, context, UNUSED_VARIABLE)
    return base if refusal is None else refusal


def _moved(
    run: Run, base: str, exits: Exits, context: Context, notes: list[str]
) -> Exits | Refusal:
    """Move a pointer that the accesses advance after the window, if it is read then."""
    steps = sum(a.base.place == bases.STEP for a in run.accesses)
    if steps:
        notes.append("pointer increments become indexes")
        moved = run.accesses[0].base.text
        if reads_after(context, moved, run.sequence[exits.stop].syntax):
            return replace(exits, on_success=(f"{base} += {steps};", *exits.on_success))
    if hoisting.is_advancing(run) and not hoisting.leaves_pointer(run, exits):
        detail = f"the exit path may use {base}, which moved before the fault"
        return Refusal("base-changes", run.statements[0].line, detail)
    if not hoisting.is_advancing(run) or context.options.api != SCOPED:
        return exits
    moves, by = hoisting.moves(run, exits.stop, context)
    stop = max(exits.stop, *moves)
    read = reads_after(context, base, run.sequence[stop].syntax)
    after = ((f"{base} += {by};",) if read else ()) + exits.on_success
    return replace(exits, on_success=after, stop=stop, dropped=(*exits.dropped, *moves))


def _left_early(
    run: Run, base: str, exits: Exits, context: Context, notes: list[str]
) -> list[str] | Refusal:
    """The questions about exits between the accesses, which leave the window."""
    early = [
        s
        for i, s in enumerate(run.sequence)
        if run.first < i < run.last and i not in exits.dropped
        if s.form in (EARLY, TEST)
    ]
    if len(early) > 1 and context.options.api != SCOPED:
        detail = f"each of {len(early)} early exits between them would have to close the window"
        return Refusal("statement-between", early[0].line, detail)
    if early:
        notes.append(
            "an early exit between the accesses closes the window, which is as wide as for all of them"
        )
    leaving = [
        f"where line {s.line} leaves, all of *{base} has to be user memory now: acceptable?"
        for s in early
        if s.exit is not None and _SUCCESS.fullmatch(s.exit.statements[-1])
    ]
    moving = (
        f"consider moving the test at line {s.line} after the window" for s in early
    )
    return [*leaving, *moving]


def _works(run: Run, exits: Exits) -> list[str]:
    """Ask about statements between a read and a write that load from kernel memory."""
    if run.direction != READ_WRITE:
        return []
    return [
        f"line {statement.line} runs with user memory open: acceptable?"
        for statement, trees in run.between(exits.dropped)
        if any(isinstance(p, (Member, Index)) for tree in trees for p in walk(tree))
    ]


def _called_sooner(run: Run) -> list[str]:
    """Ask about calls in values that come before an access now: a fault there left them out."""
    calls = (c for a in run.accesses[1:] for c in bases.outside_calls(a.value))
    seen = (call.callee for call in calls if call.callee not in bases.READ)
    names = dict.fromkeys(f"{name}()" if name else "a call" for name in seen)
    return [
        f"{name} is made even if an earlier access faults: acceptable?"
        for name in names
    ]


def _declared(
    run: Run, exits: Exits, context: Context, unused: bool, hoists: list[Hoist]
) -> Refusal | None:
    """Refuse accesses in a declaration that must stay, or that needs another one before it."""
    first = run.statements[0]
    if first.syntax.kind != DECLARATION or (unused and not hoists):
        return None
    more = "is used otherwise" if not unused else "needs another variable before it"
    detail = f"the accesses are in the declaration of {first.variable}, which {more}"
    return Refusal("mixed-condition", first.line, detail)


def _directives(run: Run, context: Context) -> Refusal | None:
    """Refuse accesses in both branches of an #if: no configuration has all of them."""
    return split_by_directive(run.accesses[0].start, run.accesses[-1].end, context)


def _split(run: Run, context: Context) -> Refusal | None:
    """Refuse a run with other code between its accesses."""
    if run.split is not None:
        return split(run.split, context)
    parent = branch_of(run.statements[0].syntax)
    if parent is None or len(parent.children) == 1:
        return None
    detail = (
        f"in one branch of the if at line {context.line(parent)}, which has an else"
    )
    return Refusal("mixed-condition", run.statements[0].line, detail)


def no_gain(run: Run, context: Context) -> Refusal | None:
    """Refuse where a tree has no window to write, or opening it is only access_ok() and saves nothing."""
    reason = none_helps(context.source.file, context.options)
    return Refusal(reason, context.line(run.accesses[0])) if reason else None


def none_helps(file: str, options: Options) -> str:
    """The reason for which a window saves nothing in a file, empty if it may."""
    if not has_windows(options):
        return "no-window-api"
    arch = architecture_of(file, options)
    return (
        "" if arch is None or arch in options.features.gain_arches else "no-gain-arch"
    )


def built_without_gain(statement: Statement, context: Context) -> tuple[str, ...]:
    """Ask about drivers, and branches, of machines on which opening a window is only access_ok()."""
    options = context.options
    arches = _branch_for(statement, context)
    if arches is None:
        arches = architectures_of(options.root, context.source.file)
    if arches is None or arches & options.features.gain_arches:
        return ()
    names = ", ".join(sorted(arches)) or "no architecture"
    return (f"built for {names} only, where a window saves nothing: acceptable?",)


def _branch_for(statement: Statement, context: Context) -> frozenset[str] | None:
    """The architecture that an ``if`` around a statement asks for, as in skip_got_header()."""
    for around in enclosing(statement):
        if around.kind == "if":
            head = context.source.text[around.start : around.children[0].start]
            asked = re.search(r"\bIS_ENABLED\(CONFIG_(\w+)\)", head)
            if asked and asked[1].lower() in context.options.arches:
                return frozenset({asked[1].lower()})
    return None


def _min_run(run: Run, context: Context) -> Refusal | None:
    # A copy counts as the accesses that it becomes.
    number = sum(len(a.copied.members) if a.copied else 1 for a in run.accesses)
    number += sum(a.copied is not None and not a.copied.members for a in run.accesses)
    if number < context.options.min_run:
        return too_few(context, number, run.accesses[0].start)
    return None


def too_few(context: Context, number: int, start: int) -> Refusal:
    """Refuse a window with fewer accesses than --min-run."""
    accesses = "1 access is" if number == 1 else f"{number} accesses are"
    detail = f"{accesses} fewer than --min-run {context.options.min_run}"
    return Refusal("below-min-run", context.source.line_of(start), detail)


def _part(run: Run) -> str | None:
    """The member of a union that all accesses of a run are to members of."""
    found = set()
    for access in run.accesses:
        place = access.pointer
        if access.copied or not (isinstance(place, Unary) and place.operator == "&"):
            return None
        steps = bases.spine(place.operand)
        if len(steps) < 3 or not isinstance(steps[-2], Member):
            return None
        found.add(steps[-2].field)
    return found.pop() if len(found) == 1 else None


def _size(run: Run, base: str) -> str | None:
    """The size in elements, up to the furthest one accessed."""
    if hoisting.is_advancing(run):
        return hoisting.total(hoisting.sizes(run))
    if run.accesses[0].base.place == bases.STEP:
        count = len(run.accesses)
    else:
        count = max((a.base.index or 0) for a in run.accesses) + 1
    return None if count == 1 else f"{count} * sizeof(*{base})"


def unused_in(run: Run, context: Context, begin: int, exits: Exits) -> bool:
    """Whether only its declaration would still mention the error variable, if there is one."""
    variable = exits.variable
    start, end = run.sequence[begin].start, run.sequence[exits.stop].end
    added = (*exits.on_fault, *exits.on_success, exits.preset or "")
    if variable is None or any(
        t.text == variable for text in added for t in tokenize(text)
    ):
        return False
    inside = context.mentions(variable, start, end)
    everywhere = context.mentions(variable)
    declared = any(
        start <= d[0].start < end and declares(d, variable) for d in context.declared
    )
    return len(everywhere) - len(inside) == (0 if declared else 1)


def _unsafe_form(run: Run, context: Context) -> Refusal | None:
    """Refuse a function whose macro makes these accesses in a window that the caller opens."""
    name = context.function.name
    if not name.startswith("__") or len(run.accesses) < len(context.function.accesses):
        return None
    macro = f"unsafe_{name.lstrip('_')}"
    if not any(f"#define {macro}(" in file.text for file in reachable(*context.where)):
        return None
    detail = f"{macro}() makes these accesses in a window of the caller"
    return Refusal("unsafe-form", context.line(run.accesses[0]), detail)
