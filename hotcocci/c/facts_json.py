# SPDX-License-Identifier: GPL-2.0
"""Convert facts to and from JSON, which semantic patches use to return them to hotcocci."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from hotcocci.findings import Access, Facts, Span, TypedExpression
from hotcocci.records import rebuilt


def dump(facts: Facts) -> dict[str, Any]:
    """Facts as plain lists, without the file's name."""
    return {
        "accesses": [
            [
                a.name,
                a.function,
                a.function_line,
                a.function_end_line,
                _list(a.call),
                a.value,
                a.pointer,
                a.size,
            ]
            for a in facts.accesses
        ],
        "types": [[t.line, t.column, t.text, t.target] for t in facts.types],
        "locals": [[t.line, t.column, t.text, t.target] for t in facts.locals],
        "statements": [_list(s) for s in facts.statements],
    }


def load(data: dict[str, Any], file: str) -> Facts:
    """The inverse of `dump`, or no facts; raises KeyError or TypeError on anything else.

    "unseen", the lines that the facts lack, is left out.
    """
    if data.keys() <= {"unseen"}:
        return Facts(file)
    return Facts(
        file,
        tuple(
            Access(name, function, line, end_line, Span(*call), *arguments)
            for name, function, line, end_line, call, *arguments in data["accesses"]
        ),
        tuple(TypedExpression(*t) for t in data["types"]),
        tuple(TypedExpression(*t) for t in data["locals"]),
        tuple(Span(*s) for s in data["statements"]),
    )


def check(data: dict[str, Any]) -> None:
    """Raise KeyError, TypeError or ValueError if these are no facts."""
    rebuilt(Facts, asdict(load(data, "")))
    rebuilt(tuple[int, ...], data.get("unseen", ()))


def renumbered(data: dict[str, Any], line: Callable[[int], int]) -> dict[str, Any]:
    """The same facts with other line numbers; empty facts stay empty."""
    unseen = {"unseen": [line(n) for n in data["unseen"]]} if "unseen" in data else {}
    if data.keys() <= {"unseen"}:
        return unseen
    return unseen | {
        "accesses": [
            [name, function, line(first), line(last), _lines(call, line), *rest]
            for name, function, first, last, call, *rest in data["accesses"]
        ],
        "types": [[line(number), *rest] for number, *rest in data["types"]],
        "locals": [[line(number), *rest] for number, *rest in data["locals"]],
        "statements": [_lines(span, line) for span in data["statements"]],
    }


def merged(
    one: dict[str, Any], other: dict[str, Any], ranges: Sequence[tuple[int, int]]
) -> dict[str, Any]:
    """The facts of one, and those of the other between these lines, in source order; either may be empty."""

    def inside(line: int) -> bool:
        return any(first <= line <= last for first, last in ranges)

    return {
        kind: sorted(
            [
                *one.get(kind, ()),
                *(item for item in other.get(kind, ()) if inside(place(item)[0])),
            ],
            key=place,
        )
        for kind, place in _PLACES.items()
    }


# Where each kind of fact has its line and column
_PLACES: dict[str, Callable[[list[Any]], list[int]]] = {
    "accesses": lambda access: access[4][:2],
    "types": lambda typed: typed[:2],
    "locals": lambda typed: typed[:2],
    "statements": lambda span: span[:2],
}


def _lines(span: list[int], line: Callable[[int], int]) -> list[int]:
    first, column, last, end_column = span
    return [line(first), column, line(last), end_column]


def _list(span: Span) -> list[int]:
    return [span.line, span.column, span.end_line, span.end_column]
