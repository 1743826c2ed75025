# SPDX-License-Identifier: GPL-2.0
"""Count how often an architecture's accessors evaluate their arguments, from its own macros."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.c.constants import view
from hotcocci.c.source import (
    COMMENT,
    NAME,
    STRING,
    Token,
    closing,
    expression_at,
    split,
    tokenize,
)
from hotcocci.windows.bodies import LEAVING, branches, statement_end
from hotcocci.windows.hygiene import accessors

_Tokens = tuple[Token, ...]
_Macro = tuple[tuple[str, ...], _Tokens]
# They look at the type of their argument only.
_TYPES = frozenset(
    "sizeof typeof __typeof__ typeof_unqual __typeof_unqual__ __alignof__ __same_type "
    "__builtin_types_compatible_p __builtin_constant_p BUILD_BUG_ON static_assert".split()
)
_DEPTH = 8


@lru_cache(maxsize=256)
def evaluations(root: Path, name: str) -> dict[str, tuple[int, ...]]:
    """How often each architecture's definition of an accessor evaluates each argument.

    Of several definitions the one counts that does so least often. Architectures without a
    definition of their own are left out.
    """
    found = {}
    for path in accessors(root):
        header = str(path.relative_to(root))
        own = path.read_text(encoding="latin-1")
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
        macros = view(each.path).macros.get(name, ()) if name in each.defines else ()
        found = tuple(
            (macro.parameters, _code(macro.body))
            for macro in macros
            if macro.parameters is not None
        )
        if found:
            return found
    return ()


def _code(text: str) -> _Tokens:
    return tuple(t for t in tokenize(text) if t.kind not in (COMMENT, STRING))


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
