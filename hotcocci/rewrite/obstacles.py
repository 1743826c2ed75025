# SPDX-License-Identifier: GPL-2.0
"""Refusals that name what separates accesses: calls, jumps, loops and preprocessor directives."""

from __future__ import annotations

from hotcocci.c.source import DIRECTIVE, called
from hotcocci.rewrite.computing import only_computes
from hotcocci.rewrite.configurations import conditions_at, opening, squeezed
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.runs import Split
from hotcocci.rewrite.window import Refusal

SPLIT = "split by {}"
IN_LOOP = "the loop body has {}"
IN_VALUE = "a value needs {}, which may depend on the accesses before it"
UNUSED_LABEL = "the label would be unused without it"
UNUSED_VARIABLE = "the variable for the pointer or a value would be unused without it"
_LOOPS = ("for", "while", "do")
_JUMPS = ("return", "goto", "break", "continue")


def split(found: Split, context: Context) -> Refusal:
    """Why two accesses through one base are not adjacent."""
    line = context.source.line_of(found.start)
    if found.reason == "second-base":
        name = context.source.code_between(found.start, found.end)[0].text
        return Refusal(
            "second-base",
            line,
            f"split by {name}() through another pointer at line {line}",
        )
    if found.reason == "mixed-condition":
        return Refusal(
            "mixed-condition", line, f"split by another condition at line {line}"
        )
    return obstacle(found.start, found.end, context, SPLIT)


def obstacle(start: int, end: int, context: Context, how: str) -> Refusal:
    """Why code may not run inside a window; ``how`` is the message, with {} for the code."""
    tokens = context.source.code_between(start, end)
    first = tokens[0]
    if first.text not in (*_LOOPS, "switch"):
        token = next((t for t in called(tokens) if not only_computes(t.text)), None)
        if token is not None:
            line = context.source.line_of(token.start)
            code = f"{token.text}() at line {line}"
            return Refusal("call-between", line, how.format(code))
        first = next((t for t in tokens if t.text in _JUMPS), first)
    word = first.text if first.text in (*_LOOPS, *_JUMPS, "switch") else "statement"
    kind = f"{word} loop" if word in _LOOPS else word
    line = context.source.line_of(first.start)
    return Refusal("statement-between", line, how.format(f"the {kind} at line {line}"))


def split_by_directive(start: int, end: int, context: Context) -> Refusal | None:
    """Refuse a preprocessor directive between two offsets: no configuration has all of the code."""
    if not context.source.has_directive(start, end):
        return None
    tokens = context.source.tokens_between(start, end)
    token = next(t for t in tokens if t.kind == DIRECTIVE)
    line = context.source.line_of(token.start)
    return Refusal("ifdef", line, f"split by {squeezed(token.text)} at line {line}")


def conditional(start: int, context: Context, why: str) -> Refusal | None:
    """Refuse code inside an #if; ``why`` ends the message."""
    found = conditions_at(start, context)
    if not found:
        return None
    condition, number = found[-1]
    line = context.source.line_of(condition.at)
    branch = "a later branch of " if number else ""
    detail = f"inside {branch}{opening(condition, context)} (line {line}); {why}"
    return Refusal("ifdef", line, detail)
