# SPDX-License-Identifier: GPL-2.0
"""Calls in a text that SmPL did not report: spatch could not parse the code around them, or expanded a macro.

Functions that spatch cannot parse are read like any other; their calls are found by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from hotcocci.c.conditionals import dead_lines
from hotcocci.c.excerpt import Excerpt
from hotcocci.c.functions import name_before
from hotcocci.c.matches import dump, load
from hotcocci.c.source import NAME, Source, Token
from hotcocci.c.syntax import functions
from hotcocci.findings import Access, Facts
from hotcocci.tree.source import decode

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


def looked_for(script: str) -> frozenset[str]:
    """The first tokens of what a semantic patch looks for, as ``get_user(`` and ``current->cred``."""
    found = re.findall(r"^(\w+)@a(\(|->\w+)", script, re.MULTILINE)
    return frozenset(name + rest for name, rest in found)


def unparsed(
    text: str,
    hidden: Iterable[tuple[int, int]],
    looked_for: frozenset[str],
    version: int | None,
) -> Iterator[Access]:
    """What a semantic patch would find in functions that spatch cannot parse.

    Of each the first line is given, that of its opening brace, and the last.
    """
    source, dead = Source("", text), dead_lines(text, version)
    for first, last in hidden:
        start, end = (source.line_starts[line - 1] for line in (first, last))
        name = name_before(text, start)
        code = Source("", text, start, end).code
        for a, b, c in zip(code, code[1:], code[2:]):
            begins = {a.text + b.text, a.text + b.text + c.text}
            line = source.line_of(a.start)
            if not looked_for.isdisjoint(begins) and line not in dead:
                yield Access(a.text, name, last, line, source.column(a.start))


def completed(
    names: frozenset[str],
    looked_for: frozenset[str],
    version: int | None,
    seen: dict[str, Any],
    part: Excerpt,
) -> dict[str, Any]:
    """Facts with those of functions that spatch cannot parse and we can, and the lines of calls still missing.

    A function without a call of one of these ``names`` has none.
    """
    text, found = decode(part.text), load(seen, "").accesses
    hidden = (
        (first, last)
        for first, last in part.wanted
        if not any(first <= access.line <= last for access in found)
    )
    more = Facts("", tuple(unparsed(text, hidden, looked_for, version)))
    every = [*found]
    for function in functions(Source("", text), more):
        if any(access.name in names for access in function.accesses):
            every += function.accesses
    every.sort(key=lambda access: (access.line, access.column))
    facts = Facts("", tuple(every))
    lines = unseen(text, facts, names, version)
    return (dump(facts) if every else {}) | ({"unseen": lines} if lines else {})


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
