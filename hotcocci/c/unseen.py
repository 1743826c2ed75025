# SPDX-License-Identifier: GPL-2.0
"""Find calls that spatch did not see, so that they can be reported."""

from __future__ import annotations

import re
from functools import lru_cache

from hotcocci.c.source import NAME, Source, Token
from hotcocci.findings import Facts

ACCESSES = frozenset({"get_user", "put_user", "__get_user", "__put_user"})
# Opening and closing lines of preprocessor conditions.
_OPENS = re.compile(r"\s*#\s*if(?:n?def)?\b")
_NEVER = re.compile(r"\s*#\s*if\s+0\b")
_TURNS = re.compile(r"\s*#\s*(?:else|elif)\b")
_CLOSES = re.compile(r"\s*#\s*endif\b")


def unseen(text: str, facts: Facts, names: frozenset[str] = ACCESSES) -> list[int]:
    """The lines, starting at 1, of calls of these names that are missing in the facts.

    Comments, strings, preprocessor lines, code under ``#if 0``, definitions and prototypes do not
    count. Calls in arguments of macros that spatch expands count as unseen.
    """
    if not names:
        return []
    seen = {(access.call.line, access.call.column) for access in facts.accesses}
    # Tokenizing a file costs a hundred times more than counting matches.
    if len(_calls(names).findall(text)) == len(seen):
        return []
    source = Source(facts.file, text)
    places = {source.offset(line, column) for line, column in seen}
    never = _never(text)
    code = source.code
    lines = (
        source.line_of(token.start)
        for before, token, follower in zip((None, *code), code, code[1:])
        if token.text in names
        and follower.text == "("
        and token.start not in places
        and not _declares(before)
        and not text.startswith("(void)", follower.start)
    )
    return sorted({line for line in lines if line not in never})


@lru_cache(maxsize=8)
def _calls(names: frozenset[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(names))})\s*\(")


def _declares(before: Token | None) -> bool:
    """Whether the word before a name is its type."""
    return (
        before is not None
        and before.kind == NAME
        and before.text not in ("return", "else", "do", "case", "goto")
    )


def _never(text: str) -> frozenset[int]:
    """The lines between ``#if 0`` and its ``#else`` or ``#endif``."""
    never: set[int] = set()
    # For each open condition, whether it is never true.
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
