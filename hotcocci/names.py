# SPDX-License-Identifier: GPL-2.0
"""Words of messages: file names as git quotes them, text of a tree without control characters, counted nouns.

A name in a tree may have any bytes but NUL, and a terminal obeys some of them.
"""

import os
import re
import textwrap
from collections.abc import Sequence

_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f"}
_ESCAPES |= {"\r": "r", '"': '"', "\\": "\\"}
_ESCAPED = re.compile(r"\\([0-3][0-7]{2}|.)")


def quoted(name: str) -> str:
    """A file name as it is, or as a C string if a terminal would not just show it.

    git quotes it so, too, but also for a quotation mark or backslash alone.
    """
    if name.isprintable():
        return name
    return f'"{"".join(map(_escaped, name))}"'


def printable(text: str) -> str:
    """A text of any lines in which a terminal finds nothing to obey."""
    if text.isprintable():
        return text
    return "".join(
        character
        if character.isprintable() or character in "\n\t"
        else _escaped(character)
        for character in text
    )


def unquoted(name: str) -> str:
    """The file name that a diff has, which is one character per byte, quoted or not."""
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = _ESCAPED.sub(_character, name[1:-1])
    return os.fsdecode(name.encode("latin-1"))


def _character(escaped: re.Match[str]) -> str:
    """The character of an escape that git writes; others stay as they are."""
    if len(escaped[1]) > 1:
        return chr(int(escaped[1], 8))
    return next((c for c, e in _ESCAPES.items() if e == escaped[1]), escaped[0])


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return f"\\{_ESCAPES[character]}"
    if character.isprintable():
        return character
    data = character.encode("utf-8", "surrogateescape")
    return "".join(f"\\{byte:03o}" for byte in data)


def count(number: int, what: str) -> str:
    """Return a number and a noun, in the plural unless the number is 1."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def lines_named(lines: Sequence[int]) -> str:
    """Line numbers with their word: ``lines 5, 7``."""
    return f"line{'s' * (len(lines) > 1)} {', '.join(map(str, lines))}"


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table, whose columns are as wide as their widest cell."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def wrapped(text: str, width: int, first: str = "", others: str = "") -> list[str]:
    """The lines of a paragraph; ``first`` and ``others`` begin its lines. Long words are not broken."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
