# SPDX-License-Identifier: GPL-2.0
"""What a change touches, by lines."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from hotcocci.c.source import COMMENTS

# What always leaves code where it is compiled at all.
ACCESS = re.compile(
    r"\b(?:unsafe_\w+|__(?:get|put)_user|(?:get|put|copy_(?:to|from))_user\w*|user_\w*access_begin)\s*\("
)
CONDITION = re.compile(r"[ \t]*#[ \t]*(if|ifdef|ifndef|else|elif|endif)\b")
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
DEFINITION = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+(?P<name>\w+)(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE
)
# What leaves code unless nobody compiles it: control, or a call that is no operator of the compiler.
STATEMENT = re.compile(
    r"^\s+(?:(?:if|while|for|switch|return|goto)\b|(?!(?:typeof|__typeof__|sizeof|BUILD_BUG_ON\w*|"
    r"static_assert|lockdep_\w+|might_\w+|pr_debug|dev_dbg|DEFINE_\w+|DECLARE_\w+)\b)\w+\s*\()"
)
# What begins at the margin and is no label.
MARGIN = re.compile(r"^[A-Za-z_}](?!\w*:(?!:))")
DATA = re.compile(r"^(?:struct|union|enum|typedef)\b[^(]*$|[=;]\s*(?:\{\s*)?$|^\}")
# The first line of a function, as diff shows it.
HEADER = re.compile(
    r"(?=[A-Za-z_])(?:\w*SYSCALL_DEFINE\d\(|.*?\b(?=\w+\s*\())(?P<name>\w+)"
)


@dataclass(frozen=True)
class Hunk:
    """Lines that differ, by number before and after, and the function that they stand in.

    ``accesses`` tells whether user memory is accessed there, before or after. ``neighbours`` are
    the sides, 0 before and 1 after, that have no line of their own but the two around.
    ``statements`` tells whether there is a statement that leaves code where it is compiled, or
    code outside of any function.
    """

    function: str
    old: frozenset[int]
    new: frozenset[int]
    accesses: bool
    neighbours: frozenset[int] = frozenset()
    statements: bool = False


@dataclass(frozen=True)
class Changed:
    """A file and all of its hunks; ``unchanged`` has the other lines, by the number before.

    ``conditional`` are the parts of hunks that are in a branch of an #if, each with lines of one side.
    """

    file: str
    hunks: tuple[Hunk, ...]
    unchanged: Mapping[int, int] = field(default_factory=dict)
    conditional: tuple[Hunk, ...] = ()

    @property
    def old(self) -> frozenset[int]:
        """The numbers of all lines that differ, before."""
        return frozenset(line for hunk in self.hunks for line in hunk.old)

    @property
    def new(self) -> frozenset[int]:
        """Likewise after."""
        return frozenset(line for hunk in self.hunks for line in hunk.new)

    def written(self, side: int) -> frozenset[int]:
        """The lines before (0) or after (1) that differ themselves, without neighbours."""
        own = [hunk for hunk in self.hunks if side not in hunk.neighbours]
        return frozenset(line for hunk in own for line in (hunk.old, hunk.new)[side])

    def is_kernel_only(self, old: Collection[int], new: Collection[int]) -> bool:
        """Whether what differs on these lines, before and after, is no access of user memory.

        What the lines of a macro's users do is not told by their text: False for them.
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
    """The hunks of a change; where lines are only added or only gone, their neighbours count.

    A macro that changes changes every line that uses it.
    """
    before, after = old.splitlines(), new.splitlines()
    code = _code(old), _code(new)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    hunks = []
    conditional: list[Hunk] = []
    unchanged: dict[int, int] = {}
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            unchanged.update(zip(range(a + 1, b + 1), range(c + 1, d + 1), strict=True))
        else:
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
    return Changed(file, tuple(hunks), unchanged, tuple(conditional))


def _conditional(
    function: str, text: str, code: list[str], start: int, end: int, side: int
) -> Iterator[Hunk]:
    """The parts of some lines that are in branches of an #if, where they have statements."""
    numbers = regions(text)[start:end]
    for region in dict.fromkeys(number for number in numbers if number):
        lines = [start + n for n, number in enumerate(numbers) if number == region]
        if any(STATEMENT.search(code[line]) for line in lines):
            found = frozenset(line + 1 for line in lines)
            both = (found, frozenset[int]())
            accesses = any(ACCESS.search(code[line]) for line in lines)
            yield Hunk(function, both[side], both[1 - side], accesses, statements=True)


def _is_outside(lines: list[str], start: int, end: int) -> bool:
    """Whether one of these lines has code outside of any function."""
    return any(
        lines[at].strip() and lines[at].strip() not in "{}" and not _inside(lines, at)
        for at in range(start, end)
    )


def _inside(lines: list[str], at: int) -> bool:
    """Whether a line is one of a function: the last one at the margin began it."""
    for line in reversed(lines[: at + 1]):
        if MARGIN.match(line):
            return DATA.search(line) is None
    return False


def regions(text: str) -> list[int]:
    """For each line the number of the branch of an #if that it is in, 0 outside of all."""
    found: list[int] = []
    inside: list[int] = [0]
    count = 0
    for line in text.splitlines():
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
    """The lines without comments and directives, which leave no code where they stand."""
    for pattern in (COMMENTS, DIRECTIVE):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    return text.splitlines()


def _uses(text: str, lines: set[int]) -> frozenset[int]:
    """The lines that use a macro of which some of these lines are the definition."""
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
    """The function that a line stands in, as far as the text shows it."""
    for line in reversed(lines[: at + 1]):
        header = HEADER.match(line)
        if header and not line.rstrip().endswith((";", ":")):
            return header["name"]
    return ""
