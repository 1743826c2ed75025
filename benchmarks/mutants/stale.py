# SPDX-License-Identifier: GPL-2.0
"""Mutations that read values once too often, too early, or too late."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Unit, Way, masked, neighbours, replaced, units

READ = re.compile(r"\b(?:(?:unsafe_|__)?get_user|copy_from_user|memdup_user)\(")
CALL = re.compile(r"\b(?!(?:if|for|while|return|switch|sizeof|typeof)\b)[a-z_]\w*\(")
LOADED = re.compile(
    r"(?<![\w.>&])[a-z_]\w*(?:->\w+)+\b(?!\s*(?:\(|=(?!=)|\+\+|--|\.|->|\[))"
)
SET = re.compile(r"\t(?P<name>[a-z_]\w*) = (?P<value>[a-z_]\w*(?:->\w+)+);$")
FAR = 4


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield double fetches, values kept across a call, and values read again instead of kept."""
    pairs = neighbours(lines)
    after = {a.start: b for a, b in pairs}
    for first, _ in pairs:
        row = [first]
        while row[-1].start in after and len(row) <= FAR:
            row.append(after[row[-1].start])
            yield from _kept(lines, row)
            if READ.search(first.text):
                again = (
                    *lines[row[-1].start : row[-1].end],
                    *lines[first.start : first.end],
                )
                last = row[-1]
                yield Way("stale: double fetch", last.start, last.end, again)
    for unit in units(lines):
        if unit.is_simple and READ.search(unit.text):
            both = tuple(lines[unit.start : unit.end]) * 2
            yield Way("stale: double fetch", unit.start, unit.end, both)
    yield from _again(lines)


def _kept(lines: Sequence[str], row: Sequence[Unit]) -> Iterator[Way]:
    """Load what the last of some statements loads before the first of them."""
    over = masked("\n".join(unit.text for unit in row[:-1]))
    last = row[-1]
    if not CALL.search(over):
        return
    for found in LOADED.finditer(masked(last.text)):
        text = last.text[slice(*found.span())]
        name = f"kept_{found.start()}_{len(lines)}"
        kept = f"{row[0].indent}typeof({text}) {name} = {text};"
        used = replaced("", last, *found.span(), name).lines
        before = lines[row[0].start : last.start]
        yield Way("stale: over call", row[0].start, last.end, (kept, *before, *used))


def _again(lines: Sequence[str]) -> Iterator[Way]:
    """Load a variable again where it is used."""
    known: dict[str, str] = {}
    for unit in units(lines):
        for name, value in known.items():
            for found in re.finditer(
                rf"(?<![\w.>]){name}\b(?!\s*=(?!=))", masked(unit.text)
            ):
                yield replaced("stale: loaded again", unit, *found.span(), value)
        if found_set := SET.match(unit.text[max(len(unit.indent) - 1, 0) :]):
            known[found_set["name"]] = found_set["value"]
