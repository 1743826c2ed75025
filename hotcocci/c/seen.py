# SPDX-License-Identifier: GPL-2.0
"""Record what SmPL has matched, for the script rules of a semantic patch.

spatch calls these functions, file by file; once a file is through, what was noted of it is
taken, or handed over to hotcocci where it runs the script.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c.facts_json import dump
from hotcocci.c.source import NAME, Source, tokenize
from hotcocci.findings import Access, Facts, Span, TypedExpression

# Environment variables, set if hotcocci runs the script, that name the folder of the excerpts
# given to spatch (see `hotcocci.c.excerpt`) and the folder of the whole files.
EXCERPTS = "HOTCOCCI_EXCERPTS"
WHOLE = "HOTCOCCI_WHOLE"

_accesses: dict[str, list[Access]] = {}
_types: dict[str, list[TypedExpression]] = {}
_locals: dict[str, list[TypedExpression]] = {}
_statements: dict[str, list[Span]] = {}
_functions: set[tuple[str, str]] = set()
_places: dict[tuple[str, int, int], Any] = {}


@lru_cache(maxsize=64)
def whole(file: str) -> Path:
    """The whole file for a file given to spatch, which may be an excerpt."""
    path = Path(file)
    excerpts = os.environ.get(EXCERPTS)
    if excerpts is None or not path.is_relative_to(excerpts):
        return path
    return Path(os.environ[WHOLE]) / path.relative_to(excerpts)


@lru_cache(maxsize=4)
def source_of(file: str) -> Source:
    """The whole text of the file spatch is working on."""
    with open(
        whole(file), encoding="utf-8", errors="surrogateescape", newline=""
    ) as stream:
        return Source(file, stream.read())


def span_of(place: Any) -> Span:
    """A spatch position as a span."""
    return Span(
        int(place.line), int(place.column), int(place.line_end), int(place.column_end)
    )


def note_access(value: str, pointer: str, place: Any, size: str = "") -> None:
    """Record an access that SmPL matched; ``place`` is the position of its name."""
    source = source_of(place.file)
    start, end = source.range(span_of(place))
    name = next(
        (t.text for t in tokenize(source.text, start, end) if t.kind == NAME), ""
    )
    access = Access(
        name,
        place.current_element,
        int(place.current_element_line),
        int(place.current_element_line_end),
        span_of(place),
        value,
        pointer,
        size,
    )
    _accesses.setdefault(place.file, []).append(access)
    _places[(place.file, access.call.line, access.call.column)] = place
    _functions.add((place.file, place.current_element_line_end))


def functions_by_access() -> list[tuple[tuple[str, str], Access]]:
    """All distinct accesses, each with its function, given as file and last line."""
    return [
        ((file, str(access.function_end_line)), access)
        for file, known in _accesses.items()
        for access in set(known)
    ]


def keep(functions: set[tuple[str, str]]) -> bool:
    """Forget the functions that are not among these; False if none is left."""
    _functions.intersection_update(functions)
    return bool(_functions)


def place_of(file: str, access: Access) -> Any:
    """The position that spatch gave for an access, for use in its reports."""
    return _places[(file, access.call.line, access.call.column)]


def has_access(places: Any) -> bool:
    """Whether a position is in a function that was kept."""
    return (places[0].file, places[0].current_element_line_end) in _functions


def note_type(text: str, target: str, place: Any) -> None:
    """Record an expression of pointer type in an access, and the type it points to."""
    typed = TypedExpression(int(place.line), int(place.column), text, target)
    _types.setdefault(place.file, []).append(typed)


def note_local(text: str, type_: str, place: Any) -> None:
    """Record a local variable in the value of an access, and its type."""
    typed = TypedExpression(int(place.line), int(place.column), text, type_)
    _locals.setdefault(place.file, []).append(typed)


def types_in(file: str, access: Access) -> dict[str, str]:
    """The recorded types of the variables in the function of an access, by name."""
    lines = range(access.function_line, access.function_end_line + 1)
    return {
        typed.text: typed.target
        for typed in (*_types.get(file, ()), *_locals.get(file, ()))
        if typed.line in lines
    }


def note_statement(place: Any) -> None:
    """Record a statement of a function that contains an access."""
    _statements.setdefault(place.file, []).append(span_of(place))


def facts_of(file: str) -> Facts:
    """Return the facts recorded for a file, in the order of the text, and forget them."""
    return Facts(
        file,
        tuple(
            sorted(
                set(_accesses.pop(file, [])), key=lambda a: (a.call.line, a.call.column)
            )
        ),
        tuple(
            sorted(set(_types.pop(file, [])), key=lambda t: (t.line, t.column, t.text))
        ),
        tuple(
            sorted(set(_locals.pop(file, [])), key=lambda t: (t.line, t.column, t.text))
        ),
        tuple(sorted(set(_statements.pop(file, [])), key=lambda s: (s.line, s.column))),
    )


def hand_over(files: list[str], path: str) -> None:
    """Append the facts of the files just processed, one JSON object per line."""
    with open(path, "a", encoding="utf-8") as out:
        for file in files:
            out.write(json.dumps({"file": file, "facts": dump(facts_of(file))}) + "\n")
    forget()


def forget() -> None:
    """Forget all facts before processing other files."""
    _functions.clear()
    _places.clear()
