# SPDX-License-Identifier: GPL-2.0
"""The preprocessor conditions around code, and the lines that repeat them around its label."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.source import DIRECTIVE, Token
from hotcocci.rewrite.context import Context

# Where __get_user() of eight bytes exists: on arm32 it is a call of a function that does not. A C
# condition, as coding-style.rst asks for (21): the compiler drops the other branch.
ON_64_BITS = "IS_ENABLED(CONFIG_64BIT)"


@dataclass(frozen=True)
class Conditional:
    """An #if that code is in, and its #elif and #else lines before the code."""

    opening: Token
    turns: tuple[Token, ...] = ()


def conditionals_at(start: int, context: Context) -> list[Conditional]:
    """The #ifs of a function that are open at an offset, outermost first."""
    opened: list[Conditional] = []
    for token in context.source.tokens_between(context.body.start, start):
        if token.kind != DIRECTIVE:
            continue
        word = token.text.lstrip("# \t")
        if word.startswith("if"):
            opened.append(Conditional(token))
        elif word.startswith("el") and opened:
            last = opened.pop()
            opened.append(Conditional(last.opening, (*last.turns, token)))
        elif word.startswith("endif") and opened:
            opened.pop()
    return opened


def guards_at(start: int, context: Context) -> tuple[str, ...] | None:
    """The lines that open the conditions at an offset again; None after an #elif."""
    guards = []
    for found in conditionals_at(start, context):
        line = squeezed(found.opening)
        if found.turns:
            if [squeezed(t).lstrip("# \t") for t in found.turns] != ["else"]:
                return None
            line = _negated(line)
        guards.append(line)
    return tuple(guards)


def _negated(line: str) -> str:
    word, _, condition = line.lstrip("# \t").partition(" ")
    opposite = {"ifdef": "ifndef", "ifndef": "ifdef"}
    if word in opposite:
        return f"#{opposite[word]} {condition}"
    return f"#if !({condition})"


def squeezed(directive: Token) -> str:
    """A directive on one line, without a trailing comment."""
    text = directive.text.replace("\\\n", " ").partition("/*")[0].partition("//")[0]
    return " ".join(text.split())
