# SPDX-License-Identifier: GPL-2.0
"""Python functions called by cocci/user_access_window.cocci."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hotcocci.c import seen
from hotcocci.c.seen import source_of, span_of
from hotcocci.c.source import Source
from hotcocci.c.syntax import Function, Statement, innermost
from hotcocci.findings import Span
from hotcocci.rules.rulebook import WINDOW_RULES
from hotcocci.tree.kernel import find_root, probe
from hotcocci.windows.check import Options, violations
from hotcocci.windows.outcome import Violation

SHOWN = "shown"

_ON_REQUEST = frozenset(rule.code for rule in WINDOW_RULES if rule.on_request)
# Statements to change: an identifier, how to fix it, and the end to write
_wrong: dict[tuple[str, Span], tuple[str, str, str]] = {}


@dataclass(frozen=True)
class Place:
    """A line as a position for spatch's reports."""

    file: str
    line: str
    column: str
    line_end: str
    column_end: str
    current_element: str


@lru_cache(maxsize=4)
def options_for(root: Path) -> Options:
    """The options for a tree, as a stand-alone run needs them."""
    return Options(root, not probe(root).masked_directed)


def judge_files(files: list[str]) -> list[tuple[Place, str]]:
    """Check the files just processed: the positions to report, with messages.

    Their statements are kept for `note` and `takes`.
    """
    reports = []
    _wrong.clear()
    for file in files:
        facts = seen.facts_of(file)
        root = find_root(Path(file))
        if root is None or not facts.accesses:
            continue
        relative = str(Path(file).resolve().relative_to(root))
        source = source_of(file)
        checked = violations(
            source.text, replace(facts, file=relative), options_for(root)
        )
        reported = set()
        for function, found in sorted(checked.found, key=lambda f: f[1].at):
            line = source.line_of(found.at)
            if found.rule in _ON_REQUEST or (line, found.rule) in reported:
                continue
            reported.add((line, found.rule))
            reports.append((_place(file, source, line, function), _said(found)))
            _remember(file, source, function, found)
    seen.forget()
    return reports


def _said(found: Violation) -> str:
    return f"{found.rule} {found.message}"


def _place(file: str, source: Source, number: int, function: Function) -> Place:
    line = source.line(number)
    column = str(len(line) - len(line.lstrip()))
    return Place(file, str(number), column, str(number), str(len(line)), function.name)


def _remember(file: str, source: Source, function: Function, found: Violation) -> None:
    node = innermost(function, found.at)
    if node is function.body:
        return
    span = _span(source, node)
    how, end = SHOWN, "none"
    if found.fix is not None and node.start == found.at and _in_list(node):
        how, end = found.fix.how, found.fix.end or "none"
    if (file, span) not in _wrong or how != SHOWN:
        _wrong[(file, span)] = (f"n{len(_wrong)}", how, end)


def _in_list(node: Statement) -> bool:
    """Whether another statement can precede it without adding braces."""
    return node.parent is not None and node.parent.kind in ("block", "label", "switch")


def _span(source: Source, node: Statement) -> Span:
    first, last = source.line_of(node.start), source.line_of(node.end)
    return Span(first, source.column(node.start), last, source.column(node.end))


def note(carrier: Any, place: Any) -> bool:
    """Bind the fix of the statement at this position; False if it has none."""
    found = _wrong.get((place.file, span_of(place)))
    if found is None:
        return False
    carrier.number, _, carrier.end = found
    return True


def takes(places: Any, number: str, how: str) -> bool:
    """Whether this is the statement with that identifier and that fix."""
    found = _wrong.get((places[0].file, span_of(places[0])))
    if found is None or found[0] != number:
        return False
    return how in (SHOWN, found[1])
