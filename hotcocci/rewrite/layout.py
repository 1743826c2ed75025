# SPDX-License-Identifier: GPL-2.0
"""Kernel coding style for new and changed lines: tabs of 8, 80 columns where possible.

See Documentation/process/coding-style.rst; checkpatch only complains above 100. Accesses in a window
use these in files that have longer lines already, as fs/readdir.c of 7.2. checkpatch.pl checks an added line
as a whole, and asks for the missing spaces in ``if(get_user(x, p)){``. Other lines are left alone, except for
the braces and the indentation of a single statement after a changed condition (3 and 3.1 there). Lines that end
with CR LF are read as Unix lines, and written as they were.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from hotcocci.c.source import Token, tokenize
from hotcocci.findings import Edit, Rewrite

TAB = 8
WIDTH = 80
LIMIT = 100
_WIDE = 200
# "(u32 __user *) &n", "(long) n": always a cast before a name; before an operator only with a star.
_CAST = re.compile(
    r"(?<![\w)\]])(\([A-Za-z_][\w *]*(?:\*\) (?=[\w&(*])|\) (?=[A-Za-z_])))"
)
_OPERATOR = re.compile(r"( *(?:\|\||&&))( +)(?=[^\s\\/])")
# "(u32 __user *)" of "(u32 __user *)(p + sizeof(u32))"
_POINTER = re.compile(r"^(\([\w ]+ \*\))(?=\()")
# Blanks that checkpatch.pl does not like: & u -> a
_SPACED = re.compile(r" ?-> ?|\A[&!] ")
# "&(p->m[1].n)"
_MEMBER = re.compile(r"&\((\w+(?:(?:->|\.)\w+|\[[^][()]*\])+)\)")
_WINDOWS = re.compile(r"\r\n")
_KEYWORDS = ("if", "for", "while", "switch")
_ASSIGNMENTS = "= += -= *= /= %= &= |= ^= <<= >>=".split()
_CONDITION = re.compile(r"(?P<indent>\t*)if ?\(")
# The end of a one-line condition
_CLOSED = re.compile(r"[^\n{}]*\)(?=[ \t]*\{?\n)")
# A single statement without calls or loads, so that no other rule inserts a statement before it.
_PLAIN = (
    r"(?:return|return -?\w+|return \(-?\w+\)|goto \w+|break|continue|\w+ = -?\w+);"
)
_BODY = re.compile(rf"\n(?P<indent>\t+){_PLAIN}\n")
_BRACED = re.compile(
    rf"(?P<open>[ \t]*\{{)\n\t+{_PLAIN}\n(?P<close>(?P<indent>\t*)\}}\n)(?![ \t]*else\b)"
)


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
    """One level of a file's indentation: a tab, or blanks, as its least indented line, if none begins with a tab."""
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
    head: str, pad: str, arguments: tuple[str, ...], ending: str, apart: bool = False
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
    """The place to break a condition that is too long, outside of ``text``.

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
    one = _SPACED.sub(lambda spaced: spaced[0].strip(), one)
    return _MEMBER.sub(r"&\1", _CAST.sub(lambda cast: cast[1].rstrip(), one))


def unix(text: str) -> str:
    """The text with Unix line ends; lines and columns of code stay."""
    return text.replace("\r\n", "\n")


def with_ends_of(text: str, edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits of ``unix(text)`` as edits of the text: new lines end as the line where their edit begins."""
    # Offsets in unix(text) of the line ends that are CR LF in the text.
    ends = [match.start() - n for n, match in enumerate(_WINDOWS.finditer(text))]
    if not ends:
        return tuple(edits)
    plain = unix(text)

    def moved(edit: Edit) -> Edit:
        end = plain.find("\n", edit.start)
        if end < 0:
            end = plain.rfind("\n")
        place = bisect_left(ends, end)
        windows = ends[place : place + 1] == [end]
        start, stop = (at + bisect_left(ends, at) for at in (edit.start, edit.end))
        return Edit(
            start, stop, edit.text.replace("\n", "\r\n") if windows else edit.text
        )

    return tuple(map(moved, edits))


@dataclass(frozen=True)
class _Kept:
    """The parts of the changed lines that an edit keeps: ``begin`` to its start, its end to ``end``."""

    begin: int
    end: int


def styled(text: str, rewrites: Sequence[Rewrite]) -> list[Rewrite]:
    """Add edits for the style of changed lines to the rewrites of a file."""
    made = {edit for rewrite in rewrites for edit in rewrite.edits}
    return [_styled(text, rewrite, made) for rewrite in rewrites]


