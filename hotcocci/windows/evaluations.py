# SPDX-License-Identifier: GPL-2.0
"""Read from an architecture's own macros how often they evaluate arguments, and unhygienic definitions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import view
from hotcocci.c.functions import plain_code
from hotcocci.c.headers import arch_of, reachable
from hotcocci.c.source import DIRECTIVE, NAME, Source, Token, closing, split
from hotcocci.c.syntax import (
    DECLARATION,
    Function,
    Statement,
    declarations,
    read_function,
)
from hotcocci.tree.source import text_beside

_DEFINE = r"^[ \t]*\#[ \t]*define[ \t]+{}\(([^)]*)\)((?:.*\\\n)*.*)$"
_LOCAL = re.compile(r"[\w\s*]+?\b(\w+) *= *\(")
_Tokens = tuple[Token, ...]
_Macro = tuple[tuple[str, ...], _Tokens]
# They look at the type of their argument only.
_TYPES = frozenset(
    "sizeof typeof __typeof__ typeof_unqual __typeof_unqual__ __alignof__ __same_type "
    "__builtin_types_compatible_p __builtin_constant_p BUILD_BUG_ON static_assert".split()
)
_DEPTH = 8


def read_body(tokens: _Tokens) -> Function | None:
    """The statements of a macro or a function; None if brackets do not match. A directive is ``#;``."""
    words = ("#;" if token.kind == DIRECTIVE else token.text for token in tokens)
    text = f"{{ {' '.join(words)} ;}}"
    return read_function(Source("", text), "", 0, len(text), ())


def steps(function: Function, statement: Statement) -> list[Statement]:
    """The statements and the declarations that one consists of, in order."""
    source, block = function.source, statement.kind == "block"
    declared = declarations(source, statement) if block else ()
    made = (Statement(DECLARATION, d[0].start, d[-1].end) for d in declared)
    return sorted((*made, *statement.children), key=lambda one: one.start)


def outside(
    function: Function, statement: Statement, inner: Sequence[Statement]
) -> _Tokens:
    """The tokens of a statement that are in none of its steps."""
    tokens = function.source.code_between(statement.start, statement.end)
    return tuple(
        t for t in tokens if not any(s.start <= t.start < s.end for s in inner)
    )


@dataclass(frozen=True)
class Hygiene:
    """The hygiene problems of an accessor's definitions.

    ``bare_if`` and ``semicolon`` are the first files that define it as a bare if, or with a
    trailing semicolon; either breaks a following else. ``locals`` are the variables that the
    definitions declare.
    """

    bare_if: str = ""
    semicolon: str = ""
    locals: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def hygiene(root: Path, file: str, name: str) -> Hygiene:
    """The hygiene problems in any definition of a macro that a file may see."""
    pattern = re.compile(_DEFINE.format(re.escape(name)), re.MULTILINE)
    own = arch_of(file)
    bare_if = semicolon = ""
    names: set[str] = set()
    for place, text in _headers(root, file):
        if name not in text or own not in ("", arch_of(place), "include"):
            continue
        for match in pattern.finditer(text):
            body = re.sub(r"\\\n", " ", match[2]).strip()
            if body.startswith("if"):
                bare_if = bare_if or place
            if body.endswith(";"):
                semicolon = semicolon or place
            names |= {m for m in _LOCAL.findall(body) if m.startswith("_")}
    return Hygiene(bare_if, semicolon, frozenset(names))


def accessors(root: Path) -> list[Path]:
    """The headers that define the accessors, of all architectures."""
    return sorted(root.glob("arch/*/include/asm/uaccess.h"))


@lru_cache(maxsize=256)
def _headers(root: Path, file: str) -> tuple[tuple[str, str], ...]:
    arches = accessors(root)
    named = [(str(p.relative_to(root)), text_beside(p)) for p in arches]
    return (*named, *(("include", header.text) for header in reachable(root, file)))


