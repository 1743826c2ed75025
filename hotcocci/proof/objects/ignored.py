# SPDX-License-Identifier: GPL-2.0
"""Find what is passed to functions of headers that make no use of it here.

set_pte_at() and pte_clear() of x86 take an address that they ignore, and arch_validate_prot() has a form for
architectures without protection keys that looks at nothing: another argument is the same code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hotcocci.c.source import NAME, Token, arguments_in, closing_at, tokenize

# How deep functions are followed that only pass their parameters on
DEPTH = 8
# What does not evaluate its operand
_UNEVALUATED = re.compile(r"sizeof|(?:__)?typeof\w*|(?:__)?alignof\w*")
_PARAMETER = re.compile(r"\b(?!void$)(\w+)\s*$")
Levels = tuple[tuple[str, int], ...]
"""Calls, outermost first: the function, and the number of an argument."""


@dataclass
class Ignored:
    """The functions that a preprocessed ``text`` defines, by the ``headers`` of their definitions.

    ``varies`` says of a name whether other configurations may define another function. Other words stand for
    some names, which are ``renamed``.
    """

    text: str
    headers: Mapping[str, re.Match[str]]
    varies: Callable[[str], bool]
    renamed: Mapping[str, str] = field(default_factory=dict)
    _known: dict[tuple[str, int], bool] = field(default_factory=dict)
    # By the start of a function: the calls around each of its tokens
    _levels: dict[int, dict[int, Levels]] = field(default_factory=dict)

    def by(self, at: int) -> str:
        """The function to which a place of the text is passed for nothing; empty if there is none."""
        start = self.text.rfind("\n}", 0, at) + 1
        if start not in self._levels:
            end = self.text.find("\n}", at)
            code = tokenize(self.text, start, end if end >= 0 else None)
            self._levels[start] = {code[n].start: levels for n, levels in _nested(code)}
        return self._first(self._levels[start].get(at, ()))

    def through(self, function: str, variable: str) -> str:
        """The function to which alone a variable is passed, for nothing; empty if something uses it, or nothing does."""
        header = self.headers.get(function)
        end = closing_at(self.text, header.end() - 1) if header else None
        if header is None or end is None:
            return ""
        code = tokenize(self.text, header.end(), end)
        found = ""
        for at, levels in _nested(code):
            name = self.renamed.get(code[at].text, code[at].text)
            if name != variable or _is_member(code, at) or _is_set(code, at):
                continue
            found = self._first(levels)
            if not found:
                return ""
        return found

    def _first(self, levels: Levels) -> str:
        for name, number in reversed(levels):
            ignored = name in self.headers and self._ignores(name, number, 0)
            if ignored and self.varies(name):
                return name
        return ""

    def _ignores(self, name: str, number: int, depth: int) -> bool:
        if _UNEVALUATED.fullmatch(name):
            return True
        key = name, number
        if name not in self.headers or depth > DEPTH:
            return False
        if key not in self._known:
            self._known[key] = False
            self._known[key] = self._is_unused(name, number, depth)
        return self._known[key]

    def _is_unused(self, name: str, number: int, depth: int) -> bool:
        header = self.headers[name]
        opening = header[0].index("(")
        parameters = arguments_in(header[0][opening + 1 : header[0].rindex(")")])
        end = closing_at(self.text, header.end() - 1)
        if number >= len(parameters) or end is None:
            return False
        parameter = _PARAMETER.search(parameters[number])
        if parameter is None:
            return False
        # A parameter that is called is no function of the file.
        given = {
            word for each in parameters for word in re.findall(r"\(\s*\*\s*(\w+)", each)
        }
        code = tokenize(self.text, header.end(), end)
        for at, levels in _nested(code):
            used = code[at].text == parameter[1] and not _is_member(code, at)
            if used and not _is_cast_to_void(code, at):
                known = (each for each in levels if each[0] not in given)
                if not any(self._ignores(*each, depth + 1) for each in known):
                    return False
        return True


def _nested(code: Sequence[Token]) -> Iterator[tuple[int, Levels]]:
    """Each token's index, with the calls that it is in."""
    opened: list[tuple[str, int]] = []
    for at, token in enumerate(code):
        if token.text in ("(", "[", "{"):
            is_call = token.text == "(" and at and code[at - 1].kind == NAME
            opened.append((code[at - 1].text if is_call else "", 0))
        elif token.text in (")", "]", "}") and opened:
            opened.pop()
        elif token.text == "," and opened:
            name, number = opened.pop()
            opened.append((name, number + 1))
        yield at, tuple(opened)


def _is_member(code: Sequence[Token], at: int) -> bool:
    return at > 0 and code[at - 1].text in (".", "->")


def _is_set(code: Sequence[Token], at: int) -> bool:
    """Whether a variable is assigned or declared."""
    before, after = code[at - 1], code[at + 1].text
    declared = before.kind == NAME and before.text not in ("return", "case")
    return after == "=" or after in (";", ",") and declared


def _is_cast_to_void(code: Sequence[Token], at: int) -> bool:
    """Whether a value is only cast, as by ``(void)addr;``."""
    before = [token.text for token in code[max(at - 3, 0) : at]]
    return before == ["(", "void", ")"] and code[at + 1].text == ";"
