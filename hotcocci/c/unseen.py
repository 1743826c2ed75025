# SPDX-License-Identifier: GPL-2.0
"""Calls in a text that SmPL did not report: it could not parse the code around them, or expanded a macro."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from hotcocci.c.conditionals import dead_lines
from hotcocci.c.source import NAME, Source, Token
from hotcocci.findings import Facts

ACCESSES = frozenset({"get_user", "put_user", "__get_user", "__put_user"})


def unseen(
    text: str,
    facts: Facts,
    names: frozenset[str] = ACCESSES,
    version: int | None = None,
    spans: Iterable[tuple[int, int]] | None = None,
) -> list[int]:
    """The lines, starting at 1, of calls of these names that are missing in the facts.

    With ``spans``, only the text between these pairs of offsets is searched.
    Comments, strings, preprocessor lines, code that is not compiled (`dead_lines`), definitions and
    prototypes do not count. Calls in arguments of macros that spatch expands count as unseen.
    """
    if not names:
        return []
    seen = {(access.line, access.column) for access in facts.accesses}
    # Tokenizing a file costs a hundred times more than counting matches.
    if len(_calls(names).findall(text)) == len(seen):
        return []
    source = Source(facts.file, text)
    places = {source.offset(line, column) for line, column in seen}
    dead = dead_lines(text, version)
    parts = [source]
    if spans is not None:
        parts = [Source(facts.file, text, *span) for span in spans]
    code = [token for part in parts for token in part.code]
    lines = (
        source.line_of(token.start)
        for before, token, follower in zip((None, *code), code, code[1:])
        if token.text in names
        and follower.text == "("
        and token.start not in places
        and not _declares(before)
        and not text.startswith("(void)", follower.start)
    )
    return sorted({line for line in lines if line not in dead})


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
