# SPDX-License-Identifier: GPL-2.0
"""Find what a text defines, and whether a file defines it under a condition of the preprocessor."""

import re
from collections import deque

from hotcocci.c.conditionals import around, conditions
from hotcocci.c.source import bare, closing_at

# Conditions that are the same wherever the kernel's C is compiled (uapi/linux/libc-compat.h), and those of
# an include guard
_SAME = re.compile(
    r"defined|__KERNEL__|__ASSEMBL(?:Y|ER)__|__CHECKER__|__cplusplus|__UAPI_DEF_\w+|__GNUC__|__GLIBC__|__STRICT_ANSI__|__BIT_TYPES_DEFINED__|_\w+_T|\w*_H_*"
)
_NAME = re.compile(r"\b[A-Za-z_]\w*")
_GUARD = re.compile(r"\s*#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\s*\n")
IF = re.compile(r"^[ \t]*#[ \t]*if", re.MULTILINE)
# It begins with a literal: twenty times as fast in a text of megabytes.
ENUMERATION = re.compile(r"enum(?<=\benum)\b[^;{}()=]*\{([^{}]*)\}")
ENUMERATOR = re.compile(r"(?:^|[,\n])\s*([A-Za-z_]\w*)")
TYPE = re.compile(r"^[ \t]*typedef\b[^;{}()]*\b(\w+)\s*;", re.MULTILINE)
# A variable, a member, or a function that is only declared
_DECLARATION = re.compile(
    r"^[ \t]*(?!return|goto)(\w[\w \t*]*[ \t*])(\w+)\s*((?:\[[^][]*\])*(?:\([^(){};]*\)|:\s*\w+)?)\s*;",
    re.MULTILINE,
)
# What decides which enumerators are counted
_BRANCH = re.compile(r"^[ \t]*#[ \t]*(?:if|el|endif)", re.MULTILINE)


def header(name: str) -> str:
    """A pattern for the header of a function's definition, with the bracket that begins its body."""
    return rf"\b{name}\s*\((?:[^(){{}};]|\((?:[^()]|\([^()]*\))*\))*\)\s*\{{"


_DEFINED = re.compile(header(r"(\w+)"))
_OPENS = re.compile(r"\)\s*\{")
_STATEMENTS = frozenset("if while for switch return".split())


# The texts that were looked at last, and what was found in each
_LAST = deque[tuple[str, dict[str, re.Match[str]]]]([("", {})], maxlen=4)


def functions(text: str) -> dict[str, re.Match[str]]:
    """The header of each function that a preprocessed text defines, by its name."""
    # Most of it are headers, which are the same as in another one.
    same, known = max(
        ((_shared(text, last), known) for last, known in _LAST),
        key=lambda each: each[0],
    )
    found = {name: each for name, each in known.items() if each.end() <= same}
    # A search for a header at each word of a text of megabytes takes three times as long.
    for opens in _OPENS.finditer(text, max(text.rfind(")", 0, same), 0)):
        start = end = opens.end() - 1
        while start >= 0 and (
            start == end or text.count("(", start, end) < text.count(")", start, end)
        ):
            start = max(text.rfind(before, 0, start) for before in ";{}")
        defined = _DEFINED.search(text, start + 1, end + 1)
        if defined is not None and defined[1] not in _STATEMENTS:
            found.setdefault(defined[1], defined)
    _LAST.append((text, found))
    return found


def _shared(one: str, other: str) -> int:
    """The number of characters that two texts share at their beginning."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def is_conditional(name: str, text: str, own: bool) -> bool:
    """Whether a file defines a name more than once, under a condition, or otherwise by a condition.

    Where the condition is in its ``own`` file, what uses it is under the same, if there is no other definition.
    """
    macro = rf"^[ \t]*#[ \t]*define[ \t]+{name}\b"
    # A macro that is used as a loop is indented.
    function = rf"^(?:\w[\w \t*\n]*)?{header(name)}"
    found = [*re.finditer(rf"{macro}|{function}", text, re.MULTILINE)]
    found += [each for each in TYPE.finditer(text) if each[1] == name]
    if len(found) != 1:
        return bool(found)
    if found[0][0].endswith("{"):
        end = closing_at(text, found[0].end() - 1)
        if IF.search(text, found[0].start(), len(text) if end is None else end):
            return True
    return not own and is_under_condition(text, found[0].start())


# What a type is made of; __extension__ only silences a warning
_WORDS = re.compile(r"\b(?!__extension__)\w+|\*")


def declared_otherwise(text: str) -> dict[str, bool]:
    """The variables, members and functions that branches of a condition declare with different words.

    With each is said whether one of them declares a pointer.
    """
    found = dict[str, bool]()
    for condition in conditions(text):
        known: dict[str, list[str]] = {}
        for branch in condition.branches if len(condition.branches) > 1 else ():
            own = _DECLARATION.finditer(text, branch.start, branch.end)
            said = {m[2]: _WORDS.findall(m[1] + m[3]) for m in own}
            found |= {
                name: "*" in said[name] + known[name]
                for name in said.keys() & known.keys()
                if known[name] != said[name]
            }
            known |= said
    return found


def is_counted_otherwise(name: str, text: str, own: bool) -> bool:
    """Whether a file has an enumerator under a condition, or others before it from which it is counted on."""
    text = bare(text)
    found = [
        (block.start(1), block[1][: each.end()], block[1][each.end() :])
        for block in ENUMERATION.finditer(text)
        for each in ENUMERATOR.finditer(block[1])
        if each[1] == name
    ]
    if len(found) != 1:
        return bool(found)
    [(start, before, after)] = found
    counted = before[before.rfind("=") + 1 :]
    if not after.lstrip().startswith("=") and _BRANCH.search(counted):
        return True
    return not own and is_under_condition(text, start + len(before))


def is_under_condition(text: str, place: int) -> bool:
    """Whether what is defined there is so under a condition, other than an include guard."""
    guard = _GUARD.match(bare(text))
    return any(
        not _SAME.fullmatch(word) and not (guard and word == guard[1])
        for condition, number in around(text, place)
        for branch in condition.branches[: number + 1]
        for word in _NAME.findall(branch.test)
    )
