# SPDX-License-Identifier: GPL-2.0
"""Find the lines, functions and macros that a change touches."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from hotcocci.c.source import COMMENTS
from hotcocci.proof.aligned import Aligned, aligned, blocks, lines_of

# User accesses, which always generate code if they are compiled.
ACCESS = re.compile(
    r"\b(?:unsafe_\w+|__(?:get|put)_user|(?:get|put|copy_(?:to|from))_user\w*|user_\w*access_begin)\s*\("
)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE
)
# The first line of a function, as diff shows it.
HEADER = re.compile(
    r"(?=[A-Za-z_])(?:\w*SYSCALL_DEFINE\d\(|.*?\b(?=\w+\s*\())(?P<name>\w+)"
)


@dataclass(frozen=True)
class Hunk:
    """A hunk: differing lines before and after, by number, and the enclosing function.

    ``accesses``: it contains a user access, before or after. ``neighbours`` are the sides (0
    before, 1 after) without lines of their own, for which the two adjacent lines are listed.
    """

    function: str
    old: frozenset[int]
    new: frozenset[int]
    accesses: bool
    neighbours: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Changed:
    """A changed file and its hunks, by the line numbers of the file as it was given.

    ``aligned`` has the texts to compile.
    """

    file: str
    hunks: tuple[Hunk, ...]
    aligned: Aligned

    @property
    def old(self) -> frozenset[int]:
        """All line numbers that differ before the change."""
        return frozenset(line for hunk in self.hunks for line in hunk.old)

    @property
    def new(self) -> frozenset[int]:
        """All line numbers that differ after the change."""
        return frozenset(line for hunk in self.hunks for line in hunk.new)

    def written(self, side: int) -> frozenset[int]:
        """The lines of one side (0 before, 1 after) that differ, without adjacent ones."""
        own = [hunk for hunk in self.hunks if side not in hunk.neighbours]
        return frozenset(line for hunk in own for line in (hunk.old, hunk.new)[side])

    def is_kernel_only(self, old: Collection[int], new: Collection[int]) -> bool:
        """Whether hunks that overlap these old or new lines contain no user access.

        False for lines that use a changed macro: their text does not show what the macro does.
        """
        touched = [
            hunk
            for hunk in self.hunks
            if not (hunk.old.isdisjoint(old) and hunk.new.isdisjoint(new))
        ]
        return bool(touched) and not any(
            hunk.accesses or not hunk.function for hunk in touched
        )


def changed_lines(file: str, old: str, new: str) -> Changed:
    """Compare two versions of a file and return its hunks.

    If lines are only added or only removed, the adjacent lines of the other side count as changed.
    A changed macro adds every line that uses it.
    """
    before, after = lines_of(old), lines_of(new)
    code = _code(old), _code(new)
    hunks = []
    for equal, (a, b), (c, d) in blocks(before, after):
        if not equal:
            function = _function(after, c)
            touched = [*code[0][a:b], *code[1][c:d]]
            hunks.append(
                Hunk(
                    function,
                    frozenset(range(a + 1, b + 1)) or frozenset({a, a + 1}),
                    frozenset(range(c + 1, d + 1)) or frozenset({c, c + 1}),
                    any(ACCESS.search(line) for line in touched),
                    frozenset(side for side in (0, 1) if (a == b, c == d)[side]),
                )
            )
    uses = (
        _uses(old, {line for hunk in hunks for line in hunk.old}),
        _uses(new, {line for hunk in hunks for line in hunk.new}),
    )
    if any(uses):
        hunks.append(Hunk("", *uses, False))
    return Changed(file, tuple(hunks), aligned(file, old, new))


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


def _function(lines: list[str], at: int) -> str:
    """The name of the function that contains a line, as diff would show it; empty if none."""
    for line in reversed(lines[: at + 1]):
        header = HEADER.match(line)
        if header and not line.rstrip().endswith((";", ":")):
            return header["name"]
    return ""
