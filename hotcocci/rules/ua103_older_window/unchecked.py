# SPDX-License-Identifier: GPL-2.0
"""Drop access_ok() before accesses that check their range, or become accesses that do."""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import (
    Expr,
    Literal,
    SizeOf,
    calls,
    canonical,
)
from hotcocci.c.flow import Graph
from hotcocci.c.source import COMMENT, NAME
from hotcocci.findings import READ, READ_WRITE, Edit
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.context_conditions import lock_held_at
from hotcocci.rewrite.options import is_hot
from hotcocci.rewrite.layout import squeeze
from hotcocci.rewrite.window import Refusal
from hotcocci.rewrite.writing import without_lines
from hotcocci.rules.ua103_older_window.found import Change, Subject
from hotcocci.rules.ua103_older_window.range_checks import (
    Access,
    Check,
    other_exit,
    same,
)
from hotcocci.rules.ua103_older_window.reliance import dies, elsewhere, unchecked_caller
from hotcocci.rules.ua103_older_window.renamed import renamed

LESS = "members that are not accessed are no longer checked"
CALLERS = "callers must not rely on the check"
ZEROED = "if the range is not in user space, {}() zeroes {}"


def subject(check: Check, context: Context) -> Subject:
    """What is found: the check and the accesses after it."""
    text = context.source.text
    every = (*check.accesses, *check.others)
    ways = {access.direction for access in every}
    after = [a for a in every if a.call.start > check.statement.start]
    first = min(after, key=lambda a: a.call.start)
    return Subject(
        check.statement.start,
        max(a.call.end for a in after),
        f"access_ok() before {first.name}() in {context.function.name}()",
        len(check.accesses) or len(after),
        squeeze(text[check.pointer.start : check.pointer.end]),
        ways.pop() if len(ways) == 1 else READ_WRITE,
    )


def without_check(check: Check, graph: Graph, context: Context) -> Change | Refusal:
    """Drop a range check, and make the accesses that rely on it check their own ranges."""
    source = context.source
    line = source.line_of(check.statement.start)
    end = max([check.statement.end, *(a.call.end for a in check.accesses)])
    if source.has_directive(check.statement.start, end):
        return Refusal("ifdef", line)
    dropped = _dropped(check, context)
    lost = source.tokens_between(dropped.start, dropped.end)
    if any(t.kind == COMMENT for t in lost):
        return Refusal("other-form", line)
    start = next(b for b in graph.blocks if b.holds(check.pointer.start))
    allowed = [
        (a.pointer.start, a.pointer.end) for a in (*check.accesses, *check.others)
    ]
    allowed.append((check.statement.start, check.operands[0].end))
    used = elsewhere(check.pointer, start, allowed, graph, context)
    if used is None:
        used = unchecked_caller(context)
    if used is not None:
        return Refusal("pointer-elsewhere", source.line_of(used))
    if not check.accesses:
        other = other_exit(check, context)
        reason = "exit-differs" if other else "check-not-first"
        return Refusal(reason, other or line)
    if check.exit.value != "-EFAULT" and check.exit.target is None:
        return Refusal("exit-differs", line)
    if calls(check.pointer) or calls(check.size):
        return Refusal("side-effect-argument", line)
    if lock_held_at(check.statement.start, context) or any(
        t.kind == NAME and t.text.startswith("pagefault_") for t in context.tokens
    ):
        return Refusal("faults-disabled", line)
    for access in check.accesses:
        if not _covered(access, check, context):
            return Refusal("range-differs", source.line_of(access.call.start))
    if all(a.size is not None and not _is_constant(a.size) for a in check.accesses):
        return Refusal("maybe-empty", line)
    for access in check.others:
        known = any(
            same(access.pointer, a.pointer, context) and a.size is None
            for a in check.accesses
        )
        if access.unchecked and not known:
            return Refusal("range-differs", source.line_of(access.call.start))
    changed = [a for a in (*check.accesses, *check.others) if a.unchecked]
    edits = [dropped]
    edits += [renamed(a.call.start, _checking(a, context), context) for a in changed]
    names_ = dict.fromkeys(_checking(a, context) for a in changed)
    instead = f"use {' and '.join(f'{n}()' for n in names_)}" if names_ else "drop it"
    return Change(tuple(edits), instead, "check", tuple(_notes(check, context)))


def _covered(access: Access, check: Check, context: Context) -> bool:
    """Whether the check is of the object that an access is part of, or of just its bytes."""
    if access.size is not None:
        return same(access.size, check.size, context) and same(
            access.pointer, check.pointer, context
        )
    text = context.source.text
    pointer = canonical(text[check.pointer.start : check.pointer.end])
    return canonical(text[check.size.start : check.size.end]) in (
        f"sizeof(*{pointer})",
        f"sizeof(*({pointer}))",
    )


def _checking(access: Access, context: Context) -> str:
    """The name of the access that checks its range; inline where a profile has the function."""
    name = access.name.removeprefix("__")
    options, function = context.options, context.function.name
    if access.size is None and options.user_inline and options.hot is not None:
        if is_hot(options, context.facts.file, context.source.text, function):
            return f"{name}_inline"
    return name


def _dropped(check: Check, context: Context) -> Edit:
    """Remove the check's operand, or its statement with its lines."""
    text, statement = context.source.text, check.statement
    if len(check.operands) > 1:
        opening = text.index("(", statement.start) + 1
        return Edit(opening, check.operands[1].start, "")
    return without_lines(statement.start, statement.end, context)


def _is_constant(size: Expr) -> bool:
    """Whether a size is a number or a sizeof: then it is not 0."""
    return isinstance(size, (Literal, SizeOf))


def _notes(check: Check, context: Context) -> Iterator[str]:
    if not any(same(a.pointer, check.pointer, context) for a in check.accesses):
        yield LESS
    yield CALLERS
    for access in check.accesses:
        if access.direction == READ and not dies(access.value, context):
            value = squeeze(context.source.text[access.value.start : access.value.end])
            yield ZEROED.format(_checking(access, context), value)
            return
