# SPDX-License-Identifier: GPL-2.0
"""Simplify functions that spatch cannot parse, such that all that is wanted stays where it is.

A statement without anything wanted keeps its first and last character and its kind, but loses its
expressions: the file itself says what they are. A macro with a body becomes a loop.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hotcocci.c.excerpt import Excerpt, InCode
from hotcocci.c.source import COMMENT, DIRECTIVE, NAME, Token, closing, tokenize
from hotcocci.tree.source import decode, encode

_ASSIGNMENTS = frozenset("= += -= *= /= %= &= |= ^= <<= >>=".split())
_TESTS = frozenset(("if", "while", "switch"))
_STATEMENTS = _TESTS | {"for", "do", "return", "goto", "{"}
# Names before parentheses that are no macro with a body
_NO_MACROS = frozenset("sizeof typeof __typeof__ __attribute__ asm __asm__".split())
# Not a constant: no branch is dead.
_TRUE = "x"
_LOOP = f"while({_TRUE})"
_DECLARES = re.compile(r"(?:DEFINE|DECLARE)_")
_DIRECTIVE_INSIDE = re.compile(r"\n[ \t]*#")


def simplified(
    part: Excerpt, missed: Sequence[tuple[int, int]], wanted: InCode
) -> bytes:
    """The text of an excerpt in which the functions between these lines are simpler."""
    lines = part.text.split(b"\n")
    for first, last in missed:
        body = b"\n".join(lines[first - 1 : last])
        if wanted(body):
            made = _Body(decode(body), lambda text: wanted(encode(text)))
            lines[first - 1 : last] = encode(made.simple()).split(b"\n")
    return b"\n".join(lines)


@dataclass
class _Body:
    """The body of a function; ``wanted`` says whether a part of it is to stay."""

    text: str
    wanted: Callable[[str], bool]

    def simple(self) -> str:
        """The body without expressions in which nothing is wanted."""
        self.left = list(self.text)
        every = tokenize(self.text)
        self.code = tuple(t for t in every if t.kind not in (COMMENT, DIRECTIVE))
        index = 0
        while index < len(self.code):
            index = self._statement(index)
        return "".join(self.left)

    def _word(self, index: int) -> str:
        return self.code[index].text if index < len(self.code) else ""

    def _statement(self, index: int) -> int:
        """Simplify the head of a statement, or a whole one; returns the index of what follows."""
        word = self._word(index)
        if word in ("{", "}", ";", "else", "do"):
            return index + 1
        if word in ("case", "default") or self._word(index + 1) == ":":
            return self._until(index, ":") + 1
        if self._word(index + 1) == "(":
            closed = closing(self.code, index + 1)
            if closed is None:
                return len(self.code)
            if word in _TESTS or word == "for":
                self._head(word, index + 1, closed)
                return closed + 1
            if self._word(closed + 1) in _STATEMENTS and word not in _NO_MACROS:
                self._replace(self.code[index].start, self.code[closed].end, _LOOP)
                return closed + 1
        end = self._until(index, ";")
        self._simple(index, end)
        return end + 1

    def _until(self, index: int, mark: str) -> int:
        """The index of a mark outside brackets, or of what closes the block before it."""
        depth = 0
        for at in range(index, len(self.code)):
            word = self.code[at].text
            depth += (word in "([{") - (word in ")]}")
            if depth < 0 or (depth == 0 and word == mark):
                return at
        return len(self.code) - 1

    def _head(self, word: str, opened: int, closed: int) -> None:
        """Simplify what is in the parentheses of an if or a loop."""
        start, end = self.code[opened].end, self.code[closed].start
        if word != "for":
            self._replace(start, end, _TRUE)
            return
        first = self._until(opened + 1, ";")
        second = self._until(first + 1, ";")
        for low, high in ((opened, first), (first, second), (second, closed)):
            self._replace(self.code[low].end, self.code[high].start, "")

    def _simple(self, index: int, end: int) -> None:
        """Simplify an assignment, a declaration, a call or a return."""
        tokens: Sequence[Token] = self.code[index:end]
        if not tokens or self._word(end) != ";" or self._is_wanted(index, end):
            return
        stop = self.code[end].start
        if tokens[0].text == "goto" and self._word(index + 1) == "*":
            self._replace(tokens[0].start, stop, _TRUE)
            return
        if tokens[0].text == "return" and len(tokens) > 1:
            self._replace(tokens[0].end, stop, f" {_TRUE}")
            return
        given = self._given(index, end)
        for low, high in given:
            # jump[4] __annotate_jump_table = { … }
            before = self.code[low - 1]
            named = before.kind == NAME and self._word(low - 2) == "]"
            self._replace(
                (before if named else self.code[low]).start, self.code[high].start, ""
            )
        if not given and self._word(index + 1) == "(" and tokens[-1].text == ")":
            if not _DECLARES.match(tokens[0].text):
                self._replace(tokens[1].end, tokens[-1].start, "")

    def _given(self, index: int, end: int) -> list[tuple[int, int]]:
        """Where the values begin and end that a declaration or an assignment gives."""
        found: list[tuple[int, int]] = []
        depth, begun = 0, None
        for at in range(index, end + 1):
            word = self.code[at].text
            depth += (word in "([{") - (word in ")]}")
            if depth == 0 and begun is not None and word in (",", ";"):
                found.append((begun, at))
                begun = None
            elif depth == 0 and begun is None and word in _ASSIGNMENTS and at > index:
                begun = at
        return found

    def _is_wanted(self, index: int, end: int) -> bool:
        return self.wanted(self.text[self.code[index].start : self.code[end].start])

    def _replace(self, start: int, end: int, text: str) -> None:
        """Write a text and blanks between two offsets; unless something is wanted there, or it does not fit."""
        old = self.text[start:end]
        room = old.partition("\n")[0]
        if self.wanted(old) or len(text) > len(room) or _DIRECTIVE_INSIDE.search(old):
            return
        self.left[start:end] = text + re.sub(r"[^\n]", " ", old[len(text) :])
