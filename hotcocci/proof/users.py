# SPDX-License-Identifier: GPL-2.0
"""Find the .c files that use what changes in a header: only together do they show what it does."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.source import DIRECTIVE, NAME, Token
from hotcocci.proof.changed import aligned
from hotcocci.proof.objects.differing import Text, defined, differing, through
from hotcocci.tree.includes import foreign, including, may_name, nearest, searched
from hotcocci.tree.source import decode, read

# An #include of anything
ANY = r"[^\">]+"

# At most this many users are compiled, and looked for.
MOST = 40
MANY = 4000

_KEYWORDS = frozenset(
    "struct union enum const static unsigned signed int char short long void bool float double "
    "volatile extern typedef inline return if else while for do".split()
)
# What follows the name that a declaration declares
_DECLARED = frozenset(";,[:={})")


@dataclass(frozen=True)
class Users:
    """The .c files to compile for a change of a header, and how many others use what changes."""

    files: tuple[str, ...]
    left: int


@lru_cache(maxsize=64)
def users(tree: Path, file: str, old: str, new: str, folder: str) -> Users:
    """All users of the macros, functions, types and members that a change of a header touches.

    Those of architectures other than ``folder`` in arch/ do not count. Raises UserError without grep.
    """
    texts = [Text(file, text) for text in aligned(file, old, new).texts]
    names: set[str] = set()
    for text, tokens in zip(texts, differing(texts[0], texts[1]), strict=True):
        names |= _of(text, tokens)
    reached = reaching(tree, file)
    found: frozenset[str] = frozenset()
    more = names
    while more:
        found = mentioning(tree, names) & reached
        if len(found) > MANY:
            break
        headers = [Text(h, decode(read(tree / h))) for h in found if h.endswith(".h")]
        known = [*texts, *headers]
        more = {n for text in known for n in _using(text, names)} - names
        names |= more
    sources = {f for f in found if f.endswith(".c") and not foreign(f, folder)}
    own = nearest(tree, file, sources, MOST)
    return Users(own, len(sources) - len(own))


def _using(text: Text, names: set[str]) -> set[str]:
    """The names of a header through which others use these: macros, and functions with a body."""
    found = through(text, names)
    return found | {
        text.pieces.all[text.pieces.owner[token.start]].function
        for token in text.tokens
        if token.text in found and token.start in text.pieces.owner
    }


def _of(text: Text, tokens: Iterable[Token]) -> set[str]:
    """The names of what these tokens are part of."""
    found: set[str] = set()
    outside: set[int] = set()
    for token in tokens:
        if token.kind == DIRECTIVE:
            found |= {defined(token)} - {""}
        elif token.start in text.pieces.owner:
            found.add(text.pieces.all[text.pieces.owner[token.start]].function)
        else:
            outside.add(token.start)
    for item in _items(text) if outside else ():
        if not outside.isdisjoint(token.start for token in item):
            found |= _declared(item)
    return found


def _items(text: Text) -> Iterator[list[Token]]:
    """The declarations outside functions, each up to its semicolon."""
    item: list[Token] = []
    depth = 0
    for token in text.tokens:
        if token.kind == DIRECTIVE or token.start in text.pieces.owner:
            continue
        item.append(token)
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == ";" and depth <= 0:
            yield item
            item, depth = [], 0
    yield item


def _declared(item: list[Token]) -> set[str]:
    """The names that a declaration declares: a type and its members, or a function or variable."""
    head = [token.text for token in item]
    if "{" not in head and "(" in head:
        return {head[max(head.index("(") - 1, 0)]} - _KEYWORDS
    found = {
        token.text
        for token, follower in zip(item, item[1:])
        if token.kind == NAME and follower.text in _DECLARED
    }
    return found - _KEYWORDS


def mentioning(tree: Path, names: Collection[str]) -> frozenset[str]:
    """The C files and headers in which one of these words occurs. Raises UserError without grep."""
    words = [word for name in sorted(names) for word in ("-e", name)]
    found = searched(tree, ["-lwF", *words], ("*.c", "*.h")) if words else []
    return frozenset(file.removeprefix("./") for file in found)


def reaching(tree: Path, file: str) -> frozenset[str]:
    """The files that include a file, directly or through others. Raises UserError without grep."""
    by_name = _includes(tree)
    reached = {file}
    waiting = [file]
    while waiting:
        wanted = waiting.pop()
        for user, name in by_name.get(os.path.basename(wanted), ()):
            if user not in reached and may_name(tree, user, name, wanted):
                reached.add(user)
                waiting.append(user)
    return frozenset(reached - {file})


@lru_cache(maxsize=2)
def _includes(tree: Path) -> dict[str, list[tuple[str, str]]]:
    """Every #include of a tree: the file it is in and the name, by the last part of the name."""
    found: dict[str, list[tuple[str, str]]] = {}
    for user, name in including(tree, ANY):
        found.setdefault(os.path.basename(name), []).append((user, name))
    return found
