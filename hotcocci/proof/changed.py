# SPDX-License-Identifier: GPL-2.0
"""Find the lines that a change touches, and pad both versions so that the others keep their numbers.

A line in both has the same number in both. ``__LINE__`` is then the same before and after in all code that a
change leaves alone, and a constant that differs is a difference.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from hotcocci.c.source import COMMENTS

# Converts the line of a compiled file to that of the file as it was given.
Original = Callable[[str, int], int]


def as_given(file: str, line: int) -> int:
    """The numbers of files that were compiled as they were given."""
    del file
    return line


class Block(NamedTuple):
    """Lines of both versions that are equal, or none of which are: first and end, from 0."""

    equal: bool
    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True)
class Aligned:
    """Both versions of a file with padding, and the original number of each line, by side."""

    file: str
    texts: tuple[str, str]
    numbers: tuple[tuple[int, ...], tuple[int, ...]]

    def original(self, side: int) -> Original:
        """The original line numbers of one side: 0 before the change, 1 after it."""
        numbers = self.numbers[side]

        def number(file: str, line: int) -> int:
            own = file == self.file or file.endswith(f"/{self.file}")
            return numbers[line - 1] if own and 0 < line <= len(numbers) else line

        return number


@dataclass
class _Version:
    """One version while it is padded."""

    given: list[str]
    lines: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)

    @property
    def continues(self) -> bool:
        """Whether the next line belongs to the last one, as in a macro: a blank line would end it."""
        return bool(self.lines) and self.lines[-1].rstrip().endswith("\\")

    def take(self, start: int, end: int) -> None:
        self.lines += self.given[start:end]
        self.numbers += range(start + 1, end + 1)

    def pad(self, length: int) -> None:
        missing = length - len(self.lines)
        self.lines += [""] * missing
        self.numbers += self.numbers[-1:] * missing or [1] * missing


def lines_of(text: str) -> list[str]:
    """The lines as a compiler counts them: form feeds, and bytes of UTF-8, end none."""
    return text.removesuffix("\n").split("\n")


def blocks(old: list[str], new: list[str]) -> Iterator[Block]:
    """The ranges of lines that are equal, and those that are not, in order."""
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        yield Block(tag == "equal", (a, b), (c, d))


def aligned(file: str, old: str, new: str) -> Aligned:
    """Pad the shorter side of each difference after its last line."""
    versions = _Version(lines_of(old)), _Version(lines_of(new))
    for block in blocks(versions[0].given, versions[1].given):
        if not block.equal:
            versions[0].take(*block.old)
            versions[1].take(*block.new)
            continue
        for at, other in zip(range(*block.old), range(*block.new), strict=True):
            if not any(version.continues for version in versions):
                longest = max(len(version.lines) for version in versions)
                for version in versions:
                    version.pad(longest)
            versions[0].take(at, at + 1)
            versions[1].take(other, other + 1)
    before, after = versions
    texts = ["\n".join(version.lines) + "\n" for version in versions]
    return Aligned(
        file,
        (texts[0], texts[1]),
        (tuple(before.numbers), tuple(after.numbers)),
    )


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
