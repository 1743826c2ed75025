# SPDX-License-Identifier: GPL-2.0
"""The side of cocci/hot_load.cocci that is Python: spatch calls these functions."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c import seen
from hotcocci.c.seen import source_of, span_of
from hotcocci.c.source import NAME, tokenize
from hotcocci.findings import SAFE, Rewrite
from hotcocci.rewrite.hot import is_hot
from hotcocci.rewrite.loads.accessor_tree import accessors_for
from hotcocci.rewrite.session import Decider, options_for
from hotcocci.tree.kernel import find_root

_TYPE_WORDS = frozenset("struct const".split())
_everywhere: list[bool] = []
# The first statement of each function, by file and by name and last line of the function
_first: dict[tuple[str, str, str], Any] = {}
# What takes the place of expressions, by file, start and end; what each function declares, by its
# name; the locals that are widened, by function and name
_texts: dict[tuple[str, int, int], str] = {}
_declared: dict[str, str] = {}
_widened: set[tuple[str, str]] = set()


def begin(everywhere: str) -> None:
    """Whether all functions are looked at, for a profile to choose from, or those listed as hot."""
    _everywhere[:] = [bool(everywhere)]


def hot(places: Any) -> bool:
    """Whether a position lies in a function that is to be looked at."""
    place = places[0]
    return _looked_at(place.file, place.current_element)


@lru_cache(maxsize=65536)
def _looked_at(file: str, function: str) -> bool:
    if any(_everywhere):
        return True
    relative = _relative(file)
    return relative is not None and is_hot(relative, "", function, None)


@lru_cache(maxsize=64)
def _relative(file: str) -> str | None:
    path = seen.whole(file).resolve()
    root = find_root(path)
    return str(path.relative_to(root)) if root else None


def note(place: Any) -> None:
    """A statement; the first in the text of a function will stand for the function."""
    seen.note_statement(place)
    function = (place.file, place.current_element, place.current_element_line_end)
    known = _first.get(function)
    if known is None or int(place.line) < int(known.line):
        _first[function] = place


def noted() -> None:
    """The file is through: the texts for its functions are known."""
    for place in _first.values():
        seen.note_access("", "", place)
    _first.clear()


def judge_files(decide: Decider, files: list[str], tier: str) -> list[tuple[Any, str]]:
    """The places to report in the files just processed, with messages.

    What is to be written waits for `replaced`, `becomes`, `widened` and `declares`.
    """
    reports = []
    for known in (_texts, _declared, _widened):
        known.clear()
    for file in files:
        facts = seen.facts_of(file)
        root = find_root(Path(file))
        relative = _relative(file)
        if root is None or relative is None or not facts.accesses:
            continue
        text = source_of(file).text
        own = replace(facts, file=relative)
        options = options_for(root, "", "")
        options = replace(options, accessors=accessors_for(root, relative))
        for rewrite in decide(text, own, options)[1]:
            finding = rewrite.finding
            if finding.tier not in (SAFE, tier):
                continue
            first = next(a for a in facts.accesses if a.function == finding.function)
            place = seen.place_of(file, first)
            where = f"line {finding.line}: " if first.call.line != finding.line else ""
            reports.append((place, f"{finding.rule} {where}{finding.message}"))
            _remember(file, rewrite)
    seen.forget()
    return reports


def _remember(file: str, rewrite: Rewrite) -> None:
    """The edits of a rewrite as SmPL makes them."""
    finding = rewrite.finding
    if rewrite.shape == "widen":
        _widened.add((finding.function or "", finding.base or ""))
        return
    if rewrite.shape == "inline":
        for edit in rewrite.edits:
            _texts[file, edit.start, edit.end] = edit.text
        return
    inserted = [edit for edit in rewrite.edits if edit.start == edit.end]
    text = source_of(file).text
    at = inserted[0].start
    above = {t.text for t in tokenize(text, text.rfind("\n{", 0, at) + 2, at)}
    needed = {t.text for t in tokenize(inserted[0].text) if t.kind == NAME}
    if len(inserted) > 1 or "=" in above or above & needed - _TYPE_WORDS:
        return  # SmPL declares at the top of a function: before what this one needs
    for edit in rewrite.edits:
        if edit.start != edit.end:
            _texts[file, edit.start, edit.end] = edit.text
    _declared[finding.function or ""] = inserted[0].text.strip().removesuffix(";")


def widened(places: Any, name: str) -> bool:
    """Whether a local of that name is widened in the function around a position.

    Its own position may have moved, by what took another place before.
    """
    return (places[0].current_element, name) in _widened


def replaced(places: Any) -> bool:
    """Whether another text takes the place of the expression at a position."""
    return _text(places[0]) is not None


def becomes(carrier: Any, place: Any) -> None:
    """Bind what takes the place of an expression."""
    carrier.text = _text(place)


def _text(place: Any) -> str | None:
    start, end = source_of(place.file).range(span_of(place))
    return _texts.get((place.file, start, end))


def declares(carrier: Any, function: str) -> bool:
    """Bind what a function is to declare; False if that is nothing."""
    declaration = _declared.get(function)
    if declaration is None:
        return False
    carrier.declared = declaration
    return True
