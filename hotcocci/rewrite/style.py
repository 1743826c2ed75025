# SPDX-License-Identifier: GPL-2.0
"""Make rewritten lines follow kernel coding style.

checkpatch.pl checks an added line as a whole, and asks for the missing spaces in
``if(get_user(x, p)){``. Other lines are left alone, except for the braces and the
indentation of a single statement after a changed condition. See 3) and 3.1) of
Documentation/process/coding-style.rst.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from hotcocci.c.source import Token, tokenize
from hotcocci.findings import Edit, Rewrite
from hotcocci.rewrite.layout import WIDTH, aligned, break_offset

_KEYWORDS = ("if", "for", "while", "switch")
_ASSIGNMENTS = "= += -= *= /= %= &= |= ^= <<= >>=".split()
_CONDITION = re.compile(r"(?P<indent>\t*)if ?\(")
# The end of a one-line condition
_CLOSED = re.compile(r"[^\n{}]*\)(?=[ \t]*\{?\n)")
# A single statement without calls or loads, so that no other rule inserts a statement
# before it.
_PLAIN = (
    r"(?:return|return -?\w+|return \(-?\w+\)|goto \w+|break|continue|\w+ = -?\w+);"
)
_BODY = re.compile(rf"\n(?P<indent>\t+){_PLAIN}\n")
_BRACED = re.compile(
    rf"(?P<open>[ \t]*\{{)\n\t+{_PLAIN}\n(?P<close>(?P<indent>\t*)\}}\n)(?![ \t]*else\b)"
)


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
    edge = Token("", "", end, end)
    for one, other in pairwise([*tokenize(text, start, end), edge]):
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
