# SPDX-License-Identifier: GPL-2.0
"""Record what SmPL matches, for the script rules of a semantic patch."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
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

    A place is a position as spatch gives it. ``functions`` are the functions whose statements are
    to be matched, each as a file and its last line.
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
    statements: defaultdict[str, set[Span]] = field(
        default_factory=lambda: defaultdict(set)
    )
    functions: set[tuple[str, int]] = field(default_factory=set)

    def note_access(self, value: str, pointer: str, place: Any, size: str = "") -> None:
        """Record an access; ``place`` is the position of its name."""
        access = _access(value, pointer, place, size)
        self.accesses[place.file].add(access)
        self.functions.add((place.file, access.function_end_line))

    def note_function(self, place: Any) -> None:
        """Record a statement; the first of a function stands for its accesses."""
        self.note_statement(place)
        known = self.accesses[place.file]
        first = [a for a in known if _is_in(place, a)]
        if all(int(place.line) < access.call.line for access in first):
            known.difference_update(first)
            known.add(_access("", "", place))

    def note_type(self, text: str, target: str, place: Any) -> None:
        """Record an expression of pointer type in an access, and the type it points to."""
        self.types[place.file].add(_typed(text, target, place))

    def note_local(self, text: str, type_: str, place: Any) -> None:
        """Record a local variable in the value of an access, and its type."""
        self.locals[place.file].add(_typed(text, type_, place))

    def note_statement(self, place: Any) -> None:
        """Record a statement of a function that contains an access."""
        self.statements[place.file].add(_span(place))

    def keep(self, wanted: Callable[[Facts], bool]) -> bool:
        """Keep the functions whose facts so far are wanted; False if none is left."""
        self.functions = {f for f in self.functions if wanted(self._function(*f))}
        return bool(self.functions)

    def is_kept(self, places: Any) -> bool:
        """Whether a position is in a function that was kept."""
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
            tuple(sorted(self.statements[file], key=lambda s: (s.line, s.column))),
        )

    def hand_over(self, files: list[str], path: str) -> None:
        """Append the facts on these files to a file, one JSON object per line."""
        with open(path, "a", encoding="utf-8") as out:
            for file in files:
                record = {"file": file, "facts": dump(self.facts(file))}
                out.write(json.dumps(record) + "\n")

    def _function(self, file: str, end: int) -> Facts:
        """The facts on the function that ends in a line."""
        facts = self.facts(file)
        own = tuple(a for a in facts.accesses if a.function_end_line == end)
        # spatch knows no first line of a function that a macro begins (SYSCALL_DEFINE).
        others = (a.function_end_line for a in facts.accesses)
        lines = range(max((e for e in others if e < end), default=0) + 1, end + 1)
        return Facts(
            file,
            own,
            tuple(t for t in facts.types if t.line in lines),
            tuple(t for t in facts.locals if t.line in lines),
        )


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


def _is_in(place: Any, access: Access) -> bool:
    """Whether a position is in the function of an access."""
    return (
        function_of(place) == access.function
        and int(place.current_element_line_end) == access.function_end_line
    )


def _typed(text: str, type_: str, place: Any) -> TypedExpression:
    return TypedExpression(int(place.line), int(place.column), text, type_)


def _span(place: Any) -> Span:
    return Span(
        int(place.line), int(place.column), int(place.line_end), int(place.column_end)
    )
