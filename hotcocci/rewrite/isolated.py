# SPDX-License-Identifier: GPL-2.0
"""Explain why a user access is in no run."""

from __future__ import annotations

from collections.abc import Iterator

from hotcocci.c.expression import calls
from hotcocci.c.source import DIRECTIVE, Source
from hotcocci.c.syntax import (
    LABELS,
    LOOPS,
    Function,
    Statement,
    enclosing,
    expression,
    functions,
    innermost,
    unlabelled,
)
from hotcocci.findings import Facts
from hotcocci.rewrite.runs import accesses_of, owner
from hotcocci.rewrite.statements import BARRIER, UserAccess, read_statement

_LOOP = "UA102 is for a loop over more than bytes, with the access in a statement of its body"


def explain_isolated(text: str, facts: Facts, line: int) -> list[str]:
    """One paragraph for each access on a line that is in no run.

    ``line`` counts from 1. Empty if SmPL saw no access there.
    """
    source = Source(facts.file, text)
    paragraphs: list[str] = []
    known: set[tuple[int, int]] = set()
    for function in functions(source, facts):
        accesses = accesses_of(function, facts)
        known |= {(h.access.call.line, h.access.call.column) for h in accesses}
        paragraphs += [
            _explained(function, one, accesses)
            for one in accesses
            if source.line_of(one.start) <= line <= source.line_of(one.end - 1)
        ]
    paragraphs += [
        f"{access.name}() is in the body or an argument of a macro, whose statements are not parsed."
        for access in facts.accesses
        if access.call.line == line
        and (access.call.line, access.call.column) not in known
    ]
    return paragraphs


def _explained(function: Function, one: UserAccess, accesses: list[UserAccess]) -> str:
    source = function.source
    base, own = one.base.key, owner(function, one.start)
    first = source.line_of(own.start)
    last = source.line_of(own.end - 1)
    lines = f"line {first}" if first == last else f"lines {first} to {last}"
    if own is function.body:
        lines = f"line {source.line_of(one.start)}"
    name = one.access.name
    found = f"{name}() through {base} is in {lines} of {function.name}(). "
    others = [h for h in accesses if h is not one]
    if not others:
        around = enclosing(innermost(function, one.start))
        looped = any(statement.kind in LOOPS for statement in around)
        more = f" It is in a loop, but {_LOOP}." if looped else ""
        return f"{found}It is the only access in this function; a run needs two.{more}"
    same = [h for h in others if h.base.key == base]
    if not same:
        found_at = (f"{h.base.key} at line {source.line_of(h.start)}" for h in others)
        places = ", ".join(dict.fromkeys(found_at))
        return (
            found + f"No other access here goes through {base}, only through {places}."
        )
    nearest = min(same, key=lambda h: abs(h.start - one.start))
    before, after = sorted((one, nearest), key=lambda h: h.start)
    place = source.line_of(nearest.start)
    return (
        f"{found}The nearest other access through {base} is at line {place}, but "
        f"{_obstacle(function, before, after, accesses)}."
    )


def _obstacle(
    function: Function,
    before: UserAccess,
    after: UserAccess,
    accesses: list[UserAccess],
) -> str:
    """The first code that separates two accesses."""
    source = function.source
    shared, first, second = _common_statement(function, before, after)
    found = [
        (
            h.start,
            f"the access through {h.base.key} at line {source.line_of(h.start)} is in between",
        )
        for h in accesses
        if before.start < h.start < after.start and h.base.key != before.base.key
    ]
    if shared.kind not in ("block", "switch"):
        where = _named(source, shared)
        if first is None:
            found.append((shared.start, f"the later one depends on {where}"))
        else:
            found.append((shared.start, f"they are in different branches of {where}"))
    else:
        owners = [owner(function, h.start) for h in accesses]
        found += _in_list(function, shared, before, after, (first, second), owners)
    if found:
        return min(found)[1]
    return "the result of the first is used in between"


def _common_statement(
    function: Function, before: UserAccess, after: UserAccess
) -> tuple[Statement, Statement | None, Statement | None]:
    """The smallest statement with both accesses, and its children with each.

    A child is None if the statement has the access directly, as in its condition.
    """
    paths = []
    for one in (before, after):
        inner = innermost(function, one.start)
        paths.append([inner, *enclosing(inner)][::-1])
    depth = 0
    while (
        all(len(w) > depth + 1 for w in paths)
        and paths[0][depth + 1] is paths[1][depth + 1]
    ):
        depth += 1
    first, second = (w[depth + 1] if len(w) > depth + 1 else None for w in paths)
    return paths[0][depth], first, second


def _in_list(
    function: Function,
    shared: Statement,
    before: UserAccess,
    after: UserAccess,
    edges: tuple[Statement | None, Statement | None],
    owners: list[Statement],
) -> Iterator[tuple[int, str]]:
    """Obstacles between two statements of one block: offset and message.

    Statements in ``owners`` contain accesses, which are reported elsewhere.
    """
    (first, second), source = edges, function.source
    parts = shared.children
    low = next((i for i, s in enumerate(parts) if s is first), 0)
    high = next((i for i, s in enumerate(parts) if s is second), len(parts) - 1)
    if first is not None and unlabelled(first) is not owner(function, before.start):
        where = _named(source, unlabelled(first))
        yield first.start, f"the earlier one is inside {where}"
    for previous, part in zip(parts[low:high], parts[low + 1 : high + 1], strict=True):
        yield from _code_between(source, previous.end, part.start)
        if part.kind in LABELS:
            yield part.start, f"{_named(source, part)} between them is a jump target"
        if part is second or any(unlabelled(part) is o for o in owners):
            continue
        statement = read_statement(source, unlabelled(part), ())
        if statement.form == BARRIER:
            yield part.start, f"{_named(source, unlabelled(part))} is in between"
    if second is not None and unlabelled(second) is not owner(function, after.start):
        where = _named(source, unlabelled(second))
        yield second.start, f"the later one is inside {where}"


def _code_between(source: Source, start: int, end: int) -> Iterator[tuple[int, str]]:
    """Directives and declarations between two statements."""
    for token in source.tokens_between(start, end):
        if token.kind == DIRECTIVE:
            line = source.line_of(token.start)
            yield (
                token.start,
                f"the preprocessor directive at line {line} is in between",
            )
    code = source.code_between(start, end)
    if code:
        line = source.line_of(code[0].start)
        yield code[0].start, f"a declaration at line {line} is in between"


def _named(source: Source, statement: Statement) -> str:
    """A statement as messages name it, with its line."""
    line = source.line_of(statement.start)
    words = source.code_between(statement.start, statement.end)
    if statement.kind in LABELS:
        return f"the label {words[0].text} at line {line}"
    if statement.kind == "macro":
        return f"the {words[0].text}() at line {line}"
    if statement.kind == "expression":
        for call in calls(expression(source, statement)):
            if call.callee:
                return f"the call to {call.callee}() at line {line}"
        return f"the statement at line {line}"
    return f"the {statement.kind} at line {line}"
