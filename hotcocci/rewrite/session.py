# SPDX-License-Identifier: GPL-2.0
"""The side of a semantic patch that is Python: spatch calls these functions.

A `.cocci` script notes what SmPL matches, file by file. Once a file is through,
its facts either go to a JSON file (hotcocci runs the script) or are decided upon
here, and SmPL prints or pastes the outcome (coccicheck runs the script).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c.source import NAME, Source, tokenize
from hotcocci.c.syntax import Function, functions
from hotcocci.findings import (
    SAFE,
    Access,
    Edit,
    Facts,
    Finding,
    Rewrite,
    Span,
    TypedExpression,
)
from hotcocci.rewrite.context import Options
from hotcocci.rewrite.facts_json import dump
from hotcocci.rewrite.pasting import Paste, pastes
from hotcocci.rewrite.window import CLASSIC, MIN_RUN, SCOPED
from hotcocci.rewrite.worth import loop_above
from hotcocci.tree.kernel import architectures, find_root, probe

Decider = Callable[[str, Facts, Options], tuple[list[Finding], list[Rewrite]]]

_accesses: dict[str, list[Access]] = {}
_types: dict[str, list[TypedExpression]] = {}
_locals: dict[str, list[TypedExpression]] = {}
_statements: dict[str, list[Span]] = {}
_functions: set[tuple[str, str]] = set()
_places: dict[tuple[str, int, int], Any] = {}
_pastes: dict[tuple[str, Span], tuple[str, Paste]] = {}
_roles: set[tuple[str, str, Span]] = set()


@lru_cache(maxsize=4)
def source_of(file: str) -> Source:
    """The text spatch is working on."""
    with open(file, encoding="utf-8", errors="surrogateescape", newline="") as stream:
        return Source(file, stream.read())


def _span(place: Any) -> Span:
    return Span(
        int(place.line), int(place.column), int(place.line_end), int(place.column_end)
    )


def note_access(value: str, pointer: str, place: Any) -> None:
    """An access that SmPL matched; ``place`` is the position of its name."""
    source = source_of(place.file)
    start, end = source.range(_span(place))
    name = next(
        (t.text for t in tokenize(source.text, start, end) if t.kind == NAME), ""
    )
    access = Access(
        name,
        place.current_element,
        int(place.current_element_line),
        int(place.current_element_line_end),
        _span(place),
        value,
        pointer,
    )
    _accesses.setdefault(place.file, []).append(access)
    _places[(place.file, access.call.line, access.call.column)] = place
    _functions.add((place.file, place.current_element_line_end))


def runs_possible() -> bool:
    """Keep only the functions with two accesses or more; False if there is none."""
    counted = Counter(
        (file, str(a.function_end_line))
        for file, known in _accesses.items()
        for a in set(known)
    )
    _functions.intersection_update(
        place for place, number in counted.items() if number > 1
    )
    return bool(_functions)


def loops_possible() -> bool:
    """Keep only the functions with a loop before an access; False if there is none."""
    looping = {
        (file, str(access.function_end_line))
        for file, known in _accesses.items()
        for access in known
        if loop_above(source_of(file).text, source_of(file).range(access.call)[0])
    }
    _functions.intersection_update(looping)
    return bool(_functions)


def has_access(places: Any) -> bool:
    """Whether a position lies in a function that was kept."""
    return (places[0].file, places[0].current_element_line_end) in _functions


def note_type(text: str, target: str, place: Any) -> None:
    """An expression of pointer type in an access, and the type it points to."""
    typed = TypedExpression(int(place.line), int(place.column), text, target)
    _types.setdefault(place.file, []).append(typed)


def note_local(text: str, type_: str, place: Any) -> None:
    """A local variable in the value of an access, and its type."""
    typed = TypedExpression(int(place.line), int(place.column), text, type_)
    _locals.setdefault(place.file, []).append(typed)


def note_statement(place: Any) -> None:
    """A statement of a function that holds an access."""
    _statements.setdefault(place.file, []).append(_span(place))


def facts_of(file: str) -> Facts:
    """What was noted of a file, in the order of the text and forgotten here."""
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
    """Append the facts of the files just processed, a JSON object a line."""
    with open(path, "a", encoding="utf-8") as out:
        for file in files:
            out.write(json.dumps({"file": file, "facts": dump(facts_of(file))}) + "\n")
    _forget()


def _forget() -> None:
    _functions.clear()
    _places.clear()


@lru_cache(maxsize=4)
def options_for(root: Path, api: str, min_run: str) -> Options:
    """The options of a stand-alone run: what the tree offers, and the -D settings."""
    features = probe(root)
    if not api:
        api = SCOPED if features.scoped else CLASSIC
    return Options(
        root,
        api,
        int(min_run or MIN_RUN[api]),
        features.arm_get_u64,
        architectures(root),
        features.gain_arches,
    )


def judge_files(
    decide: Decider, files: list[str], api: str, min_run: str, tier: str
) -> list[tuple[Any, str]]:
    """Decide on the files just processed; the places to report, with messages.

    Unless ``tier`` says prepared, only what needs no preparation counts: coccicheck has
    no one to ask. What is to be pasted waits for `paste` and `replaces`.
    """
    reports = []
    _pastes.clear()
    _roles.clear()
    for file in files:
        facts = facts_of(file)
        root = find_root(Path(file))
        if root is None or not facts.accesses:
            continue
        source = source_of(file)
        relative = str(Path(file).resolve().relative_to(root))
        options = options_for(root, api, min_run)
        _, rewrites = decide(source.text, replace(facts, file=relative), options)
        wanted = [r for r in rewrites if r.finding.tier in (SAFE, tier)]
        for function in functions(source, facts):
            own = [r for r in wanted if _within(r, function)]
            made = pastes(source, function, _distinct(own)) if own else []
            if made is None:
                # A declaration cannot be pasted: what needs none still can.
                own = [r for r in own if r.finding.tier == SAFE]
                made = pastes(source, function, _distinct(own)) if own else []
            if made is None:
                continue
            for paste in made:
                number = str(len(_pastes))
                _pastes[(file, paste.replaced)] = (number, paste)
                _roles.add((number, paste.form, paste.replaced))
                _roles.update((number, "member", span) for span in paste.members)
                if paste.run:
                    shown = (paste.replaced, *paste.members)
                    _roles.update((number, "shown", span) for span in shown)
            for rewrite in own:
                access = next(
                    a for a in function.accesses if a.call.line == rewrite.finding.line
                )
                place = _places[(file, access.call.line, access.call.column)]
                reports.append(
                    (place, f"{rewrite.finding.rule} {rewrite.finding.message}")
                )
    _forget()
    return reports


def _within(rewrite: Rewrite, function: Function) -> bool:
    first = function.source.line_of(function.body.start)
    last = function.source.line_of(function.body.end - 1)
    return first <= rewrite.finding.line <= last


def _distinct(rewrites: list[Rewrite]) -> tuple[Edit, ...]:
    return tuple(dict.fromkeys(e for r in rewrites for e in r.edits))


def paste(carrier: Any, place: Any) -> bool:
    """Bind what is to be pasted for the statement at this place; False if nothing is."""
    found = _pastes.get((place.file, _span(place)))
    if found is None:
        return False
    number, what = found
    carrier.number = f"n{number}"
    carrier.text = what.text or "none"
    carrier.head = what.head or "none"
    carrier.arguments = what.arguments or "none"
    carrier.inner = what.inner or "none"
    return True


def replaces(places: Any, number: str, role: str) -> bool:
    """Whether a statement plays a role in the paste of a number."""
    return (number.removeprefix("n"), role, _span(places[0])) in _roles
