# SPDX-License-Identifier: GPL-2.0
"""Find the start and end of each statement of a function, from its tokens.

As in SmPL, a labelled statement includes its label; declarations and the braces of a switch are no statements.
"""

import re
from collections.abc import Sequence

from hotcocci.c.source import NAME, Token, closing

_HEADED = frozenset(("if", "for", "while", "switch"))
ASSEMBLY = frozenset(("asm", "__asm__", "__asm", "asm_inline"))
"""Words that begin an asm statement (include/linux/compiler_types.h has the last)."""
_NO_TYPES = frozenset(
    (
        *_HEADED,
        *ASSEMBLY,
        *"return goto break continue case default do else sizeof".split(),
    )
)
_TYPE_OF = frozenset(("typeof", "__typeof__", "__typeof"))
_RECORDS = frozenset(("struct", "union", "enum"))
_DECLARING = re.compile(r"(?:DECLARE|DEFINE)_")


def spans(text: str, tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """The offsets at which each statement of a function begins and ends, given its body's tokens with the braces.

    Raises SyntaxError if brackets do not match.
    """
    reader = _Reader(text, tokens)
    if reader.block(0) != len(tokens):
        raise SyntaxError("a brace is not closed")
    return reader.found


class _Reader:
    """Reads the tokens of a body; ``found`` are the statements so far."""

    def __init__(self, text: str, tokens: Sequence[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.found: list[tuple[int, int]] = []

    def _word(self, at: int) -> str:
        return self.tokens[at].text if at < len(self.tokens) else ""

    def _is_name(self, at: int) -> bool:
        return at < len(self.tokens) and self.tokens[at].kind == NAME

    def _after(self, at: int) -> int:
        """The index after a token, or after the bracket that closes it."""
        if self._word(at) not in ("(", "[", "{"):
            return at + 1
        last = closing(self.tokens, at)
        if last is None:
            raise SyntaxError("a bracket is not closed")
        return last + 1

    def _until(self, mark: str, at: int) -> int:
        """The index after the next colon or semicolon outside brackets."""
        questions = 0
        while questions or self._word(at) != mark:
            word = self._word(at)
            if word in ("", ")", "]", "}") or (word == ";" != mark):
                raise SyntaxError(f"{mark} expected")
            if mark == ":":
                questions += (word == "?") - (word == ":")
            at = self._after(at)
        return at + 1

    def block(self, at: int) -> int:
        """Read a block; returns the index after it."""
        at += 1
        while self._word(at) != "}":
            at = self._until(";", at) if self._declares(at) else self._statement(at)
        return at + 1

    def _statement(self, at: int) -> int:
        """Read a statement; returns the index after it."""
        # else if: as deep as it is long
        chain = []
        while True:
            if at >= len(self.tokens):
                raise SyntaxError("a statement expected")
            chain.append(self.tokens[at].start)
            is_if = self._word(at) == "if" and self._word(at + 1) == "("
            end = self._rest(at)
            if not is_if or self._word(end) != "else":
                break
            at = end + 1
            if self._word(at) != "if":
                end = self._statement(at)
                break
        self.found += [(start, self.tokens[end - 1].end) for start in chain]
        return end

    def _rest(self, at: int) -> int:
        """Read what follows the first word of a statement, except for an else."""
        word = self._word(at)
        if word == "{":
            return self.block(at)
        if word in ("case", "default"):
            return self._labelled(self._until(":", at))
        if self._is_name(at) and self._word(at + 1) == ":":
            return self._labelled(at + 2)
        if word == "do":
            return self._until(";", self._statement(at + 1))
        if not self._is_name(at) or self._word(at + 1) != "(":
            return self._until(";", at)
        body = self._after(at + 1)
        if word == "switch" and self._word(body) == "{":
            return self.block(body)
        if word in _HEADED or (word not in _NO_TYPES and self._is_body(at, body)):
            return self._statement(body)
        if word not in _NO_TYPES and (self._is_name(body) or self._word(body) == "}"):
            # A macro that brings its own semicolon
            return body
        return self._until(";", at)

    def _is_body(self, at: int, body: int) -> bool:
        """Whether what follows the arguments of a macro is its body, and not the next statement."""
        if self._word(body) == "{":
            return True
        begins = self._is_name(body) or self._word(body) in ("++", "--")
        return begins and self._column(body) > self._column(at)

    def _column(self, at: int) -> int:
        start = self.tokens[at].start
        line = self.text[self.text.rfind("\n", 0, start) + 1 : start]
        return len(line.expandtabs())

    def _labelled(self, at: int) -> int:
        """Read what belongs to a label: nothing before a brace or a declaration."""
        ends = self._word(at) == "}" or self._declares(at)
        return at if ends else self._statement(at)

    def _declares(self, at: int) -> bool:
        """Whether a declaration begins here."""
        word, after = self._word(at), at + 1
        if not self._is_name(at) or word in _NO_TYPES:
            return False
        if self._is_name(after) or (word in _RECORDS and self._word(after) == "{"):
            return True
        if self._word(after) == "(":
            rest = self._after(after)
            if word in _TYPE_OF:
                return self._is_name(rest) or self._word(rest) == "*"
            if _DECLARING.match(word):
                return self._word(rest) == ";"
            # A pointer to a function or an array
            return self._word(after + 1) == "*" and self._word(rest) in ("(", "[")
        while self._word(after) == "*":
            after += 1
        is_end = self._word(after + 1) in ("=", ";", ",", "[")
        return (
            after > at + 1
            and self._is_name(after)
            and (is_end or self._is_name(after + 1))
        )
