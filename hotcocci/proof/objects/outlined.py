# SPDX-License-Identifier: GPL-2.0
"""Find new functions that need what their callers are marked with, where a compiler does not inline them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from hotcocci.c.source import DIRECTIVE, NAME, Token, closing

NEEDS = "a compiler that does not inline it needs {}, as the caller has it"
ELSEWHERE = "a compiler that does not inline it calls {} code from code that stays"

# include/linux/compiler_types.h, compiler_attributes.h, kprobes.h, instrumentation.h
_KEPT = re.compile(r"notrace|noinstr|__kprobes|__cpuidle|__no_(?!return)\w+")
# include/linux/init.h
_DISCARDED = frozenset(("__init", "__exit"))
_ATTRIBUTE = re.compile(
    r"__(?:attribute\w*|printf|scanf|section|aligned|nonnull|alloc_size|acquires|releases)"
)
_INLINED = "__always_inline"
_NOKPROBE = "NOKPROBE_SYMBOL"


class _Function(NamedTuple):
    """A function's marks, and the tokens of its body."""

    marks: frozenset[str]
    body: Sequence[Token]


def outlined(
    own: Sequence[Token], other: Sequence[Token]
) -> Iterator[tuple[Token, str]]:
    """The calls of functions that the other text has not, which are marked otherwise than their callers, and why."""
    known = {token.text for token in other}
    mine = _functions(_code(own))
    # Functions that only get another name are not new.
    renamed = {_said(each) for each in _functions(_code(other)).values()}
    new = {
        name: each.marks
        for name, each in mine.items()
        if name not in known and _said(each) not in renamed
    }
    for caller in mine.values() if new else ():
        for token in caller.body:
            marks = new.get(token.text, caller.marks)
            lost = {m for m in caller.marks - marks if _is_kept(m)}
            stays = (marks & _DISCARDED) - caller.marks
            if _INLINED in marks or not lost | stays or "__ref" in caller.marks:
                continue
            why = NEEDS if lost else ELSEWHERE
            yield token, why.format(" and ".join(sorted(lost or stays)))


def _code(text: Sequence[Token]) -> Sequence[Token]:
    return [token for token in text if token.kind != DIRECTIVE]


def _said(function: _Function) -> tuple[frozenset[str], tuple[str, ...]]:
    """A function without its name."""
    marks = frozenset(filter(_is_mark, function.marks))
    return marks, tuple(token.text for token in function.body)


def _is_mark(mark: str) -> bool:
    return mark in _DISCARDED or mark == _INLINED or _is_kept(mark)


def _is_kept(mark: str) -> bool:
    return mark == _NOKPROBE or _KEPT.fullmatch(mark) is not None


def _functions(code: Sequence[Token]) -> Mapping[str, _Function]:
    """The functions that a text without directives defines, by their names."""
    found: dict[str, _Function] = {}
    blocked = {
        b.text
        for a, _, b in zip(code, code[1:], code[2:])
        if a.text == _NOKPROBE and b.kind == NAME
    }
    at = start = 0
    while at < len(code):
        end = closing(code, at) if code[at].text in ("(", "{") else None
        if code[at].text == "{" and end is not None:
            header = code[start:at]
            name = next(
                (
                    a.text
                    for a, b in zip(header, header[1:])
                    if b.text == "(" and not _ATTRIBUTE.fullmatch(a.text)
                ),
                "",
            )
            marks = {token.text for token in header}
            marks |= {_NOKPROBE} if name in blocked else set()
            # compiler_types.h defines it with that.
            marks |= {"notrace"} if "inline" in marks else set()
            if name:
                found[name] = _Function(frozenset(marks), code[at:end])
            start = end + 1
        elif code[at].text == ";":
            start = at + 1
        at = at + 1 if end is None else end + 1
    return found
