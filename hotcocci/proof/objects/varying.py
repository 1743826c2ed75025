# SPDX-License-Identifier: GPL-2.0
"""Changed names that a configuration or an architecture defines: PAGE_SIZE, VM_GROWSUP, i_size_read(), pte_val().

A number in the place of such a constant, one that is 0 here left out, or what such a macro or inline function does
here in its place, is the same code as compiled, and wrong elsewhere.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from hotcocci.c.conditionals import around
from hotcocci.c.source import DIRECTIVE, Token, called, closing_at, tokenize
from hotcocci.proof.known import SAME_MEANING

VARIES = (
    "{} may have another value in another configuration, or on another architecture"
)
OTHER_CODE = (
    "{}() may be other code in another configuration, or on another architecture"
)

# Documentation/process/coding-style.rst: "Names of macros defining constants ... are capitalized".
_CAPITAL = re.compile(r"_*[A-Z][A-Z0-9_]+")
_LINE = re.compile(
    r'^# \d+ "(?P<file>[^"]*)"|^#define (?P<name>\w+)(?P<called>\(?)(?P<body>.*)',
    re.MULTILINE,
)
_NAME = re.compile(r"\b[A-Za-z_]\w*")
# What is in a constant beside numbers and other constants
_TYPE = re.compile(
    r"(?:un)?signed|long|int|short|char|(?:__)?[us](?:8|16|32|64)|size_t|__force"
    # Suffixes, and macros with parameters, as BIT(), _AC() and powerpc's ASM_CONST()
    r"|_*[A-Z][A-Z0-9_]*"
)
# Conditions that are the same wherever the kernel's C is compiled, and those of an include guard
_SAME = re.compile(
    r"defined|__KERNEL__|__ASSEMBL(?:Y|ER)__|__CHECKER__|__cplusplus|\w*_H_*"
)
# Headers of which each architecture takes its own or the general one
_OF_ARCH = re.compile(r"(?:^|/)arch/|(?<!uapi)/asm-generic/")
_IF = re.compile(r"^[ \t]*#[ \t]*if", re.MULTILINE)


def header(name: str) -> str:
    """A pattern for the header of a function's definition, with the bracket that begins its body."""
    return rf"\b{name}\s*\((?:[^(){{}};]|\((?:[^()]|\([^()]*\))*\))*\)\s*\{{"


def named(tokens: Sequence[Token], changed: Iterable[Token]) -> Counter[str]:
    """The names of constants, and of what is called, in changed tokens of a text, and how often.

    Not those that mean the same whatever defines them.
    """
    calls = {token.start for token in called(tokens)}
    found: Counter[str] = Counter()
    for token in changed:
        if token.kind == DIRECTIVE:
            inside = tokenize(token.text.replace("#", " ", 1))
            found += named(inside, inside)
        elif token.start in calls or _CAPITAL.fullmatch(token.text):
            if not SAME_MEANING.fullmatch(token.text):
                found[token.text] += 1
    return found


class _Macro(NamedTuple):
    file: str
    body: str
    called: bool


class Definitions:
    """What ``gcc -E -dD`` makes of the ``changed`` file; ``text_of`` reads a file that it names."""

    def __init__(
        self, preprocessed: str, changed: str, text_of: Callable[[str], str]
    ) -> None:
        self._text = preprocessed
        self._changed = changed
        self._text_of = text_of

    @cached_property
    def _table(self) -> dict[str, _Macro]:
        table, file = dict[str, _Macro](), ""
        for line in _LINE.finditer(self._text):
            if line["name"] is None:
                file = line["file"]
            else:
                table[line["name"]] = _Macro(file, line["body"], bool(line["called"]))
        return table

    def varies(self, name: str) -> str:
        """Why a name may mean something else where the same C is compiled otherwise; empty if it does not."""
        if self._is_object(name):
            constant = self._is_constant(name)
            made_of = self._made_of(name)
            return VARIES if constant and any(map(self._differs, made_of)) else ""
        return OTHER_CODE if self._differs(name) else ""

    def _is_object(self, name: str) -> bool:
        """Whether a name is a macro without parameters."""
        return name in self._table and not self._table[name].called

    def _differs(self, name: str) -> bool:
        """Whether an architecture or a configuration defines a macro or a function in sight."""
        if name.startswith("CONFIG_"):
            return True
        file = self._file(name)
        if "/generated/" in file:
            return True
        if _OF_ARCH.search(file) and not self._changed.startswith("arch/"):
            return True
        # What the compiler itself defines is in "<built-in>".
        if not file or file.startswith("<"):
            return False
        own = file.endswith(f"/{self._changed}")
        return _is_conditional(name, self._text_of(file), own)

    def _file(self, name: str) -> str:
        """Where a macro or a function is defined; empty if it is nowhere in sight."""
        if name in self._table:
            return self._table[name].file
        found = re.search(header(name), self._text)
        if found is None:
            return ""
        markers = _LINE.finditer(self._text, 0, found.start())
        return next((m["file"] for m in reversed([*markers]) if m["file"]), "")

    def _made_of(self, name: str) -> set[str]:
        """A constant, and those that it is made of."""
        found, waiting = set[str](), [name]
        while waiting:
            each = waiting.pop()
            if self._is_object(each) and each not in found:
                found.add(each)
                waiting += _NAME.findall(self._table[each].body)
        return found

    def _is_constant(self, name: str) -> bool:
        """Whether a macro is made of numbers, at least one, and nothing that is not known."""
        bodies = [self._table[each].body for each in self._made_of(name)]
        words = {word for body in bodies for word in _NAME.findall(body)}
        return any(re.search(r"\b\d", body) for body in bodies) and all(
            self._is_object(word) or _TYPE.fullmatch(word) for word in words
        )


def _is_conditional(name: str, text: str, own: bool) -> bool:
    """Whether a file defines a name more than once, under a condition, or otherwise by a condition.

    Where the condition is in its ``own`` file, what uses it is under the same, if there is no other definition.
    """
    macro = rf"^[ \t]*#[ \t]*define[ \t]+{name}\b"
    # A macro that is used as a loop is indented.
    function = rf"^(?:\w[\w \t*\n]*)?{header(name)}"
    found = list(re.finditer(rf"{macro}|{function}", text, re.MULTILINE))
    if len(found) != 1:
        return bool(found)
    if found[0][0].endswith("{"):
        end = closing_at(text, found[0].end() - 1)
        if _IF.search(text, found[0].start(), len(text) if end is None else end):
            return True
    return not own and any(
        not _SAME.fullmatch(word)
        for condition, number in around(text, found[0].start())
        for branch in condition.branches[: number + 1]
        for word in _NAME.findall(branch.test)
    )