def _styled(text: str, rewrite: Rewrite, made: set[Edit]) -> Rewrite:
    edits = list(rewrite.edits)
    for edit in rewrite.edits:
        kept = _kept(text, edit)
        unbraced = tuple(_single_statement(text, kept, edit))
        if unbraced:
            body = Edit(unbraced[0].start, unbraced[-1].end, "")
            unbraced = () if any(_conflict(body, other) for other in made) else unbraced
        spaces = [
            space
            for low, high in ((kept.begin, edit.start), (edit.end, kept.end))
            for space in _spaces(text, low, high)
            # A brace that is removed needs no space.
            if not any(_conflict(space, other) for other in made)
            and not any(space.start == other.start for other in unbraced)
        ]
        edits += [*spaces, *_line_break(text, edit, made), *unbraced]
    return replace(rewrite, edits=tuple(dict.fromkeys(edits)))


def _kept(text: str, edit: Edit) -> _Kept:
    begin = text.rfind("\n", 0, edit.start) + 1
    end = text.find("\n", edit.end)
    before = text[begin : edit.start] + edit.text
    at_line = edit.end == 0 or text[edit.end - 1] == "\n"
    # Adding or removing whole lines leaves the rest of the line unchanged.
    return _Kept(
        edit.start if edit.text.startswith("\n") else begin,
        edit.end if at_line and before[-1:] in ("", "\n") else max(end, edit.end),
    )


def _spaces(text: str, start: int, end: int) -> Iterator[Edit]:
    """The spaces that are missing between two offsets of one line."""
    for one, other in pairwise([*tokenize(text, start, end), Token("", "", end, end)]):
        if one.text == "/" and other.text.startswith("*"):
            return  # an unterminated comment
        if one.end == other.start and (
            (one.text in _KEYWORDS and other.text == "(")
            or (one.text == ")" and other.text == "{" and not _of_type(text, one.start))
            or (one.text in _ASSIGNMENTS and text[end : end + 1] != "\n")
            or other.text in _ASSIGNMENTS
        ):
            yield Edit(other.start, other.start, " ")


def _line_break(text: str, edit: Edit, made: set[Edit]) -> Iterator[Edit]:
    """Break the line after a call if the rest of the condition does not fit."""
    begin = text.rfind("\n", 0, edit.start) + 1
    end = text.find("\n", edit.end)
    head, tail = text[begin : edit.start], text[edit.end : end]
    if "\n" in edit.text or any(
        _conflict(Edit(begin, end, ""), m) for m in made - {edit}
    ):
        return
    place = break_offset(head, edit.text, tail)
    if place is not None:
        low, high = (edit.end + offset for offset in place)
        yield Edit(low, high, "\n" + aligned(head))


def _of_type(text: str, closed: int) -> bool:
    """Whether a parenthesis closes the type of a compound literal, ``(kuid_t){ 0 }``."""
    depth = 0
    for at in range(closed, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            before = re.search(r"\w*$", text[max(0, at - WIDTH) : at].rstrip())
            return before is None or before[0] in ("", "return")
    return False


def _single_statement(text: str, kept: _Kept, edit: Edit) -> Iterator[Edit]:
    """Remove braces around a single statement after a condition, and indent it by one tab."""
    condition = _CONDITION.match(text, kept.begin, edit.start)
    closed = _CLOSED.match(text, edit.end)
    if condition is None or closed is None or "\n" in edit.text:
        return
    indent = condition["indent"]
    braced = _BRACED.match(text, closed.end())
    if braced is not None and braced["indent"] == indent:
        yield Edit(*braced.span("open"), "")
        yield Edit(*braced.span("close"), "")
    body = _BODY.match(text, closed.end())
    if body is not None and len(body["indent"]) > len(indent) + 1:
        yield Edit(*body.span("indent"), f"{indent}\t")


def _conflict(one: Edit, other: Edit) -> bool:
    """Whether two edits overlap, or insert at the same offset."""
    overlap = one.start < other.end and other.start < one.end
    return overlap or (one.start, one.end) == (other.start, other.end)


def without_lines(start: int, end: int, text: str) -> Edit:
    """Remove the lines of a statement, and a blank line after them that would open a block or be a second."""
    first, after = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1
    doubled = text[:first].rstrip(" \t").endswith(("\n\n", "{\n"))
    return Edit(first, after + (doubled and text[after : after + 1] == "\n"), "")
