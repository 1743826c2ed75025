# SPDX-License-Identifier: GPL-2.0
"""Select the files to run a semantic patch on, by a cheap text search.

Nearly all of spatch's time is parsing, and most files with an access have only one. The
search may return false positives but never misses a file with a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotcocci.c.source import COMMENTS

# They begin with a literal, which is found at once; the word before is looked at last.
_ACCESS = re.compile(r"_user(?:(?<=\b[gp][eu]t_user)|(?<=\b__[gp][eu]t_user))\s*\(")
COPY = re.compile(r"copy_(?:(?<!\wcopy_)|(?<=\b__copy_))(?:to|from)_user\s*\(")
# The third argument must be in the same statement.
_CONSTANT = re.compile(r"[^;]*?,\s*(?:sizeof\b|\d)")
_OPERAND = re.compile(
    r"\s*\(\s*(?:(?P<record>(?:struct|union)\s+\w+)\s*(?P<stars>\**)|(?P<star>\*?)\s*(?P<name>\w+))\s*\)"
)
_LOOP = re.compile(r"\b(?:for|while|do)\b")
_LABEL = re.compile(r"\bcase\b|\bdefault\s*:")
_BRACKET = re.compile(r"[{}();]")
_ELSE = re.compile(r"\s*else\b")
# The end of a function; a brace in the first column closes every other block, too.
_END = "\n}"


def may_hold_run(text: str) -> bool:
    """Whether two accesses may be in one function or macro, and in one case of a switch."""
    places = list(_accesses(text))
    return any(
        _END not in (between := text[place:following])
        and not _LABEL.search(COMMENTS.sub("", between))
        for place, following in zip(places, places[1:])
    )


def may_hold_loop(text: str) -> bool:
    """Whether a loop may contain an access."""
    return any(loop_around(text, place) for place in _accesses(text))


def may_hold_small_copy(text: str) -> bool:
    """Whether a copy may have a size known at compile time."""
    return any(_CONSTANT.match(text, found.end()) for found in COPY.finditer(text))


def may_hold_scalar_copy(text: str) -> bool:
    """Whether a copy may have the size of a scalar: most name a structure."""
    return any(
        size is not None and not _of_record(text, found.start(), size)
        for found in COPY.finditer(text)
        if (size := _CONSTANT.match(text, found.end())) is not None
    )


def _of_record(text: str, place: int, size: re.Match[str]) -> bool:
    """Whether ``sizeof`` is applied to a structure, or to a variable the function declares as one."""
    operand = _OPERAND.match(text, size.end())
    if operand is None:
        return False
    if operand["record"]:
        return not operand["stars"]
    name = re.escape(operand["name"])
    own = text[max(text.rfind(_END, 0, place), 0) : place]
    star = r"\*\s*" if operand["star"] else ""
    record = rf"\b(?:struct|union) \w+ (?:__user )?{star}{name}\b"
    # A declaration with another type, or one that shadows it in an inner block.
    other = rf"(?<!struct )(?<!union )\b(?!return\b|else\b|sizeof\b|__user\b)\w+ \**{name}\s*[;,=)[]"
    return re.search(record, own) is not None and not re.search(other, own)


def loop_around(text: str, place: int) -> bool:
    """Whether an offset may be in a loop that begins after the end of the previous function."""
    start = max(text.rfind(_END, 0, place), 0)
    before = COMMENTS.sub("", text[start:place])
    return any(_is_open_loop(before, loop) for loop in _LOOP.finditer(before))


def _is_open_loop(before: str, loop: re.Match[str]) -> bool:
    """Whether the end of a text is inside a loop that begins in it, judging by its braces."""
    if "\n#" in before[loop.start() :]:
        return True  # some of the braces are not compiled
    braces = round_ = 0
    head = loop.group() != "do"
    for bracket in _BRACKET.finditer(before, loop.end()):
        sign = bracket.group()
        round_ += (sign == "(") - (sign == ")")
        if head:
            head = round_ > 0
            continue
        braces += (sign == "{") - (sign == "}")
        ends = braces == 0 and (sign == "}" or (sign == ";" and round_ == 0))
        if ends and not _ELSE.match(before, bracket.end()):
            return False
    return True


def _accesses(text: str) -> Iterator[int]:
    return (match.start() for match in _ACCESS.finditer(text))
