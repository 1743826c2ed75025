# SPDX-License-Identifier: GPL-2.0
"""The preprocessor conditions around code, and the lines that repeat them around its label."""

from __future__ import annotations

from hotcocci.c.conditionals import Condition, around
from hotcocci.rewrite.context import Context

# Where __get_user() of eight bytes exists: on arm32 it is a call of a function that does not. A C
# condition, as coding-style.rst asks for (21): the compiler drops the other branch.
ON_64_BITS = "IS_ENABLED(CONFIG_64BIT)"


def conditions_at(start: int, context: Context) -> list[tuple[Condition, int]]:
    """The #ifs of a function that are open at an offset, outermost first, each with the number of the branch."""
    found = around(context.source.text, start)
    return [one for one in found if one[0].at >= context.body.start]


def guards_at(start: int, context: Context) -> tuple[str, ...] | None:
    """The lines that open the conditions at an offset again; None after an #elif."""
    guards = []
    for condition, number in conditions_at(start, context):
        line = opening(condition, context)
        if number:
            if condition.branches[1].word != "else":
                return None
            line = _negated(line)
        guards.append(line)
    return tuple(guards)


def opening(condition: Condition, context: Context) -> str:
    """The line of an #if."""
    first = condition.branches[0]
    return squeezed(context.source.text[first.at : first.start])


def _negated(line: str) -> str:
    word, _, condition = line.lstrip("# \t").partition(" ")
    opposite = {"ifdef": "ifndef", "ifndef": "ifdef"}
    if word in opposite:
        return f"#{opposite[word]} {condition}"
    return f"#if !({condition})"


def squeezed(directive: str) -> str:
    """A directive on one line, without a trailing comment."""
    text = directive.replace("\\\n", " ").partition("/*")[0].partition("//")[0]
    return " ".join(text.split())
