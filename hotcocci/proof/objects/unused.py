# SPDX-License-Identifier: GPL-2.0
"""Find changed variables and constants that code shows only where it uses them: another configuration may."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from hotcocci.c.source import DIRECTIVE, NAME, Token, closing, split


def unused(
    tokens: Sequence[Token],
    changed: Sequence[Token],
    there: Sequence[Token],
    symbols: Set[str],
) -> Iterator[Token]:
    """The changed tokens of static tables and structures that are among no ``symbols``.

    ``there`` are the tokens of the other side: what that has not, nothing may use.
    """
    known = {token.text for token in there if token.kind == NAME}
    for name, own, is_table in _changed(tokens, changed):
        if is_table and name in known and name not in symbols:
            yield from own


def folded(
    tokens: Sequence[Token],
    changed: Sequence[Token],
    there: Sequence[Token],
    symbols: Set[str],
) -> set[str]:
    """The enumerators, and the static numbers that are among no ``symbols``, whose values changed."""
    numbers = _changed(tokens, changed)
    found = {name for name, _, is_table in numbers if not is_table} - symbols
    mine, theirs = enumerators(tokens), enumerators(there)
    more = {n for n in mine.keys() & theirs.keys() if mine[n] != theirs[n]}
    while more:
        found |= more
        more = {n for n, (base, _) in mine.items() if found & {*base}} - found
    return found


def enumerators(tokens: Sequence[Token]) -> dict[str, tuple[tuple[str, ...], int]]:
    """The enumerator from which each is counted, and the distance."""
    code = [token for token in tokens if token.kind != DIRECTIVE]
    found = {}
    for at, token in enumerate(code):
        # enum, enum name, enum __packed name
        near = [each.text for each in code[at : at + 4]] if token.text == "enum" else []
        if "{" not in near:
            continue
        opened = at + near.index("{")
        base: tuple[str, ...] = ()
        number = 0
        for part in filter(None, split(code[opened + 1 : closing(code, opened)], ",")):
            words = tuple(each.text for each in part)
            if "=" in words:
                base, number = words[words.index("=") + 1 :], 0
            found[words[0]] = base, number
            number += 1
    return found


def _changed(
    tokens: Sequence[Token], changed: Sequence[Token]
) -> Iterator[tuple[str, list[Token], bool]]:
    """The static variables with changed tokens: the name, these, and whether it is more than a number."""
    places = {token.start for token in changed if token.kind != DIRECTIVE}
    for own in _definitions([token for token in tokens if token.kind != DIRECTIVE]):
        differs = [token for token in own if token.start in places]
        words = [token.text for token in own] if differs else []
        name = _static(words)
        if name:
            yield name, differs, "{" in words


def _definitions(code: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The declarations and definitions of a file, but for functions."""
    start = depth = opened = 0
    for at, token in enumerate(code):
        if token.text == "{" and depth == 0:
            opened = at
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0 and token.text == ";":
            yield code[start:at]
            start = at + 1
        elif depth == 0 and token.text == "}" and code[opened - 1].text == ")":
            start = at + 1


def _static(words: Sequence[str]) -> str:
    """The name of the static variable that a definition with a value is of; empty if it is of something else."""
    if "static" not in words[:2] or "=" not in words:
        return ""
    place = min(words.index(mark) for mark in "=[" if mark in words)
    names = [w for w in words[:place] if w.isidentifier() and not w.startswith("__")]
    return names[-1] if "(" not in words[:place] and names else ""
