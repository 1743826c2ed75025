# SPDX-License-Identifier: GPL-2.0
"""Empty the bodies of functions that do not matter, to speed up a slow parser.

Line numbers and columns of the remaining text do not change, so positions in an excerpt
are valid in the file. Declarations, macros and types are kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Wanted = Callable[[str, bytes, bytes], bool]
"""Whether a function matters, given the file, the text before its body, and its body, with or
without comments. It must not reject a function with findings."""

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


@dataclass(frozen=True)
class Excerpt:
    """The text, and the first and last line of each function that matters, starting at 1."""

    text: bytes
    wanted: tuple[tuple[int, int], ...]


def excerpt(file: str, text: bytes, wanted: Wanted) -> Excerpt:
    """A file in which only wanted functions keep their bodies."""
    parts: list[bytes] = []
    kept: list[tuple[int, int]] = []
    end = line = 0
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
        parts.append(b"{" + b"\n" * lines + b"}" if leave else found[0])
        line += lines
        end = found.end()
    parts.append(text[end:])
    return Excerpt(b"".join(parts), tuple(kept))


def is_seen(lines: Iterable[int], seen: Excerpt) -> bool:
    """Whether each wanted function contains one of the lines, so none was missed."""
    places = list(lines)
    return all(
        any(first <= line <= last for line in places) for first, last in seen.wanted
    )


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
