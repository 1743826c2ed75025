# SPDX-License-Identifier: GPL-2.0
"""Names of constants that a configuration or an architecture decides, as PAGE_SIZE or VM_GROWSUP.

A number in the place of one, or one that is 0 here left out, is the same code as compiled, and wrong elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from hotcocci.c.conditionals import around

VARIES = (
    "{} may have another value in another configuration, or on another architecture"
)

# Documentation/process/coding-style.rst: "Names of macros defining constants ... are capitalized".
CAPITAL = re.compile(r"_*[A-Z][A-Z0-9_]+")
_LINE = re.compile(
    r'^# \d+ "(?P<file>[^"]*)"|^#define (?P<name>\w+)(?: (?P<body>.*))?$', re.MULTILINE
)
_NAME = re.compile(r"\b[A-Za-z_]\w*")
# What is in a constant beside numbers and other constants
_TYPE = re.compile(
    r"(?:un)?signed|long|int|short|char|(?:__)?[us](?:8|16|32|64)|size_t|__force"
    r"|_*(?:AC|AT|UL|ULL|BIT|BITUL|BITULL|BIT_ULL|GENMASK|GENMASK_ULL)"
)
# Conditions that are the same wherever the kernel's C is compiled, and those of an include guard
_SAME = re.compile(
    r"defined|__KERNEL__|__ASSEMBL(?:Y|ER)__|__CHECKER__|__cplusplus|\w*_H_*"
)


class _Macro(NamedTuple):
    file: str
    body: str


def varying(
    preprocessed: str,
    names: Collection[str],
    changed: str,
    text_of: Callable[[str], str],
) -> set[str]:
    """The names of constants that may have another value where the same C is compiled otherwise.

    ``preprocessed`` is what ``gcc -E -dD`` makes of the ``changed`` file; ``text_of`` reads a file that it names.
    """
    table: dict[str, _Macro] = {}
    file = ""
    for line in _LINE.finditer(preprocessed):
        if line["name"] is None:
            file = line["file"]
        else:
            table[line["name"]] = _Macro(file, line["body"] or "")

    def varies(name: str) -> bool:
        if name.startswith("CONFIG_"):
            return True
        where = table[name].file
        of_arch = re.search(r"(?:^|/)arch/", where)
        if of_arch and not changed.startswith("arch/") or "/generated/" in where:
            return True
        # What the compiler itself defines is in "<built-in>".
        return not where.startswith("<") and _is_conditional(name, text_of(where))

    return {
        name
        for name in names
        if name in table
        and _is_constant(name, table)
        and any(map(varies, _made_of(name, table)))
    }


def _made_of(name: str, table: Mapping[str, _Macro]) -> set[str]:
    """A constant, and those that it is made of."""
    found, waiting = set[str](), [name]
    while waiting:
        each = waiting.pop()
        if each in table and each not in found:
            found.add(each)
            waiting += _NAME.findall(table[each].body)
    return found


def _is_constant(name: str, table: Mapping[str, _Macro]) -> bool:
    """Whether a macro is made of numbers, at least one, and nothing that is not known."""
    bodies = [table[each].body for each in _made_of(name, table)]
    words = {word for body in bodies for word in _NAME.findall(body)}
    return any(re.search(r"\b\d", body) for body in bodies) and all(
        word in table or _TYPE.fullmatch(word) for word in words
    )


def _is_conditional(name: str, text: str) -> bool:
    """Whether a header defines a macro more than once, or under a condition."""
    places = [
        found.start()
        for found in re.finditer(rf"^[ \t]*#[ \t]*define[ \t]+{name}\b", text, re.M)
    ]
    tests = (
        branch.test
        for place in places[:1]
        for condition, number in around(text, place)
        for branch in condition.branches[: number + 1]
    )
    return len(places) > 1 or any(
        not _SAME.fullmatch(word) for test in tests for word in _NAME.findall(test)
    )
