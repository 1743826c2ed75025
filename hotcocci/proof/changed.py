# SPDX-License-Identifier: GPL-2.0
"""Find the lines and tokens that a change touches, and pad both versions so that the others keep their numbers.

A line in both has the same number in both. ``__LINE__`` is then the same before and after in all code that a
change leaves alone, and a constant that differs is a difference.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from typing import NamedTuple

from hotcocci.c.source import (
    COMMENT,
    COMMENTS,
    DIRECTIVE,
    NAME,
    Source,
    Token,
    closing,
    split,
    tokenize,
)
from hotcocci.proof.objects.pieces import Pieces, pieces

WORD = re.compile(r"\s*#\s*(\w+)(?:\s+(\w+))?")
_SPACE = re.compile(r"(?:\s|\\\n)+")
# Macros by their names, and those in small letters with #, as mutex_init() and static_assert()
_STRINGS = re.compile(r"\w*[A-Z]\w*|__stringify\w*|\w*assert\w*|\w*init\w*")
# Directives that begin and end branches
CONDITIONS = frozenset("if ifdef ifndef elif else elifdef elifndef endif".split())
# Those that decide what is compiled, or which line that is
DECIDING = CONDITIONS | {"line"}
# Pairs of tokens to compare, which takes a second; all differ in what has more.
MOST = 4_000_000


@dataclass(frozen=True)
class Text(Source):
    """One version of a file; its tokens are without comments."""

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        return tuple(t for t in tokenize(self.text) if t.kind != COMMENT)

    @cached_property
    def pieces(self) -> Pieces:
        """The pieces of its functions."""
        return pieces(self.text)

    def lines(self) -> dict[int, list[Token]]:
        """The tokens that begin on each line that has any."""
        found: dict[int, list[Token]] = {}
        for token in self.tokens:
            found.setdefault(self.line_of(token.start), []).append(token)
        return found


def word_of(token: Token) -> str:
    """What a directive is: "if", "define" and so on; empty for other tokens. A number alone is a "line"."""
    found = WORD.match(token.text) if token.kind == DIRECTIVE else None
    word = found[1] if found else ""
    return "line" if word.isdecimal() else word


def defined(token: Token) -> str:
    """The name that a directive defines; empty if it defines none."""
    found = WORD.match(token.text) if word_of(token) == "define" else None
    return (found[2] or "") if found else ""


def differing(old: Text, new: Text) -> tuple[list[Token], list[Token]]:
    """The tokens of each version that the other has not, in two texts with aligned lines."""
    sides = old.lines(), new.lines()
    found: tuple[list[Token], list[Token]] = ([], [])
    for run in _runs(*sides):
        lines = [[side[n] for n in run if n in side] for side in sides]
        keys = [[tuple(map(_key, each)) for each in several] for several in lines]
        for a, b, c, d in _unequal(*keys):
            tokens = (
                [t for line in lines[0][a:b] for t in line],
                [t for line in lines[1][c:d] for t in line],
            )
            if len(tokens[0]) * len(tokens[1]) > MOST:
                found[0].extend(tokens[0])
                found[1].extend(tokens[1])
                continue
            for e, f, g, h in _unequal(*([_key(t) for t in each] for each in tokens)):
                found[0].extend(tokens[0][e:f])
                found[1].extend(tokens[1][g:h])
    return found


def through(text: Text, names: set[str]) -> set[str]:
    """These names, and the macros of a text that use one of them, also through others."""
    known = set(names)
    bodies = {
        name: {t.text for t in tokenize(WORD.sub("", token.text)) if t.kind == NAME}
        for token in text.tokens
        if (name := defined(token))
    }
    more = known
    while more:
        more = {n for n, body in bodies.items() if n not in known and body & known}
        known |= more
    return known


def uses(text: Text, names: set[str]) -> Iterator[Token]:
    """The tokens that use a macro, also through other macros of this text; conditions of #if too."""
    known = through(text, names)
    for token in text.tokens:
        if token.kind == NAME and token.text in known:
            yield token
        elif word_of(token) in CONDITIONS:
            if known & {t.text for t in tokenize(token.text.replace("#", " "))}:
                yield token


def _key(token: Token) -> str:
    if token.kind != DIRECTIVE:
        return token.text
    return _SPACE.sub(" ", COMMENTS.sub(" ", token.text)).replace("# ", "#").strip()


def _runs(old: dict[int, list[Token]], new: dict[int, list[Token]]) -> list[list[int]]:
    """Runs of lines that differ; lines without tokens on either side do not end one."""
    found: list[list[int]] = [[]]
    for line in sorted(old.keys() | new.keys()):
        sides = [list(map(_key, side.get(line, ()))) for side in (old, new)]
        if sides[0] != sides[1]:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [run for run in found if run]


def _unequal(
    old: Sequence[Hashable], new: Sequence[Hashable]
) -> Iterator[tuple[int, int, int, int]]:
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag != "equal":
            yield a, b, c, d


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
        file, (texts[0], texts[1]), (tuple(before.numbers), tuple(after.numbers))
    )


def is_layout(aligned: Aligned) -> bool:
    """Whether a compiler reads the same after a change."""
    texts = [Text(aligned.file, text) for text in aligned.texts]
    if any(differing(texts[0], texts[1])):
        return False
    return _spelled(texts[0]) == _spelled(texts[1])


def _spelled(text: Text) -> list[str]:
    """The arguments of macros that may make strings of them, in which white space counts."""
    code = [token for token in text.tokens if token.kind not in (COMMENT, DIRECTIVE)]
    found = []
    for at in range(1, len(code)):
        if code[at].text == "(" and _STRINGS.fullmatch(code[at - 1].text):
            for argument in split(code[at + 1 : closing(code, at)], ","):
                following = zip(argument, argument[1:])
                gaps = [" " * (b.start > a.end) + b.text for a, b in following]
                found.append("".join([t.text for t in argument[:1]] + gaps))
    return found


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
        frozenset(lines | _uses(Text(file, text), lines))
        for lines, text in zip(touched, (old, new), strict=True)
    )
    return Changed(file, before, after, aligned(file, old, new))


def _uses(own: Text, lines: set[int]) -> frozenset[int]:
    """The lines that use a macro which is defined on one of ``lines``, directly or indirectly."""
    names = {
        name
        for token in own.tokens
        if (name := defined(token))
        and not lines.isdisjoint(
            range(own.line_of(token.start), own.line_of(token.end - 1) + 1)
        )
    }
    found = uses(own, names) if names else ()
    return frozenset(own.line_of(t.start) for t in found if t.kind == NAME)
