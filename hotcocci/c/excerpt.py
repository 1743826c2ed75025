# SPDX-License-Identifier: GPL-2.0
"""Empty the bodies of functions that do not matter, to speed up a slow parser.

Declarations, macros and types are kept. The lines of an emptied body are removed, so that an
excerpt does not change with the rest of its file; `Excerpt.line` gives a line's number there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass

# Both braces alone in the first column, as in kernel style (coding-style.rst, "Placing Braces
# and Spaces"). Functions in another style are kept.
_FUNCTION = re.compile(
    rb"^\{[ \t]*\n(?P<body>.*?)^\}[ \t]*(?:/\*[^\n]*\*/[ \t]*)?$",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(rb"/\*.*?\*/|//[^\n]*", re.DOTALL)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(\w*)", re.MULTILINE)
# How many open conditions a directive adds; other directives may matter after the function.
_DEPTH = {b"if": 1, b"ifdef": 1, b"ifndef": 1, b"endif": -1, b"else": 0, b"elif": 0}
_INERT = frozenset({b"pragma", b"error", b"warning", b"line", b""})
_STATEMENT_END = (b"\n}", b";\n", b"\n\n")


InFunction = Callable[[str, bytes, bytes], bool]
"""Whether a function matters, given the file, the text before its body, and its body, with or
without comments. It must not reject a function with findings."""
InCode = Callable[[bytes], bool]
"""Whether a piece of code matters, such as one argument of a call."""


@dataclass(frozen=True)
class Wanted:
    """What of a file matters: the functions to parse, and what must stay of one to simplify."""

    function: InFunction
    code: InCode


@dataclass(frozen=True)
class Excerpt:
    """The text, and the first and last line of each function that matters, starting at 1.

    ``cuts`` are the lines before which some were removed, and ``removed`` how many were in all.
    """

    text: bytes
    wanted: tuple[tuple[int, int], ...]
    cuts: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()

    def line(self, number: int) -> int:
        """The number in the file of a line of the excerpt."""
        before = bisect_right(self.cuts, number)
        return number + self.removed[before - 1] if before else number


def excerpt(file: str, text: bytes, wanted: InFunction) -> Excerpt:
    """A file in which only wanted functions keep their bodies, with the line ends of `joined`."""
    text = joined(text)
    parts: list[bytes] = []
    kept: list[tuple[int, int]] = []
    cuts: list[int] = []
    removed: list[int] = []
    # Lines count in the excerpt.
    end = line = gone = 0
    for found in _FUNCTION.finditer(text):
        body = found["body"]
        line += text.count(b"\n", end, found.start())
        lines = body.count(b"\n") + 1
        bare = _COMMENT.sub(b"", body)
        head = _head(text[end : found.start()])
        matters = wanted(file, head, bare)
        if matters:
            kept.append((line + 1, line + 1 + lines))
        # A comment start inside a string would hide what follows.
        leave = not (matters or wanted(file, head, body)) and _stands_alone(bare)
        parts.append(text[end : found.start()])
        parts.append(b"{\n}" if leave else found[0])
        if leave and lines > 1:
            gone += lines - 1
            lines = 1
            cuts.append(line + 2)
            removed.append(gone)
        line += lines
        end = found.end()
    parts.append(text[end:])
    return Excerpt(b"".join(parts), tuple(kept), tuple(cuts), tuple(removed))


def joined(text: bytes) -> bytes:
    """A file with Unix line ends: spatch joins no line that ends in a backslash and CR LF to the next."""
    return text.replace(b"\r\n", b"\n")


def missed(lines: Iterable[int], part: Excerpt) -> list[tuple[int, int]]:
    """The wanted functions of an excerpt without any of these lines in it: spatch did not see them."""
    places = list(lines)
    return [
        (first, last)
        for first, last in part.wanted
        if not any(first <= line <= last for line in places)
    ]


def _head(before: bytes) -> bytes:
    """The declarator at the end of the text before a body, without comments."""
    before = _COMMENT.sub(b"", before).rstrip()
    return before[max(before.rfind(end) for end in _STATEMENT_END) + 1 :]


def _stands_alone(body: bytes) -> bool:
    """Whether no comment or condition extends beyond the body, and it defines no macro."""
    if b"/*" in body or b"*/" in body:
        return False
    depth = 0
    for directive in _DIRECTIVE.finditer(body):
        word = directive[1]
        if word in _INERT:
            continue
        if word not in _DEPTH or (_DEPTH[word] == 0 and depth == 0):
            return False
        depth += _DEPTH[word]
        if depth < 0:
            return False
    return depth == 0
