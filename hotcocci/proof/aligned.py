# SPDX-License-Identifier: GPL-2.0
"""Pad two versions of a file with blank lines, so that a line in both has the same number in both.

``__LINE__`` is then the same before and after in all code that a change leaves alone, and a constant
that differs is a difference.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

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
