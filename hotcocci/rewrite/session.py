# SPDX-License-Identifier: GPL-2.0
"""The side of a semantic patch that is Python: spatch calls these functions.

A `.cocci` script notes what SmPL matches, file by file. Once a file is through,
its facts either go to a JSON file (hotcocci runs the script) or are decided upon
here, and SmPL prints or pastes the outcome (coccicheck runs the script).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c import seen
from hotcocci.c.seen import source_of, span_of
from hotcocci.c.source import Source
from hotcocci.c.syntax import Function, functions
from hotcocci.findings import (
    SAFE,
    Access,
    Edit,
    Facts,
    Finding,
    Rewrite,
    Span,
)
from hotcocci.rewrite.hot import is_hot
from hotcocci.rewrite.options import AUTO, Options, options_of
from hotcocci.rewrite.copies.dispatch import may_be_dispatch
from hotcocci.rewrite.copies.calls import CALL
from hotcocci.rewrite.copies.sizes import is_constant, is_record
from hotcocci.rewrite.pasting import Paste, pastes
from hotcocci.rewrite.worth import loop_around
from hotcocci.tree.kernel import find_root, probe

Decider = Callable[[str, Facts, Options], tuple[list[Finding], list[Rewrite]]]

_calls: dict[tuple[str, Span], str] = {}
_pastes: dict[tuple[str, Span], tuple[str, Paste]] = {}
_roles: set[tuple[str, str, Span]] = set()


def runs_possible(or_loops: bool = False) -> bool:
    """Keep only the functions with two accesses or more; False if there is none.

    With ``or_loops`` also those that `loops_possible` keeps.
    """
    counted = Counter(place for place, _ in seen.functions_by_access())
    kept = {place for place, number in counted.items() if number > 1}
    return seen.keep(kept | _looping() if or_loops else kept)


def loops_possible() -> bool:
    """Keep only the functions with a loop before an access; False if there is none."""
    return seen.keep(_looping())


def _looping() -> set[tuple[str, str]]:
    looping = set()
    for place, access in seen.functions_by_access():
        source = source_of(place[0])
        if loop_around(source.text, source.range(access.call)[0]):
            looping.add(place)
    return looping


def copies_possible(everywhere: str) -> bool:
    """Keep only the functions with a copy to be looked at closer; False if there is none.

    That is one of a scalar, one of a structure in a function that is likely to be hot (of every
    other it is only told that it is there), and one whose size a command or a caller may give.
    ``everywhere`` not empty: hot or not.
    """
    kept = set()
    for place, access in seen.functions_by_access():
        if place not in kept and _is_looked_at(place[0], access, bool(everywhere)):
            kept.add(place)
    return seen.keep(kept)


def _is_looked_at(path: str, access: Access, everywhere: bool) -> bool:
    source = source_of(path)
    if not is_constant(access.size):
        return may_be_dispatch(source.text, source.range(access.call)[0])
    if everywhere or not is_record(access.size, seen.types_in(path, access)):
        return True
    file = seen.whole(path).resolve()
    root = find_root(file)
    relative = str(file.relative_to(root)) if root else ""
    return is_hot(relative, source.text, access.function, None)


@lru_cache(maxsize=4)
def options_for(root: Path, api: str, min_run: str) -> Options:
    """The options of a stand-alone run: what the tree offers, and the -D settings."""
    return options_of(root, probe(root), api or AUTO, int(min_run) if min_run else None)


def judge_files(
    decide: Decider, files: list[str], api: str, min_run: str, tier: str
) -> list[tuple[Any, str]]:
    """Decide on the files just processed; the places to report, with messages.

    Unless ``tier`` says prepared, only what needs no preparation counts: coccicheck has
    no one to ask. What is to be pasted waits for `paste` and `replaces`.
    """
    reports = []
    _calls.clear()
    _pastes.clear()
    _roles.clear()
    for file in files:
        facts = seen.facts_of(file)
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
            calls = [r for r in own if r.shape == CALL]
            for rewrite in calls:
                (edit,) = rewrite.edits
                access = _access_of(rewrite, function, source)
                _calls[(file, access.call)] = edit.text
            # Edits before the function cannot be pasted: they are only reported.
            apart = [r for r in own if any(e.start < function.start for e in r.edits)]
            own = [r for r in own if r.shape != CALL and r not in apart]
            made = pastes(source, function, _distinct(own)) if own else []
            if made is None:
                # A declaration cannot be pasted: what needs none still can.
                own = [r for r in own if r.finding.tier == SAFE]
                made = pastes(source, function, _distinct(own)) if own else []
            for paste in made or ():
                number = str(len(_pastes))
                _pastes[(file, paste.replaced)] = (number, paste)
                _roles.add((number, paste.form, paste.replaced))
                _roles.update((number, "member", span) for span in paste.members)
                if paste.run:
                    shown = (paste.replaced, *paste.members)
                    _roles.update((number, "shown", span) for span in shown)
            for rewrite in (*calls, *apart, *(own if made is not None else ())):
                place = seen.place_of(file, _access_of(rewrite, function, source))
                reports.append(
                    (place, f"{rewrite.finding.rule} {rewrite.finding.message}")
                )
    seen.forget()
    return reports


def _within(rewrite: Rewrite, function: Function) -> bool:
    first = function.source.line_of(function.body.start)
    last = function.source.line_of(function.body.end - 1)
    return first <= rewrite.finding.line <= last


def _distinct(rewrites: list[Rewrite]) -> tuple[Edit, ...]:
    return tuple(dict.fromkeys(e for r in rewrites for e in r.edits))


def _access_of(rewrite: Rewrite, function: Function, source: Source) -> Access:
    """The access of a function that a rewrite is about, or begins with."""
    starts = {edit.start for edit in rewrite.edits}
    here = [a for a in function.accesses if a.call.line == rewrite.finding.line]
    exact = [a for a in here if source.range(a.call)[0] in starts]
    return (exact or here)[0]


def is_called(places: Any) -> bool:
    """Whether another call replaces this one."""
    return (places[0].file, span_of(places[0])) in _calls


def call(carrier: Any, place: Any) -> None:
    """Bind what is to stand for the call at this place, and a name for the place."""
    carrier.place = _named(place)
    carrier.text = _calls[(place.file, span_of(place))]


def stands_for(places: Any, place: str) -> bool:
    """Whether a call is the one that was bound under this name."""
    return _named(places[0]) == place


def _named(place: Any) -> str:
    """A place as an identifier, which is all that a script rule can hand on."""
    return f"at_{place.line}_{place.column}"


def is_pasted(places: Any) -> bool:
    """Whether something is to be pasted for this statement."""
    return (places[0].file, span_of(places[0])) in _pastes


def paste(carrier: Any, place: Any) -> bool:
    """Bind what is to be pasted for the statement at this place; False if nothing is."""
    found = _pastes.get((place.file, span_of(place)))
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
    return (number.removeprefix("n"), role, span_of(places[0])) in _roles
