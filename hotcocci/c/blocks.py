# SPDX-License-Identifier: GPL-2.0
"""Find the top-level block of a line, and brackets that do not match, in code that does not parse."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotcocci.c.conditionals import Condition, conditions
from hotcocci.c.source import Source, Token

_PAIRS = {")": "(", "]": "[", "}": "{"}
# What each bracket or comment needs
ENDS = _PAIRS | {opens: closes for closes, opens in _PAIRS.items()} | {"/*": "*/"}
# A word in the first column that is no label
_HEAD = re.compile(r"[A-Za-z_](?!\w*\s*:(?!:))")
# What may come before a definition, after a line's comments
_BEFORE = re.compile(r"\s*$|.*[;}]\s*$|.*\*/\s*$|//")


def block(lines: Sequence[str], line: int) -> tuple[int, int]:
    """The first and last line of the definition, or other top-level code, around a line.

    It goes by blanks and columns, as in kernel style: brackets need not match. Lines start at 1.
    """
    at = min(line, len(lines)) - 1
    first = last = at
    if _in_macro(lines, at):
        while first and lines[first - 1].endswith("\\"):
            first -= 1
        while last + 1 < len(lines) and lines[last].endswith("\\"):
            last += 1
        return first + 1, last + 1
    while first and not (_begins(lines, first) or _closes(lines[first - 1])):
        first -= 1
    while last + 1 < len(lines) and not (
        _closes(lines[last]) or _begins(lines, last + 1)
    ):
        last += 1
    return first + 1, last + 1


def mismatches(text: str) -> list[tuple[int, str]]:
    """The lines of brackets and comments without their other ends, each with which.

    There are some only if the first branches of all conditions have one, and the last branches, too.
    """
    source = Source("", text)
    first, last = (_taken(source, branch) for branch in (False, True))
    if not (_mismatches(source, first) and _mismatches(source, last)):
        return []
    return _mismatches(source, first, by_column=True) or _mismatches(source, first)


def _mismatches(
    source: Source, code: Sequence[Token], by_column: bool = False
) -> list[tuple[int, str]]:
    """The same for code of one configuration.

    With ``by_column``, a function ends where a brace closes in the first column.
    """
    found: list[tuple[Token, str]] = []
    opened: list[tuple[Token, str]] = []
    for token, following in zip(code, [*code[1:], None]):
        if token.text in ("(", "[", "{"):
            opened.append((token, token.text))
        elif token.text in _PAIRS:
            matches = bool(opened) and opened[-1][1] == _PAIRS[token.text]
            if matches:
                opened.pop()
            if by_column and token.text == "}" and not source.column(token.start):
                found += opened[-1:] or ([] if matches else [(token, token.text)])
                opened.clear()
            elif not matches:
                found.append((token, token.text))
        elif token.text == "/" and following and following.start == token.end:
            found += [(token, "/*")] if following.text.startswith("*") else []
    return [(source.line_of(t.start), what) for t, what in found + opened[-1:]]


def _taken(source: Source, last: bool) -> list[Token]:
    """The code if the first, or the last, branch of each condition is compiled."""
    gone = [
        (branch.start, branch.end)
        for condition in conditions(source.text)
        for number, branch in enumerate(condition.branches)
        if number != _number(condition, last)
    ]
    code = source.code
    return [t for t in code if not any(low <= t.start < high for low, high in gone)]


def _number(condition: Condition, last: bool) -> int:
    """The number of the first branch, or of the last, which is that of an absent #else."""
    first, *others = condition.branches
    if last:
        return len(others) + (not others or not condition.closed)
    # "#if 0" has no first branch.
    return int(first.word == "if" and bool(re.match(r"0\b", first.test)))


def _begins(lines: Sequence[str], at: int) -> bool:
    """Whether a definition begins at a line."""
    return bool(_HEAD.match(lines[at])) and (
        not at or bool(_BEFORE.match(lines[at - 1])) or _in_macro(lines, at - 1)
    )


def _closes(line: str) -> bool:
    return line.startswith("}")


def _in_macro(lines: Sequence[str], at: int) -> bool:
    while at and lines[at - 1].endswith("\\"):
        at -= 1
    return lines[at].lstrip().startswith("#")
