# SPDX-License-Identifier: GPL-2.0
"""Find the tokens in which two versions of a file differ: neither white space nor comments."""

from __future__ import annotations

import bisect
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from hotcocci.c.source import COMMENT, COMMENTS, DIRECTIVE, NAME, Token, tokenize
from hotcocci.proof.objects.pieces import Pieces, pieces

WORD = re.compile(r"\s*#\s*(\w+)(?:\s+(\w+))?")
_SPACE = re.compile(r"(?:\s|\\\n)+")
# Branches of the preprocessor
_OPENS = frozenset({"if", "ifdef", "ifndef"})
_TURNS = frozenset({"elif", "else", "elifdef", "elifndef"})
CONDITIONS = _OPENS | _TURNS | {"endif"}
# Pairs of tokens to compare, which takes a second; all differ in what has more.
MOST = 4_000_000


@dataclass(frozen=True)
class Text:
    """One version of a file."""

    file: str
    text: str

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens, each directive as one of them, without comments."""
        return [token for token in tokenize(self.text) if token.kind != COMMENT]

    @cached_property
    def pieces(self) -> Pieces:
        """The pieces of its functions."""
        return pieces(self.text)

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    def line(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect.bisect_right(self._starts, offset)

    def lines(self) -> dict[int, list[Token]]:
        """The tokens that begin on each line that has any."""
        found: dict[int, list[Token]] = {}
        for token in self.tokens:
            found.setdefault(self.line(token.start), []).append(token)
        return found

    def branches(self) -> list[tuple[int, int]]:
        """Where each branch of an #if begins and ends, from after its directive up to the next one."""
        found: list[tuple[int, int]] = []
        opened: list[int] = []
        for token in self.tokens:
            word = word_of(token)
            if word in _OPENS:
                opened.append(token.end)
            elif word in CONDITIONS and opened:
                found.append((opened.pop(), token.start))
                opened += [token.end] if word in _TURNS else []
        return found


def word_of(token: Token) -> str:
    """What a directive is: "if", "define" and so on; empty for other tokens."""
    found = WORD.match(token.text) if token.kind == DIRECTIVE else None
    return found[1] if found else ""


def defined(token: Token) -> str:
    """The name that a directive defines; empty if it defines none."""
    found = WORD.match(token.text) if word_of(token) == "define" else None
    return (found[2] or "") if found else ""


def differing(old: Text, new: Text) -> tuple[list[Token], list[Token]]:
    """The tokens of each version that the other has not, in two texts with aligned lines."""
    sides = old.lines(), new.lines()
    found: tuple[list[Token], list[Token]] = ([], [])
    for run in _runs(*sides):
        lines = [[side[n] for n in run if n in side] for side in sides]
        keys = [[tuple(map(_key, each)) for each in several] for several in lines]
        for a, b, c, d in _unequal(*keys):
            tokens = (
                [t for line in lines[0][a:b] for t in line],
                [t for line in lines[1][c:d] for t in line],
            )
            if len(tokens[0]) * len(tokens[1]) > MOST:
                found[0].extend(tokens[0])
                found[1].extend(tokens[1])
                continue
            for e, f, g, h in _unequal(*([_key(t) for t in each] for each in tokens)):
                found[0].extend(tokens[0][e:f])
                found[1].extend(tokens[1][g:h])
    return found


def through(text: Text, names: set[str]) -> set[str]:
    """These names, and the macros of a text that use one of them, also through others."""
    known = set(names)
    bodies = {
        name: {t.text for t in tokenize(WORD.sub("", token.text)) if t.kind == NAME}
        for token in text.tokens
        if (name := defined(token))
    }
    more = known
    while more:
        more = {n for n, body in bodies.items() if n not in known and body & known}
        known |= more
    return known


def uses(text: Text, names: set[str]) -> Iterator[Token]:
    """The tokens that use a macro, also through other macros of this text; conditions of #if too."""
    known = through(text, names)
    for token in text.tokens:
        if token.kind == NAME and token.text in known:
            yield token
        elif word_of(token) in CONDITIONS:
            if known & {t.text for t in tokenize(token.text.replace("#", " "))}:
                yield token


def _key(token: Token) -> str:
    if token.kind != DIRECTIVE:
        return token.text
    return _SPACE.sub(" ", COMMENTS.sub(" ", token.text)).replace("# ", "#").strip()


def _runs(old: dict[int, list[Token]], new: dict[int, list[Token]]) -> list[list[int]]:
    """Runs of lines that differ; lines without tokens on either side do not end one."""
    found: list[list[int]] = [[]]
    for line in sorted(old.keys() | new.keys()):
        sides = [list(map(_key, side.get(line, ()))) for side in (old, new)]
        if sides[0] != sides[1]:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def _unequal(
    old: Sequence[Hashable], new: Sequence[Hashable]
) -> Iterator[tuple[int, int, int, int]]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield a, b, c, d
