# SPDX-License-Identifier: GPL-2.0
"""The #if, #elif, #else and #endif lines of a text: what is around a place, and what is never compiled."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from hotcocci.c.expression import Call, Expr, computed
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import Source, Token
from hotcocci.tree.kernel import kernel_version

# Beginning with a literal, it is searched for at several times the speed.
_LINE = re.compile(
    r"#[ \t]*(?P<word>if|ifdef|ifndef|elif|else|endif)\b[ \t]*(?P<test>(?:.*\\\n)*.*)$",
    re.MULTILINE,
)
_DEFINED = re.compile(r"\bdefined\s+(\w+)")
_COMPAT = re.compile(r"^COMPAT_SYSCALL_DEFINE\d", re.MULTILINE)


@dataclass(frozen=True)
class Branch:
    """One branch of a condition: its line, ``#word test``, is at ``at``, its code from ``start`` to ``end``."""

    word: str
    test: str
    at: int
    start: int
    end: int


@dataclass(frozen=True)
class Condition:
    """An #if with its branches in order; ``closed`` is not set if the text has no #endif for it."""

    branches: tuple[Branch, ...]
    closed: bool = True

    @property
    def at(self) -> int:
        """The offset of the #if."""
        return self.branches[0].at


@lru_cache(maxsize=16)
def conditions(text: str) -> tuple[Condition, ...]:
    """The conditions of a text in the order of their #ifs; an #else or #endif without one does not count."""
    found: list[Condition] = []
    opened: list[list[Branch]] = []

    for line in _LINE.finditer(text):
        word, start = line["word"], text.rfind("\n", 0, line.start()) + 1
        if text[start : line.start()].strip(" \t"):
            continue
        if word.startswith("if"):
            opened.append([])
        elif opened:
            opened[-1][-1] = replace(opened[-1][-1], end=start)
        if word == "endif" and opened:
            found.append(Condition(tuple(opened.pop())))
        elif opened:
            opened[-1].append(Branch(word, line["test"], start, line.end(), len(text)))
    found += (Condition(tuple(branches), False) for branches in opened)
    return tuple(sorted(found, key=lambda condition: condition.at))


def around(text: str, place: int) -> list[tuple[Condition, int]]:
    """The conditions that an offset is in, outermost first, each with the number of the branch."""
    return [
        (condition, number)
        for condition in conditions(text)
        for number, branch in enumerate(condition.branches)
        if branch.start <= place < branch.end
    ]


def guards_around(text: str, place: int) -> tuple[str, ...]:
    """The conditions that hold at an offset of a file, outermost first.

    Those of ``#ifndef`` and of the branches before an ``#else`` are left out, as what they say does not
    hold. A system call of 32-bit programs is compiled under CONFIG_COMPAT (include/linux/compat.h).
    """
    branches = (condition.branches[number] for condition, number in around(text, place))
    tests = (b.test.replace("\\\n", " ") for b in branches if b.word != "ifndef")
    above = text.rfind("\n}", 0, place) + 1
    compat = ("CONFIG_COMPAT",) if _COMPAT.search(text, above, place) else ()
    return (*filter(None, tests), *compat)


@lru_cache(maxsize=8)
def dead_lines(text: str, version: int | None = None) -> frozenset[int]:
    """The lines, starting at 1, in branches whose condition is false whatever is configured.

    ``version`` is LINUX_VERSION_CODE of the tree, None if it is not known.
    """
    line_of = Source("", text).line_of
    found: set[int] = set()
    for condition in conditions(text):
        for branch, taken in compiled(condition, lambda each: _value(each, version)):
            if taken is False:
                found.update(range(line_of(branch.start) + 1, line_of(branch.end)))
    return frozenset(found)


def compiled(
    condition: Condition, value: Callable[[Branch], int | None]
) -> Iterator[tuple[Branch, bool | None]]:
    """The branches of a condition and whether each is compiled, given the values of their tests; None if unknown."""
    earlier: bool | None = False
    for branch in condition.branches:
        holds = 1 if branch.word == "else" else value(branch)
        certain = earlier is not None and holds is not None
        yield branch, False if earlier or holds == 0 else certain or None
        if not earlier:
            earlier = None if holds is None else bool(holds) or earlier


def live(source: Source, tokens: Sequence[Token]) -> list[Token]:
    """Tokens between statements, without those of which spatch sees no statement: they are not compiled."""
    dead = dead_lines(source.text)
    return [token for token in tokens if source.line_of(token.start) not in dead]


def _value(branch: Branch, version: int | None) -> int | None:
    """The value of a branch's test; None if it depends on the configuration."""

    def of(expr: Expr) -> int | None:
        if expr.callee == "KERNEL_VERSION" and isinstance(expr, Call):
            parts = [computed(part, of) for part in expr.arguments]
            known = [part for part in parts if part is not None]
            return kernel_version(*known) if len(known) == len(parts) == 3 else None
        return version if expr.name == "LINUX_VERSION_CODE" else None

    return decided(branch.test, of) if branch.word in ("if", "elif") else None


def decided(test: str, of: Callable[[Expr], int | None]) -> int | None:
    """The value of a condition as `computed` gives it."""
    text = re.sub(r"\\\n|/\*.*?\*/|//.*", " ", test)
    text = _DEFINED.sub(r"defined(\1)", text)
    return computed(parse_text(text), of)
