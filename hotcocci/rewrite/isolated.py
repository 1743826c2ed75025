# SPDX-License-Identifier: GPL-2.0
"""Explain why a user access is in no run."""

from __future__ import annotations

from hotcocci.c.source import DIRECTIVE, Source, called
from hotcocci.c.syntax import (
    LABELS,
    LOOPS,
    Function,
    Statement,
    enclosing,
    innermost,
)
from hotcocci.findings import Facts
from hotcocci.rewrite.context import contexts
from hotcocci.rewrite.options import Options
from hotcocci.rewrite.runs import accesses_of, owner
from hotcocci.rewrite.statements import UserAccess

_LOOP = "UA102 is for a loop over more than bytes, with the access in a statement of its body"


def explain_isolated(text: str, facts: Facts, options: Options, line: int) -> list[str]:
    """One paragraph for each access on a line that is in no run.

    ``line`` counts from 1. Empty if SmPL saw no access there.
    """
    source = Source(facts.file, text)
    paragraphs: list[str] = []
    known: set[tuple[int, int]] = set()
    for context in contexts(text, facts, options):
        function, accesses = context.function, accesses_of(context)
        known |= {(h.access.line, h.access.column) for h in accesses}
        paragraphs += [
            _explained(function, one, accesses)
            for one in accesses
            if source.line_of(one.start) <= line <= source.line_of(one.end - 1)
        ]
    paragraphs += [
        f"{access.name}() is in the body or an argument of a macro, whose statements are not parsed."
        for access in facts.accesses
        if access.line == line and (access.line, access.column) not in known
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
    between = _between(function, before, after, accesses)
    return f"{found}The nearest other access through {base} is at line {place}, but {between}."


def _between(
    function: Function,
    before: UserAccess,
    after: UserAccess,
    accesses: list[UserAccess],
) -> str:
    """The code that separates two accesses."""
    source = function.source
    for other in accesses:
        if before.start < other.start < after.start:
            line = source.line_of(other.start)
            return f"the access through {other.base.key} at line {line} is in between"
    first, second = (owner(function, each.start) for each in (before, after))
    above, around = ([each, *enclosing(each)] for each in (first, second))
    # A declaration belongs to its block.
    if first in around and first.kind != "block":
        return f"the later one depends on {_named(source, first)}"
    for own, others, which in ((around, above, "later"), (above, around, "earlier")):
        inner = [s for s in own[1:] if s.kind != "block" and s not in others]
        if inner:
            return f"only the {which} one is in {_named(source, inner[-1])}"
    shared = next(s for s in above if s in around)
    if shared.kind not in ("block", "switch"):
        return f"they are in different branches of {_named(source, shared)}"
    start = before.end if first.kind == "block" else first.end
    end = after.start if second.kind == "block" else second.start
    tokens = source.tokens_between(start, end)
    directive = next((t for t in tokens if t.kind == DIRECTIVE), None)
    call = next(called(tokens), None)
    if directive is not None:
        line = source.line_of(directive.start)
        return f"the preprocessor directive at line {line} is in between"
    if call is not None:
        line = source.line_of(call.start)
        return f"the call to {call.text}() at line {line} is in between"
    return "together they have no form that is taken for a run"


def _named(source: Source, statement: Statement) -> str:
    """A statement as messages name it, with its line."""
    line = source.line_of(statement.start)
    word = source.code_between(statement.start, statement.end)[0].text
    if statement.kind in LABELS:
        return f"the code after the label {word} at line {line}"
    if statement.kind == "macro":
        return f"the {word}() at line {line}"
    return f"the {statement.kind} at line {line}"
