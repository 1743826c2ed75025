# SPDX-License-Identifier: GPL-2.0
"""What an architecture's accessors do with their arguments, from its own macros: evaluations, and unhygienic definitions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import view
from hotcocci.c.functions import plain_code
from hotcocci.c.headers import arch_of, reachable
from hotcocci.c.source import NAME, Token, closing, expression_at, split
from hotcocci.tree.source import text_beside

LEAVING = frozenset({"break", "return", "goto", "continue"})
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


def statement_end(tokens: tuple[Token, ...]) -> int:
    """The index where the statement at the start ends; an else belongs to it."""
    if not tokens:
        return 0
    first = tokens[0].text
    if first == "{":
        return (closing(tokens, 0) or len(tokens) - 1) + 1
    if first in ("if", "for", "while", "switch"):
        head = (closing(tokens, 1) or len(tokens) - 1) + 1
        end = head + statement_end(tokens[head:])
        if first == "if" and tokens[end : end + 1] and tokens[end].text == "else":
            end += 1 + statement_end(tokens[end + 1 :])
        return end
    if first == "do":
        end = 1 + statement_end(tokens[1:])
        return end + len(expression_at(tokens, end)) + 1
    depth = choices = 0
    for index, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth:
            continue
        choices += (token.text == "?") - (token.text == ":")
        if token.text == ";" or choices < 0:  # or a label
            return index + 1
    return len(tokens)


def branches(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], tuple[Token, ...], tuple[Token, ...]]:
    """What an if, or a loop, at the start does, what its else does, and what follows it."""
    head = (closing(tokens, 1) or len(tokens) - 1) + 1
    rest = tokens[head:]
    end = statement_end(rest)
    body, after = rest[:end], rest[end:]
    if tokens[0].text != "if" or not after or after[0].text != "else":
        return body, (), after
    end = statement_end(after[1:]) + 1
    return body, after[1:end], after[end:]


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
    """How often each architecture's definition of an accessor evaluates each argument.

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
    """How often a call evaluates an argument; once if it is no macro that is understood."""
    defined = _macros(root, header, name) if depth else ()
    counts = []
    for parameters, body in defined:
        if place >= len(parameters) or "..." in parameters[-1]:
            return 1
        counter = _Counter(root, header, parameters[place], depth - 1)
        counts.append(counter.statements(body))
    return min(counts, default=1)


class _Counter:
    """Counts the evaluations of one parameter of a macro on the path with most of them."""

    def __init__(self, root: Path, header: str, parameter: str, depth: int) -> None:
        self._where = root, header
        self._parameter = parameter
        self._depth = depth

    def statements(self, tokens: _Tokens) -> int:
        """The evaluations in a sequence of statements, up to one that leaves it."""
        if not tokens:
            return 0
        first = tokens[0].text
        if first in LEAVING:
            return self._expression(expression_at(tokens, 1))
        if first in ("if", "switch", "for", "while"):
            return self._branches(tokens)
        end = statement_end(tokens)
        inner = tokens[1:end]
        if first == "do":
            inner = tokens[1 : statement_end(tokens[1:]) + 1]
            count = self.statements(inner)
        elif first == "{":
            count = self.statements(tokens[1 : end - 1])
        else:
            count = self._expression(tokens[:end])
        leaves = first in ("{",) and _leaves(inner)
        return count + (0 if leaves else self.statements(tokens[end:]))

    def _branches(self, tokens: _Tokens) -> int:
        head = closing(tokens, 1)
        if head is None:
            return 0
        count = self._expression(tokens[2:head])
        body, other, after = branches(tokens)
        if tokens[0].text == "switch":
            cases = _cases(body[1:-1])
            inside = max((self.statements(case) for case in cases), default=0)
            return count + inside + self.statements(after)
        following = self.statements(after)
        ways = [
            self.statements(way) + (0 if _leaves(way) else following)
            for way in (body, other)
        ]
        return count + max(ways)

    def _expression(self, tokens: _Tokens) -> int:
        count = index = 0
        while index < len(tokens):
            token = tokens[index]
            following = tokens[index + 1].text if index + 1 < len(tokens) else ""
            last = closing(tokens, index + 1) if following in ("(", "{") else None
            if token.text == "(" and following == "{" and last is not None:
                count += self.statements(tokens[index + 2 : last])
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


def _leaves(tokens: _Tokens) -> bool:
    """Whether the last statement of a block leaves it."""
    words = [token.text for token in tokens if token.text not in "{}"]
    ends = [i for i, word in enumerate(words[:-1]) if word == ";"]
    last = words[ends[-1] + 1 :] if ends else words
    return bool(last) and last[0] in LEAVING


def _cases(tokens: _Tokens) -> list[_Tokens]:
    """The statements of each case of a switch."""
    found: list[_Tokens] = []
    start = depth = 0
    for index, token in enumerate(tokens):
        if depth == 0 and token.text in ("case", "default"):
            found.append(tokens[start:index])
            start = index
        depth += (token.text in "([{") - (token.text in ")]}")
    found.append(tokens[start:])
    bodies = []
    for case in found:
        colon = next((i for i, t in enumerate(case) if t.text == ":"), None)
        bodies.append(case[colon + 1 :] if colon is not None else ())
    return bodies
