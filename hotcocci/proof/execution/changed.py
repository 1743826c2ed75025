# SPDX-License-Identifier: GPL-2.0
"""What a change touches, by lines."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

# What always leaves code where it is compiled at all.
ACCESS = re.compile(
    r"\b(?:unsafe_\w+|__(?:get|put)_user|(?:get|put|copy_(?:to|from))_user\w*|user_\w*access_begin)\s*\("
)
# The first line of a function, as diff shows it.
HEADER = re.compile(
    r"(?=[A-Za-z_])(?:\w*SYSCALL_DEFINE\d\(|.*?\b(?=\w+\s*\())(?P<name>\w+)"
)


@dataclass(frozen=True)
class Hunk:
    """Lines that differ, by number before and after, and the function that they stand in.

    ``accesses`` tells whether user memory is accessed there, before or after.
    """

    function: str
    old: frozenset[int]
    new: frozenset[int]
    accesses: bool


@dataclass(frozen=True)
class Changed:
    """A file and all of its hunks."""

    file: str
    hunks: tuple[Hunk, ...]

    @property
    def old(self) -> frozenset[int]:
        """The numbers of all lines that differ, before."""
        return frozenset(line for hunk in self.hunks for line in hunk.old)

    @property
    def new(self) -> frozenset[int]:
        """Likewise after."""
        return frozenset(line for hunk in self.hunks for line in hunk.new)


def changed_lines(file: str, old: str, new: str) -> Changed:
    """The hunks of a change; where lines are only added or only gone, their neighbours count."""
    before, after = old.splitlines(), new.splitlines()
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    hunks = []
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        touched = [*before[a:b], *after[c:d]]
        hunks.append(
            Hunk(
                _function(after, c),
                frozenset(range(a + 1, b + 1)) or frozenset({a, a + 1}),
                frozenset(range(c + 1, d + 1)) or frozenset({c, c + 1}),
                any(ACCESS.search(line) for line in touched),
            )
        )
    return Changed(file, tuple(hunks))


def _function(lines: list[str], at: int) -> str:
    """The function that a line stands in, as far as the text shows it."""
    for line in reversed(lines[: at + 1]):
        header = HEADER.match(line)
        if header and not line.rstrip().endswith((";", ":")):
            return header["name"]
    return ""
