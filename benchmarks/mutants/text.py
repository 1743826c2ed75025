# SPDX-License-Identifier: GPL-2.0
"""Split a function's text into lines, and find its statements by their layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

CONTROL = re.compile(
    r"(?:if|else|for|while|do|switch|case|default|scoped_\w+)\b|[{}#/*]"
)
LABEL = re.compile(r"\s*(?:\w+:(?!:)|case\b.*:|default:)")
DECLARATION = re.compile(
    r"(?:(?:const|static|volatile|unsigned|signed|struct|union|enum)\s+)*\w+"
    r"(?:\s+(?:__\w+\s+)*\**|\s*\*+)(?:__\w+\s+\**)?\w+(?:\[[^]]*\])?\s*(?:[=,;]|$)"
)
NO_DECLARATION = re.compile(r"(?:return|goto|else)\b")
STRING = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|/\*.*?\*/', re.DOTALL)


@dataclass(frozen=True)
class Way:
    """A mutation of a function: these lines replace a range of it."""

    kind: str
    start: int
    end: int
    lines: tuple[str, ...]

    def applied(self, lines: Sequence[str]) -> list[str]:
        """Apply the mutation to the lines of the function."""
        return [*lines[: self.start], *self.lines, *lines[self.end :]]


@dataclass(frozen=True)
class Unit:
    """A statement including its body, from its first line to the one after its last."""

    start: int
    end: int
    text: str

    @property
    def head(self) -> str:
        """The text without indentation."""
        return self.text.lstrip("\t")

    @property
    def indent(self) -> str:
        """The indentation."""
        return self.text[: len(self.text) - len(self.head)]

    @property
    def is_simple(self) -> bool:
        """Whether this is a statement without a body."""
        return self.head.endswith(";") and CONTROL.match(self.head) is None

    @property
    def is_declaration(self) -> bool:
        """Whether this declares a variable, judging by the text."""
        head = self.head
        return bool(DECLARATION.match(head)) and not NO_DECLARATION.match(head)


def units(lines: Sequence[str]) -> list[Unit]:
    """Find all statements of a function, outer ones before those in their bodies."""
    return [unit for at in range(1, len(lines) - 1) for unit in _unit(lines, at)]


def neighbours(lines: Sequence[str]) -> list[tuple[Unit, Unit]]:
    """Find pairs of consecutive statements at one depth, declarations excluded."""
    found = [u for u in units(lines) if not u.is_declaration and not is_only(lines, u)]
    starts = {unit.start: unit for unit in found}
    pairs = [(unit, starts.get(_next(lines, unit.end))) for unit in found]
    return [(a, b) for a, b in pairs if b is not None and a.indent == b.indent]


def is_only(lines: Sequence[str], unit: Unit) -> bool:
    """Whether a statement is the whole body of an ``if`` or loop without braces."""
    before = next(
        (lines[n] for n in range(unit.start - 1, 0, -1) if lines[n].strip()), ""
    )
    depth = len(before) - len(before.lstrip("\t"))
    ends = before.rstrip().endswith((")", "else", "do"))
    return ends and (depth < len(unit.indent) or not before.startswith("\t"))


def masked(text: str) -> str:
    """Replace strings and comments by spaces."""
    return STRING.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def arguments(text: str, opening: int) -> list[tuple[int, int]]:
    """Find the arguments of a call; ``opening`` is the index of its parenthesis."""
    found, depth, begin = [], 0, opening + 1
    plain = masked(text)
    for at in range(opening, len(plain)):
        depth += (plain[at] in "([{") - (plain[at] in ")]}")
        if depth == 0 or (depth == 1 and plain[at] == ","):
            found.append((begin, at))
            begin = at + 1
        if depth == 0:
            return [_trimmed(text, *each) for each in found]
    return []


def replaced(kind: str, unit: Unit, start: int, end: int, by: str) -> Way:
    """Build a mutation that replaces some characters of a statement."""
    text = unit.text[:start] + by + unit.text[end:]
    return Way(kind, unit.start, unit.end, tuple(text.split("\n")))


def heads(lines: Sequence[str]) -> Iterator[Unit]:
    """Yield every statement; for those with a body, only the part before it."""
    for unit in units(lines):
        if unit.is_simple:
            yield unit
            continue
        end = unit.start + 1
        while end < unit.end and _depth(lines[unit.start : end], "()") > 0:
            end += 1
        yield Unit(unit.start, end, "\n".join(lines[unit.start : end]))


def _unit(lines: Sequence[str], at: int) -> Iterator[Unit]:
    line = lines[at]
    head = line.lstrip("\t")
    deep = len(line) - len(head)
    if not deep or not head or head[0] in "{}#/*" or LABEL.match(line):
        return
    if head.startswith("else") or _depth(lines[1:at], "()") > 0:
        return
    end = at + 1
    while end < len(lines) - 1 and _goes_on(lines, at, end, deep):
        end += 1
    text = "\n".join(lines[at:end])
    if _depth(text.split("\n"), "(){}") == 0:
        yield Unit(at, end, text)


def _goes_on(lines: Sequence[str], start: int, end: int, deep: int) -> bool:
    """Whether line ``end`` continues the statement that began at ``start``."""
    if _depth(lines[start:end], "(){}") > 0:
        return True
    line = lines[end]
    if not line.strip():
        return False
    return len(line) - len(line.lstrip("\t")) > deep or (
        line.lstrip("\t").startswith(("else", "} else"))
    )


def _depth(lines: Sequence[str], marks: str) -> int:
    plain = masked("\n".join(lines))
    return sum(plain.count(m) * (1 if m in "({" else -1) for m in marks)


def _next(lines: Sequence[str], at: int) -> int:
    """Find the next non-empty line."""
    while at < len(lines) - 1 and not lines[at].strip():
        at += 1
    return at


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    inner = text[start:end]
    return start + len(inner) - len(inner.lstrip()), end - len(inner) + len(
        inner.rstrip()
    )
