# SPDX-License-Identifier: GPL-2.0
"""Merge the reports of several engines: one violation per line and rule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from hotcocci.findings import ENGINES, Edit, Finding, Note, Report


@dataclass(frozen=True)
class Violation(Finding):
    """A rule violated at a line, the engines that found it, and the message of the first.

    ``also`` are further lines where the same cause violates it.
    """

    engines: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    fix: tuple[Edit, ...] = ()
    also: tuple[Note, ...] = ()


def violated(
    rule: str,
    file: str,
    line: int,
    function: str | None,
    message: str,
    engines: tuple[str, ...],
    notes: tuple[Note, ...] = (),
    fix: tuple[Edit, ...] = (),
) -> Violation:
    """A violation, which has one line."""
    found = Violation(rule, file, line, line, function, message, engines=engines)
    return replace(found, notes=notes, fix=fix)


def merge(reports: Iterable[Report]) -> list[Violation]:
    """Merge reports into one violation per file, line and rule, sorted in that order.

    The message is that of the first engine in the order of the rulebook's table, which sees
    most of the source; function, notes and fix come from the first engine that has them.
    """
    places: dict[tuple[str, int, str], list[Report]] = {}
    for report in reports:
        places.setdefault((report.file, report.line, report.rule), []).append(report)
    merged = []
    for (file, line, rule), said in sorted(places.items()):
        ordered = sorted(said, key=lambda r: (ENGINES.index(r.engine), r.message))
        first = ordered[0]
        engines = tuple(dict.fromkeys(r.engine for r in ordered))
        function = next((r.function for r in ordered if r.function), None)
        notes = next((r.notes for r in ordered if r.notes), ())
        fix = next((r.fix for r in ordered if r.fix), ())
        merged.append(
            violated(rule, file, line, function, first.message, engines, notes, fix)
        )
    return merged
