# SPDX-License-Identifier: GPL-2.0
"""Find the lines that a change touches."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotcocci.c.source import COMMENTS
from hotcocci.proof.aligned import Aligned, aligned, blocks, lines_of

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE
)


@dataclass(frozen=True)
class Changed:
    """A changed file: the lines that differ before and after, as numbered in the file as it was given.

    ``aligned`` has the texts to compile.
    """

    file: str
    old: frozenset[int]
    new: frozenset[int]
    aligned: Aligned


def changed_lines(file: str, old: str, new: str) -> Changed:
    """Compare two versions of a file.

    If lines are only added or only removed, the adjacent lines of the other side count as changed.
    A changed macro adds every line that uses it.
    """
    touched: tuple[set[int], set[int]] = set(), set()
    for equal, *sides in blocks(lines_of(old), lines_of(new)):
        for lines, (start, end) in zip(touched, sides, strict=True):
            if not equal:
                lines.update(range(start + 1, end + 1) or (start, start + 1))
    before, after = (
        frozenset(lines | _uses(text, lines))
        for lines, text in zip(touched, (old, new), strict=True)
    )
    return Changed(file, before, after, aligned(file, old, new))


def _code(text: str) -> list[str]:
    """The lines without comments and directives, which generate no code."""
    for pattern in (COMMENTS, DIRECTIVE):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    return lines_of(text)


def _uses(text: str, lines: set[int]) -> frozenset[int]:
    """The lines that use a macro which is defined on one of ``lines``, directly or indirectly."""
    bodies = {
        found["name"]: (text.count("\n", 0, found.start()) + 1, found[0])
        for found in DEFINITION.finditer(text)
    }
    wanted = {
        name
        for name, (line, body) in bodies.items()
        if lines & set(range(line, line + body.count("\n") + 1))
    }
    more = wanted
    while more:
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(wanted)))})\b")
        more = {
            n for n, (_, b) in bodies.items() if n not in wanted and pattern.search(b)
        }
        wanted |= more
    if not wanted:
        return frozenset()
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(wanted)))})\b")
    return frozenset(
        number for number, line in enumerate(_code(text), 1) if pattern.search(line)
    )
