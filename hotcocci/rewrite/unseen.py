# SPDX-License-Identifier: GPL-2.0
"""Accesses that spatch never saw: told of, so that none is missing in silence."""

from __future__ import annotations

import re

from hotcocci.c.source import Source
from hotcocci.findings import Facts

NAMES = frozenset({"get_user", "put_user", "__get_user", "__put_user"})
_CALL = re.compile(r"\b(?:__)?(?:get|put)_user\s*\(")
# Opening and closing lines of preprocessor conditions.
_OPENS = re.compile(r"\s*#\s*if(?:n?def)?\b")
_NEVER = re.compile(r"\s*#\s*if\s+0\b")
_TURNS = re.compile(r"\s*#\s*(?:else|elif)\b")
_CLOSES = re.compile(r"\s*#\s*endif\b")


def unseen(text: str, facts: Facts) -> list[int]:
    """The lines, counted from 1, of accesses in code that the facts do not have.

    Comments, strings, preprocessor lines and what stands under ``#if 0`` are no code. An
    access in an argument of a macro that spatch expands counts as unseen, too.
    """
    seen = {(access.call.line, access.call.column) for access in facts.accesses}
    # Taking a file for tokens costs a hundred times more than counting its words.
    if len(_CALL.findall(text)) == len(seen):
        return []
    source = Source(facts.file, text)
    places = {source.offset(line, column) for line, column in seen}
    never = _never(text)
    code = source.code
    lines = (
        source.line_of(token.start)
        for token, follower in zip(code, code[1:])
        if token.text in NAMES and follower.text == "(" and token.start not in places
    )
    return sorted({line for line in lines if line not in never})


def _never(text: str) -> frozenset[int]:
    """The lines between ``#if 0`` and its ``#else`` or ``#endif``."""
    never: set[int] = set()
    # For each condition that is open here, whether it is never met.
    stack: list[bool] = []
    for number, line in enumerate(text.split("\n"), 1):
        if _OPENS.match(line):
            stack.append(_NEVER.match(line) is not None)
        elif stack and _TURNS.match(line):
            stack[-1] = False
        elif stack and _CLOSES.match(line):
            stack.pop()
        elif any(stack):
            never.add(number)
    return frozenset(never)
