# SPDX-License-Identifier: GPL-2.0
"""The text of one C file: tokens with offsets, and line starts.

SmPL gives positions as line and column; edits use offsets into the text, which preserves comments and layout.
"""

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple, Protocol

from hotcocci.findings import Edit

NAME = "name"
NUMBER = "number"
STRING = "string"
COMMENT = "comment"
DIRECTIVE = "directive"

# Names before a bracket that call nothing
_NOT_CALLED = frozenset(
    "if while for switch return sizeof typeof __typeof__ likely unlikely".split()
)

# A blank line's end and the condition after it, at the beginning of a text
_OPENING = re.compile(r"(\r?\n)#[ \t]*if[^\n]*\n")

# An identifier or a keyword, and comments, for use without a tokenizer.
WORD = re.compile(r"[A-Za-z_]\w*")
# gcc ignores white space between a backslash and the line's end. Beginning with one literal, and without a
# look at each character for an end, it is searched for in half of the time.
COMMENTS = re.compile(
    r"/(?:\*[^*]*\*+(?:[^/*][^*]*\*+)*/|/(?:\\[ \t\r]*\n|[^\n])*)", re.DOTALL
)

OUTSIDE_CODE = re.compile(
    COMMENTS.pattern + r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'""", re.S
)

_TOKEN = re.compile(
    r"""
    (?P<comment>/\*.*?\*/|//(?:\\[ \t\r]*\n|[^\n])*)
  | (?P<directive>(?<![^\n])[ \t]*\#(?:[^\n"'/\\]+|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
      |/\*.*?\*/|//(?:\\[ \t\r]*\n|[^\n])*|\\[ \t\r]*\n|[^\n])*)
  | (?P<string>L?"(?:\\.|[^"\\\n])*"|L?'(?:\\.|[^'\\\n])*')
  | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_$]\w*)
  | (?P<punctuation><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|\S)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """One token of C; a preprocessor directive is a single token.

    A tuple, as millions are created: a frozen dataclass takes three times as long.
    """

    kind: str
    text: str
    start: int
    end: int


def tokenize(text: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    """All tokens from ``start`` up to ``end``, comments and directives included."""
    # Token() itself is a function in Python, which takes as long as the rest.
    create = tuple.__new__
    return tuple(
        [
            create(Token, (match.lastgroup, match[0], *match.span()))
            for match in _TOKEN.finditer(text, start, len(text) if end is None else end)
        ]
    )


def bare(text: str) -> str:
    """A text with a blank for each comment."""
    return OUTSIDE_CODE.sub(lambda m: " " if m[0][0] == "/" else m[0], text)


def code_in(text: str) -> tuple[Token, ...]:
    """The tokens of a text that are code: no comments, no directives."""
    return tuple(t for t in tokenize(text) if t.kind not in (COMMENT, DIRECTIVE))


@lru_cache(maxsize=4)
def _line_starts(text: str) -> list[int]:
    return [0] + [m.end() for m in re.finditer("\n", text)]


class Part(Protocol):
    """Anything with a place in a text: an expression, a statement, a token."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


@dataclass(frozen=True)
class Source:
    """A file's text, with data derived from it on demand.

    Only the text between the offsets ``low`` and ``high`` is tokenized, usually one function, as
    most of a file is never needed.
    """

    file: str
    text: str
    low: int = 0
    high: int | None = None

    @cached_property
    def line_starts(self) -> list[int]:
        """Offset of the first character of each line."""
        return _line_starts(self.text)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens between ``low`` and ``high``."""
        return tokenize(self.text, self.low, self.high)

    @cached_property
    def code(self) -> tuple[Token, ...]:
        """The tokens that are code: no comments, no directives."""
        return tuple(t for t in self.tokens if t.kind not in (COMMENT, DIRECTIVE))

    @cached_property
    def _code_starts(self) -> list[int]:
        return [t.start for t in self.code]

    @cached_property
    def _token_starts(self) -> list[int]:
        return [t.start for t in self.tokens]

    def offset(self, line: int, column: int) -> int:
        """The offset of a spatch position, whose columns count bytes."""
        start = self.line_starts[line - 1]
        text = self.line(line)
        if not text.isascii():
            column = len(
                text.encode("utf-8", "surrogateescape")[:column].decode(
                    "utf-8", "surrogateescape"
                )
            )
        return start + column

    def column(self, offset: int) -> int:
        """The inverse of `offset`: the column spatch would give."""
        before = self.text[self.line_starts[self.line_of(offset) - 1] : offset]
        return len(before.encode("utf-8", "surrogateescape"))

    def line_of(self, offset: int) -> int:
        """The line of an offset, starting at 1."""
        return bisect.bisect_right(self.line_starts, offset)

    def line(self, number: int) -> str:
        """The text of a line without its newline."""
        start = self.line_starts[number - 1]
        end = self.text.find("\n", start)
        return self.text[start : len(self.text) if end < 0 else end]

    def of(self, part: Part) -> str:
        """The text of an expression, a statement or a token."""
        return self.text[part.start : part.end]

    def indent(self, offset: int) -> str:
        """The white space that begins the line of an offset."""
        line = self.line(self.line_of(offset))
        return line[: len(line) - len(line.lstrip())]

    def code_between(self, start: int, end: int) -> tuple[Token, ...]:
        """Code tokens that begin in ``[start, end)``."""
        low = bisect.bisect_left(self._code_starts, start)
        return self.code[low : bisect.bisect_left(self._code_starts, end)]

    def tokens_between(self, start: int, end: int) -> tuple[Token, ...]:
        """All tokens that begin in ``[start, end)``."""
        low = bisect.bisect_left(self._token_starts, start)
        return self.tokens[low : bisect.bisect_left(self._token_starts, end)]

    def has_directive(self, start: int, end: int) -> bool:
        """Whether there is a preprocessor directive between two offsets."""
        return any(t.kind == DIRECTIVE for t in self.tokens_between(start, end))


def closing(
    tokens: Sequence[Token], opening: int, end: int | None = None
) -> int | None:
    """Index of the bracket that closes the one at ``opening``, before ``end``; None if cut off."""
    depth = 0
    for index in range(opening, len(tokens) if end is None else end):
        if tokens[index].text in ("(", "[", "{"):
            depth += 1
        elif tokens[index].text in (")", "]", "}"):
            depth -= 1
            if depth == 0:
                return index
    return None


def is_member(tokens: Sequence[Token], index: int) -> bool:
    """Whether the name at an index is that of a member: ``.name`` or ``->name``."""
    return index > 0 and tokens[index - 1].text in (".", "->")


def called(tokens: Sequence[Token]) -> Iterator[Token]:
    """The names that code calls, macros included; keywords and branch hints do not count."""
    for token, follower in zip(tokens, tokens[1:]):
        if token.kind == NAME and follower.text == "(":
            if token.text not in _NOT_CALLED:
                yield token


def closing_at(text: str, opening: int) -> int | None:
    """Offset of the brace that closes the one at an offset of a text; None if cut off."""
    depth = 0
    for match in _TOKEN.finditer(text, opening):
        depth += (match[0] == "{") - (match[0] == "}")
        if depth == 0:
            return match.start()
    return None


def split(tokens: Sequence[Token], separator: str) -> list[tuple[Token, ...]]:
    """Split tokens at separators outside brackets; parts may be empty."""
    found: list[tuple[Token, ...]] = []
    start = depth = 0
    for index, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        if token.text == separator and depth == 0:
            found.append(tuple(tokens[start:index]))
            start = index + 1
    return [*found, tuple(tokens[start:])]


def arguments_in(text: str) -> list[str]:
    """The arguments in the text between the parentheses of a call."""
    pieces = split(tokenize(text), ",")
    return [text[p[0].start : p[-1].end] if p else "" for p in pieces]


def expression_at(tokens: Sequence[Token], start: int) -> tuple[Token, ...]:
    """The tokens of an expression, up to the end of its statement, declarator or bracket."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += (tokens[index].text in "([{") - (tokens[index].text in ")]}")
        if depth < 0 or (depth == 0 and tokens[index].text in (";", ",")):
            return tuple(tokens[start:index])
    return tuple(tokens[start:])


def apply(text: str, edits: tuple[Edit, ...]) -> str:
    """The text with all edits applied; raises ValueError if two overlap.

    Two that insert text at one place under the same #if share it.
    """
    parts: list[str] = []
    done = 0
    inserted: int | None = None
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        if edit.start < done:
            raise ValueError(f"edits overlap at offset {edit.start}")
        if inserted == edit.start == edit.end:
            shared = _under_one_if(parts[-1], edit.text)
            if shared is not None:
                parts[-1] = shared
                continue
        parts += [text[done : edit.start], edit.text]
        done = edit.end
        inserted = done if edit.start == done else None
    return "".join(parts) + text[done:]


def _under_one_if(first: str, second: str) -> str | None:
    """Two texts as one, if both begin with the same #if and the first ends with its #endif."""
    opening = _OPENING.match(first)
    if opening is None or not second.startswith(opening[0]):
        return None
    body = first.removesuffix(f"#endif{opening[1]}")
    rest = second[opening.end() :]
    return f"{body}{opening[1]}{rest}" if body != first else None