@lru_cache(maxsize=256)
def evaluations(root: Path, name: str) -> dict[str, tuple[int, ...]]:
    """The number of times each architecture's definition of an accessor evaluates each argument.

    Of several definitions the one counts that does so least often. Architectures without a
    definition of their own are left out.
    """
    found = {}
    for path in accessors(root):
        header = str(path.relative_to(root))
        own = text_beside(path)
        for spelled in (f"arch_{name}", name):
            if f"{spelled}(" not in own:
                continue
            defined = _macros(root, header, spelled)
            if defined:
                parameters = range(len(defined[0][0]))
                counts = [_least(root, header, spelled, i, _DEPTH) for i in parameters]
                found[path.parts[-4]] = tuple(counts)
                break
    return found


@lru_cache(maxsize=4096)
def _macros(root: Path, header: str, name: str) -> tuple[_Macro, ...]:
    """The definitions of a macro in a header, or else in the first file it includes with one."""
    for each in reachable(root, header):
        macros = view(each.path).definitions(name) if name in each.defines else ()
        found = tuple(
            (macro.parameters, plain_code(macro.body))
            for macro in macros
            if macro.parameters is not None
        )
        if found:
            return found
    return ()


@lru_cache(maxsize=4096)
def _least(root: Path, header: str, name: str, place: int, depth: int) -> int:
    """The number of times a call evaluates an argument; once if it is no macro that is understood."""
    defined = _macros(root, header, name) if depth else ()
    counts = []
    for parameters, body in defined:
        if place >= len(parameters) or "..." in parameters[-1]:
            return 1
        counter = _Counter(root, header, parameters[place], depth - 1)
        counts.append(counter.body(body))
    return min(counts, default=1)


class _Counter:
    """Counts the evaluations of one parameter of a macro on the path with most of them."""

    def __init__(self, root: Path, header: str, parameter: str, depth: int) -> None:
        self._where = root, header
        self._parameter = parameter
        self._depth = depth

    def body(self, tokens: _Tokens) -> int:
        """The evaluations in a body; one if it is not understood."""
        read = read_body(tokens)
        return self._most(read, [read.body], 0) if read is not None else 1

    def _most(self, read: Function, statements: Sequence[Statement], after: int) -> int:
        """The evaluations from the first of these statements on, given those after the last."""
        for statement in reversed(statements):
            after = self._from(read, statement, after)
        return after

    def _from(self, read: Function, statement: Statement, after: int) -> int:
        inner = steps(read, statement)
        own = self._expression(outside(read, statement, inner))
        match statement.kind:
            case "break" | "return" | "goto" | "continue":
                return own
            case "if" | "for" | "while":
                ways = inner[:1], inner[1:]
                return own + max(self._most(read, way, after) for way in ways)
            case "do" | "macro":
                return own + self._most(read, inner, 0) + after
            case "switch":
                cases = (inner[number:] for number in range(len(inner)))
                most = max((self._most(read, case, 0) for case in cases), default=0)
                return own + most + after
        return own + self._most(read, inner, after)

    def _expression(self, tokens: _Tokens) -> int:
        count = index = 0
        while index < len(tokens):
            token = tokens[index]
            following = tokens[index + 1].text if index + 1 < len(tokens) else ""
            last = closing(tokens, index + 1) if following in ("(", "{") else None
            if token.text == "(" and following == "{" and last is not None:
                count += self.body(tokens[index + 2 : last])
                index = last
            elif token.kind == NAME and following == "(" and last is not None:
                count += self._call(token.text, tokens[index + 2 : last])
                index = last
            elif token.text == self._parameter:
                member = index and tokens[index - 1].text in ("->", ".", "##")
                count += 0 if member else 1
            index += 1
        return count

    def _call(self, name: str, arguments: _Tokens) -> int:
        if name in _TYPES:
            return 0
        count = 0
        for place, argument in enumerate(split(arguments, ",")):
            inside = self._expression(argument)
            if inside:
                count += inside * _least(*self._where, name, place, self._depth)
        return count
