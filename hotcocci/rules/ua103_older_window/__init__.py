# SPDX-License-Identifier: GPL-2.0
"""UA103: find windows and range checks of an older or wider form, and their newer ones."""

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from hotcocci.c.expression import Binary, Call, Expr, assigned, assignment
from hotcocci.c.flow import BasicBlock, Edge, Graph, solve
from hotcocci.findings import READ_WRITE, Facts
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.options import MASKED, SCOPED, Options
from hotcocci.rewrite.window import Instead, Refusal, Subject
from hotcocci.rules.calls import Decided, Judged, decided
from hotcocci.rules.rulebook import rule
from hotcocci.rules.ua103_older_window.classic import Begin, begins, read_window
from hotcocci.rules.ua103_older_window.range_checks import (
    range_checks,
    renamed,
    subject,
    without_check,
)
from hotcocci.rules.ua103_older_window.scope import as_scope
from hotcocci.tree.kconfig import architectures_of
from hotcocci.tree.source import text_beside
from hotcocci.windows import check as windows
from hotcocci.windows import effects
from hotcocci.windows.effects import Wide, narrowed
from hotcocci.windows.events import (
    BEGINS,
    ENDS,
    SCOPES,
    accessor_of,
    argument,
    begin_of,
)
from hotcocci.windows.outcome import ASSEMBLY, Outcome
from hotcocci.windows.shape import is_constant

RULE = rule("UA103")

# The variables that are 0
_Zero = frozenset[str]


def decide(text: str, facts: Facts, options: Options) -> Decided:
    """Every such window and range check of a file, and the rewrites of those that have one."""
    tree = windows.Options(options.root, not options.features.masked_directed)
    functions = windows.followed(text, facts, tree).functions
    judged = (_judged(*function, options) for function in functions)
    return decided(RULE, chain.from_iterable(judged))


def _judged(graph: Graph, outcome: Outcome, options: Options) -> Iterator[Judged]:
    """The windows and range checks of a function."""
    context = Context.of_graph(graph, options)
    yield from _opened(outcome, context)
    for check in range_checks(context):
        if len(check.accesses) < options.min_run:
            # Otherwise a window replaces the check as well: UA101.
            yield subject(check, context), without_check(check, context)


def _opened(outcome: Outcome, context: Context) -> Iterator[Judged]:
    """The windows that a scope can replace, and those opened in a direction that is not used."""
    options, file = context.options, context.source.file
    wide = {
        w.at: w
        for w in effects.wide_windows(
            context.graph,
            outcome,
            options.root,
            file,
            not options.features.masked_directed,
        )
    }
    for begin in begins(context) if options.api == SCOPED else ():
        made = _scoped(begin, outcome, context)
        undecided = isinstance(made, Refusal) or made.decisions
        if undecided and begin.calls & wide.keys():
            continue  # It can at least be narrowed.
        for at in begin.calls:
            wide.pop(at, None)
        said = f"{begin.call.callee}() and its ends in {context.function.name}()"
        direction = _direction(begin, outcome, context)
        at = begin.call.start
        yield _subject(at, said, direction, outcome, context), made
    for narrower in wide.values():
        said = f"{narrower.name}() in {context.function.name}() {effects.described(narrower)}"
        made = _narrow(narrower, list(wide.values()), outcome, context)
        yield (_subject(narrower.at, said, narrower.direction, outcome, context), made)


def _scoped(begin: Begin, outcome: Outcome, context: Context) -> Instead | Refusal:
    line = context.line(begin.call)
    if (begin.call.start, ASSEMBLY) in outcome.uses:
        return Refusal("assembly", line)
    if _is_x86_32(context):
        detail = "only x86 of 32 bits builds the file, which masks no pointers"
        return Refusal("no-gain-arch", line, detail)
    # A masked begin does not refuse a bad pointer either.
    skipped = len(begin.calls) == 1 and skips_access(begin.call.start, context)
    direction = _direction(begin, outcome, context)
    window = read_window(begin, outcome, context)
    if isinstance(window, Refusal):
        return window
    return as_scope(window, direction, skipped, context)


def _is_x86_32(context: Context) -> bool:
    """Whether a file is for 32 bits alone, as vm86_32.c; signal_32.c is also for the emulation of 64 bits."""
    source = context.source
    named = source.file.startswith("arch/x86/") and source.file.endswith("_32.c")
    return named and not re.search(r"ia32|IA32|COMPAT", source.text)


def _direction(begin: Begin, outcome: Outcome, context: Context) -> str:
    """The direction in which a window is used, or that it was opened for if not known."""
    root, file = context.where
    used = effects.used_directions(outcome, begin.call.start, root, file)
    if used is not None and len(used) == 1:
        return next(iter(used))
    return BEGINS[begin.call.callee].flavour


