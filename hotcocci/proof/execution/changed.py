# SPDX-License-Identifier: GPL-2.0
"""Find the lines, functions and macros that a change touches."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from hotcocci.c.source import COMMENTS
from hotcocci.proof.aligned import Aligned, aligned, blocks, lines_of

# User accesses, which always generate code if they are compiled.
ACCESS = re.compile(
    r"\b(?:unsafe_\w+|__(?:get|put)_user|(?:get|put|copy_(?:to|from))_user\w*|user_\w*access_begin)\s*\("
)
CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|endif)\b")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE
)
# Statements that generate code if they are compiled: control flow, and calls other than
# compile-time checks.
STATEMENT = re.compile(
    r"^\s+(?:(?:if|while|for|switch|return|goto)\b|(?!(?:typeof|__typeof__|sizeof|BUILD_BUG_ON\w*|"
    r"static_assert|lockdep_\w+|might_\w+|pr_debug|dev_dbg|DEFINE_\w+|DECLARE_\w+)\b)\w+\s*\()"
)
# Text at column 0 that is not a label.
MARGIN = re.compile(r"^[A-Za-z_}](?!\w*:(?!:))")
DATA = re.compile(r"^(?:struct|union|enum|typedef)\b[^(]*$|[=;]\s*(?:\{\s*)?$|^\}")
# The first line of a function, as diff shows it.
HEADER = re.compile(
    r"(?=[A-Za-z_])(?:\w*SYSCALL_DEFINE\d\(|.*?\b(?=\w+\s*\())(?P<name>\w+)"
)


@dataclass(frozen=True)
class Hunk:
    """A hunk: differing lines before and after, by number, and the enclosing function.

    ``accesses``: it contains a user access, before or after. ``neighbours`` are the sides (0
    before, 1 after) without lines of their own, for which the two adjacent lines are listed.
    ``statements``: it contains a statement that generates code if compiled, or code outside any
    function.
    """

    function: str
    old: frozenset[int]
    new: frozenset[int]
    accesses: bool
    neighbours: frozenset[int] = frozenset()
    statements: bool = False


@dataclass(frozen=True)
class Changed:
    """A changed file and its hunks, by the line numbers of the file as it was given.

    ``aligned`` has the texts to compile. ``conditional`` has the parts of hunks inside an #if branch,
    each with lines of one side.
    """

    file: str
    hunks: tuple[Hunk, ...]
    aligned: Aligned
    conditional: tuple[Hunk, ...] = ()

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
    conditional: list[Hunk] = []
    for equal, (a, b), (c, d) in blocks(before, after):
        if not equal:
            function = _function(after, c)
            conditional += _conditional(function, old, code[0], a, b, 0)
            conditional += _conditional(function, new, code[1], c, d, 1)
            touched = [*code[0][a:b], *code[1][c:d]]
            hunks.append(
                Hunk(
                    function,
                    frozenset(range(a + 1, b + 1)) or frozenset({a, a + 1}),
                    frozenset(range(c + 1, d + 1)) or frozenset({c, c + 1}),
                    any(ACCESS.search(line) for line in touched),
                    frozenset(side for side in (0, 1) if (a == b, c == d)[side]),
                    any(STATEMENT.search(line) for line in touched)
                    or _is_outside(code[0], a, b)
                    or _is_outside(code[1], c, d),
                )
            )
    uses = (
        _uses(old, {line for hunk in hunks for line in hunk.old}),
        _uses(new, {line for hunk in hunks for line in hunk.new}),
    )
    if any(uses):
        hunks.append(Hunk("", *uses, False))
    return Changed(file, tuple(hunks), aligned(file, old, new), tuple(conditional))


def _conditional(
    function: str, text: str, code: list[str], start: int, end: int, side: int
) -> Iterator[Hunk]:
    """The parts of a range of lines that are in an #if branch and contain statements."""
    numbers = regions(text)[start:end]
    for region in dict.fromkeys(number for number in numbers if number):
        lines = [start + n for n, number in enumerate(numbers) if number == region]
        if any(STATEMENT.search(code[line]) for line in lines):
            found = frozenset(line + 1 for line in lines)
            both = (found, frozenset[int]())
            accesses = any(ACCESS.search(code[line]) for line in lines)
            yield Hunk(function, both[side], both[1 - side], accesses, statements=True)


def _is_outside(lines: list[str], start: int, end: int) -> bool:
    """Whether one of these lines has code outside any function."""
    return any(
        lines[at].strip() and lines[at].strip() not in "{}" and not _inside(lines, at)
        for at in range(start, end)
    )


def _inside(lines: list[str], at: int) -> bool:
    """Whether a line is inside a function, judging by the last text at column 0."""
    for line in reversed(lines[: at + 1]):
        if MARGIN.match(line):
            return DATA.search(line) is None
    return False


def regions(text: str) -> list[int]:
    """The number of the innermost #if branch for each line, 0 outside all of them."""
    found: list[int] = []
    inside: list[int] = [0]
    count = 0
    for line in lines_of(text):
        word = CONDITION.match(line)
        if word and word[1] == "endif":
            inside = inside[:-1] or [0]
        elif word and word[1].startswith("if"):
            count += 1
            inside.append(count)
        elif word and len(inside) > 1:
            count += 1
            inside[-1] = count
        found.append(inside[-1])
    return found


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
