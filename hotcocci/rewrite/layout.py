# SPDX-License-Identifier: GPL-2.0
"""Kernel layout for new lines: tabs of 8, 80 columns where possible.

See Documentation/process/coding-style.rst; checkpatch only complains above 100. Accesses in a window
use these in files that have longer lines already, as fs/readdir.c of 7.2.
"""

from __future__ import annotations

import re
from functools import lru_cache

TAB = 8
WIDTH = 80
LIMIT = 100
_WIDE = 200
# "(u32 __user *) &n", "(long) n": always a cast before a name; before an operator only
# with a star.
_CAST = re.compile(
    r"(?<![\w)\]])(\([A-Za-z_][\w *]*(?:\*\) (?=[\w&(*])|\) (?=[A-Za-z_])))"
)
_OPERATOR = re.compile(r"( *(?:\|\||&&))( +)(?=[^\s\\/])")
# "(u32 __user *)" of "(u32 __user *)(p + sizeof(u32))"
_POINTER = re.compile(r"^(\([\w ]+ \*\))(?=\()")
# "&(p->m[1].n)"
_MEMBER = re.compile(r"&\((\w+(?:(?:->|\.)\w+|\[[^][()]*\])+)\)")


def columns(text: str) -> int:
    """The width of a line in columns."""
    return len(text.expandtabs(TAB))


@lru_cache(maxsize=64)
def width_of(text: str) -> int:
    """The width of the lines of a file: that of its longest, up to 100, if one in 200 is longer than 80."""
    lines = text.split("\n")
    widths = [columns(line) for line in lines if len(line) > WIDTH // TAB]
    longer = [width for width in widths if width > WIDTH]
    return min(max(longer), LIMIT) if len(longer) * _WIDE >= len(lines) else WIDTH


def unit_of(text: str) -> str:
    """What one level of a file is indented by: a tab, or blanks, as its least indented line, if none begins with a tab."""
    indents = re.findall(r"^(\t| {2,})(?=[^\s*])", text, re.MULTILINE)
    return "\t" if "\t" in indents else min(indents, default="\t")


def padding(column: int) -> str:
    """White space up to a column: as many tabs as fit, then spaces."""
    return "\t" * (column // TAB) + " " * (column % TAB)


def deeper(indent: str, unit: str) -> str:
    """One level more than an indentation; ``unit`` is a tab, or the blanks that a function is indented by."""
    column = columns(indent + unit)
    return padding(column) if "\t" in indent + unit else " " * column


def aligned(head: str) -> str:
    """White space as wide as a text, of blanks alone if the text is indented by blanks alone."""
    own = head[: len(head) - len(head.lstrip())]
    column = columns(head)
    return " " * column if own and "\t" not in own else padding(column)


def call(
    indent: str,
    name: str,
    arguments: tuple[str, ...],
    ending: str = ";",
    width: int = WIDTH,
) -> str:
    """A call on one line of up to ``width`` columns, else aligned after its open parenthesis."""
    head = f"{indent}{name}("
    one = head + ", ".join(arguments) + ")" + ending
    if columns(one) <= width and "\n" not in one:
        return one
    lines = _wrapped(head, aligned(head), arguments, ending)
    if max(columns(line) for line in lines) > LIMIT:
        leading = head[: len(head) - len(head.lstrip())]
        lines = _wrapped(head, leading + "\t\t", arguments, ending)
    if max(columns(line) for line in lines) > LIMIT:
        lines = _wrapped(head, aligned(head), arguments, ending, apart=True)
    return "\n".join(lines)


def _wrapped(
    head: str,
    pad: str,
    arguments: tuple[str, ...],
    ending: str,
    apart: bool = False,
) -> list[str]:
    """The lines of a call whose arguments continue after ``pad``; ``apart``: also after a cast."""
    pieces = [argument + "," for argument in arguments[:-1]]
    pieces.append(arguments[-1] + ")" + ending)
    if apart:
        pieces = [part for piece in pieces for part in _POINTER.split(piece) if part]
    lines: list[str] = []
    current = head
    for piece in pieces:
        space = "" if current in (head, pad) or not current.endswith(",") else " "
        if current not in (head, pad) and columns(current + space + piece) > WIDTH:
            lines.append(current)
            current, space = pad, ""
        current += space + piece
    return [*lines, current]


def break_offset(head: str, text: str, tail: str) -> tuple[int, int] | None:
    """Where to break a condition that is too long, outside of ``text``.

    Returns the white space after an operator that follows it, as offsets into ``tail``;
    None if the line fits, if it would still be too long, and in other statements.
    """
    operator = _OPERATOR.match(tail)
    if operator is None or head.strip() not in ("if (", "else if (", "} else if ("):
        return None
    whole, first = (columns(head + text + t) for t in (tail, operator[1]))
    return operator.span(2) if WIDTH < whole <= LIMIT and first <= WIDTH else None


def reindent(text: str, old: str, new: str) -> str:
    """Move lines from one indentation to another; alignment is kept."""
    moved = []
    for line in text.split("\n"):
        moved.append(new + line[len(old) :] if line.startswith(old) else line)
    return "\n".join(moved)


def squeeze(text: str) -> str:
    """Put an expression on one line, unless it has a comment, without redundant spaces and parentheses."""
    if "/*" in text or "//" in text:
        return text
    one = " ".join(text.split())
    if '"' in one or "'" in one:
        return one
    return _MEMBER.sub(r"&\1", _CAST.sub(lambda cast: cast[1].rstrip(), one))