def _subject(
    at: int, said: str, direction: str, outcome: Outcome, context: Context
) -> Subject:
    ends = [end for end, begin in outcome.ends if begin == at]
    accesses = sum(begin == at for _, begin in outcome.accesses)
    pointer = _pointer(at, context)
    return Subject(context, at, max([at, *ends]), said, pointer, direction, accesses)


def _pointer(begin: int, context: Context) -> str:
    """The pointer that a window is opened for, as written."""
    for part in context.graph.calls():
        if part.start == begin and part.callee:
            pointer = argument(part, 0)
            if pointer is not None:
                return squeeze(context.of(pointer))
    return ""


def _narrow(
    wide: Wide, others: list[Wide], outcome: Outcome, context: Context
) -> Instead | Refusal:
    """Rename a begin and its ends; ``others`` are all wide windows of the function."""
    line = context.source.line_of(wide.at)
    options = context.options
    arches = architectures_of(options.root, context.source.file)
    if arches is not None and not any(_has_directions(options.root, a) for a in arches):
        names = ", ".join(sorted(arches))
        detail = f"the file is built for {names} only, where a begin always opens both directions"
        return Refusal("no-gain-arch", line, detail)
    edits = [renamed(wide.at, wide.narrow, context)]
    ends = {end for end, begin in outcome.ends if begin == wide.at}
    if not ends and wide.name not in SCOPES:
        return Refusal("shared-end", line)
    same = {w.at for w in others if w.direction == wide.direction}
    for end in sorted(ends):
        name = context.source.code_between(end, context.body.end)[0].text
        if ENDS.get(name) != READ_WRITE:
            return Refusal("shared-end", context.source.line_of(end))
        if not {begin for at, begin in outcome.ends if at == end} <= same:
            return Refusal("shared-end", context.source.line_of(end))
        edits.append(renamed(end, narrowed(name, wide.direction), context))
    decisions = tuple(_newer(wide, options))
    return Instead(
        f"use {wide.narrow}()", tuple(edits), (), decisions, decisions, "narrow"
    )


def _newer(wide: Wide, options: Options) -> Iterator[str]:
    """Ask about the newer kind of window that the tree has: a begin narrowed today is changed again then."""
    if options.api == SCOPED and wide.name not in SCOPES:
        yield "consider a scope instead"
    elif options.small_api == MASKED and wide.name == "user_access_begin":
        yield "consider a masked begin instead"


def _has_directions(root: Path, arch: str) -> bool:
    """Whether an architecture has a begin that only opens reads."""
    header = root / "arch" / arch / "include/asm/uaccess.h"
    return header.is_file() and "user_read_access_begin" in text_beside(header)


def skips_access(begin: int, context: Context) -> bool:
    """Whether a path from the begin at an offset leaves its window, and may make no access."""
    start = next((b for b in context.graph.blocks if b.holds(begin)), None)
    opened = begin_of(start.expr, {}) if start is not None and start.expr else None
    if start is None or opened is None or not start.is_test:
        return False
    inside = [e.target for e in start.edges if e.value is opened[2]]
    reached = solve(((block, _Zero()) for block in inside), _following)
    return any(block.returns or _ends(block) for block, _ in reached)


def _following(block: BasicBlock, zero: _Zero) -> Iterator[tuple[BasicBlock, _Zero]]:
    """The continuation of a path without an access so far, with the variables that are 0 there."""
    if _ends(block) or any(_always_accesses(part) for part in block.parts()):
        return
    after = _zero_after(block, zero)
    for edge in block.edges:
        if not _is_first_test(block, edge, zero):
            yield edge.target, after


def _ends(block: BasicBlock) -> bool:
    return any(part.callee in ENDS for part in block.parts())


def _always_accesses(part: Expr) -> bool:
    """Whether an expression is an access; a copy may be of no bytes if its size is not constant."""
    accessor = accessor_of(part) if isinstance(part, Call) else None
    if accessor is None or accessor.size is None:
        return accessor is not None
    assert isinstance(part, Call)
    size = argument(part, accessor.size)
    return size is not None and is_constant(size)


def _zero_after(block: BasicBlock, zero: _Zero) -> _Zero:
    changed = {target.name for part in block.parts() for target in assigned(part)}
    zero -= changed | block.asm
    made = assignment(block.expr)
    return zero | {made[0]} if made is not None and made[1].is_zero else zero


def _is_first_test(block: BasicBlock, edge: Edge, zero: _Zero) -> bool:
    """Whether an edge leaves ``for (i = 0; i < N; i++)`` before the first iteration."""
    test = block.expr
    return (
        edge.value is False
        and isinstance(test, Binary)
        and test.operator in ("<", "!=")
        and test.left.name in zero
        and is_constant(test.right)
        and getattr(test.right, "text", "") != "0"
    )
