# SPDX-License-Identifier: GPL-2.0
"""Record what SmPL matches, for the script rules of a semantic patch, and hand it over as JSON."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, astuple, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c.source import NAME, Source, tokenize
from hotcocci.findings import Access, Facts, Span, TypedExpression
from hotcocci.records import rebuilt

# Environment variables, set if hotcocci runs the script, that name the folder of the excerpts
# given to spatch (see `hotcocci.c.excerpt`) and the folder of the whole files.
EXCERPTS = "HOTCOCCI_EXCERPTS"
WHOLE = "HOTCOCCI_WHOLE"

# spatch takes the macro of a system call without parameters for the function's name.
_NO_PARAMETERS = re.compile(r"\b\w*SYSCALL\w*_DEFINE0\s*\(\s*(\w+)")


@lru_cache(maxsize=64)
def whole(file: str) -> Path:
    """The file of a kernel tree for a file given to spatch, which may be an excerpt."""
    path = Path(file)
    excerpts = os.environ.get(EXCERPTS)
    if excerpts is None or not path.is_relative_to(excerpts):
        return path
    return Path(os.environ[WHOLE]) / path.relative_to(excerpts)


@lru_cache(maxsize=4)
def source_of(file: str) -> Source:
    """The text of the file spatch is working on."""
    with open(file, encoding="utf-8", errors="surrogateescape", newline="") as stream:
        return Source(file, stream.read())


@dataclass
class Matches:
    """The matches of a semantic patch, by file; a script makes a new one when files are done.

    A place is a position as spatch gives it. ``functions`` are the functions with an access, each as
    a file and its last line.
    """

    accesses: defaultdict[str, set[Access]] = field(
        default_factory=lambda: defaultdict(set)
    )
    types: defaultdict[str, set[TypedExpression]] = field(
        default_factory=lambda: defaultdict(set)
    )
    locals: defaultdict[str, set[TypedExpression]] = field(
        default_factory=lambda: defaultdict(set)
    )
    functions: set[tuple[str, int]] = field(default_factory=set)

    def note_access(self, value: str, pointer: str, place: Any, size: str = "") -> None:
        """Record an access; ``place`` is the position of its name."""
        access = _access(value, pointer, place, size)
        self.accesses[place.file].add(access)
        self.functions.add((place.file, access.function_end_line))

    def note_type(self, text: str, target: str, place: Any) -> None:
        """Record an expression of pointer type in an access, and the type it points to."""
        self.types[place.file].add(_typed(text, target, place))

    def note_local(self, text: str, type_: str, place: Any) -> None:
        """Record a local variable in the value of an access, and its type."""
        self.locals[place.file].add(_typed(text, type_, place))

    def is_kept(self, places: Any) -> bool:
        """Whether a position is in a function with an access."""
        return (
            places[0].file,
            int(places[0].current_element_line_end),
        ) in self.functions

    def facts(self, file: str) -> Facts:
        """The facts on a file, in source order."""
        return Facts(
            file,
            tuple(
                sorted(self.accesses[file], key=lambda a: (a.call.line, a.call.column))
            ),
            tuple(sorted(self.types[file], key=lambda t: (t.line, t.column, t.text))),
            tuple(sorted(self.locals[file], key=lambda t: (t.line, t.column, t.text))),
        )

    def hand_over(self, files: list[str], path: str) -> None:
        """Append the facts on these files to a file, one JSON object per line."""
        with open(path, "a", encoding="utf-8") as out:
            for file in files:
                record = {"file": file, "facts": dump(self.facts(file))}
                out.write(json.dumps(record) + "\n")


def function_of(place: Any) -> str:
    """The name of the function that a position is in."""
    name: str = place.current_element
    if not name.endswith("_DEFINE0"):
        return name
    source = source_of(place.file)
    start, _ = source.range(_span(place))
    found = _NO_PARAMETERS.findall(source.text, 0, start)
    return found[-1] if found else name


def _access(value: str, pointer: str, place: Any, size: str = "") -> Access:
    source = source_of(place.file)
    start, end = source.range(_span(place))
    name = next(
        (t.text for t in tokenize(source.text, start, end) if t.kind == NAME), ""
    )
    return Access(
        name,
        function_of(place),
        int(place.current_element_line),
        int(place.current_element_line_end),
        _span(place),
        value,
        pointer,
        size,
    )


def _typed(text: str, type_: str, place: Any) -> TypedExpression:
    return TypedExpression(int(place.line), int(place.column), text, type_)


def _span(place: Any) -> Span:
    return Span(
        int(place.line), int(place.column), int(place.line_end), int(place.column_end)
    )


def dump(facts: Facts) -> dict[str, Any]:
    """Facts as plain sequences, without the file's name."""
    return {kind: [*map(astuple, getattr(facts, kind))] for kind in _PLACES}


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
}


def _lines(span: list[int], line: Callable[[int], int]) -> list[int]:
    first, column, last, end_column = span
    return [line(first), column, line(last), end_column]
