# SPDX-License-Identifier: GPL-2.0
"""Select the files and functions to run a semantic patch on, by their text.

Nearly all of spatch's time is parsing, and most files with an access have only one. The
search may return false positives but never misses a file with a finding.
"""

import re
from collections.abc import Iterator

from hotcocci.c.expression import Literal, SizeOf
from hotcocci.c.functions import END, header, span
from hotcocci.c.parsing import parse_text
from hotcocci.c.source import COMMENTS

# They begin with a literal, which is found at once; the word before is looked at last.
_ACCESS = re.compile(r"_user(?:(?<=\b[gp][eu]t_user)|(?<=\b__[gp][eu]t_user))\s*\(")
COPY = re.compile(r"copy_(?:(?<!\wcopy_)|(?<=\b__copy_))(?:to|from)_user\s*\(")
# The third argument must be in the same statement.
_CONSTANT = re.compile(r"[^;]*?,\s*(?:sizeof\b|\d)")
_OPERAND = re.compile(
    r"\s*\(\s*(?:(?P<record>(?:struct|union)\s+\w+)\s*(?P<stars>\**)|(?P<star>\*?)\s*(?P<name>\w+))\s*\)"
)
_SIZEOF = re.compile(r"^sizeof\b\s*(?P<operand>.*)$", re.DOTALL)
_LOOP = re.compile(r"\b(?:for|while|do)\b")
# A definition whose body has an access
_OWN_MACRO = re.compile(
    r"^[ \t]*#[ \t]*define[ \t]+\w+\((?:\\[ \t\r]*\n|[^\n])*?\b(?:__)?[gp][eu]t_user\s*\(",
    re.MULTILINE,
)
_LABEL = re.compile(r"\bcase\b|\bdefault\s*:")
_BRACKET = re.compile(r"[{}();]")
_ELSE = re.compile(r"\s*else\b")
# Macros that extract the size from a command (include/uapi/asm-generic/ioctl.h).
SIZE = re.compile(r"\b(?:_IOC_SIZE\s*\(|_?IOC_?SIZE_?SHIFT\b)")
# Loads of credentials
_LOAD = re.compile(
    r"current(?:(?<!\wcurrent)\s*->\s*(?:real_)?cred\b|(?:(?<!\wcurrent)|(?<=\bget_current))_(?:(?:real_)?cred"
    r"|cred_xxx|user|user_ns|ucounts|cap|(?:e|s|fs)?[ug]id|uid_gid|euid_egid|fsuid_fsgid)\s*\()"
)
# Parameters of read(), write() and sysctl handlers, which are called with any size.
FILE_OPERATION = frozenset({"loff_t", "ctl_table", "iov_iter"})


def may_hold_run(text: str) -> bool:
    """Whether two accesses may be in one function or macro, and in one case of a switch, or made by a macro."""
    places = list(_accesses(text))
    return may_have_own_macro(text) or any(
        END not in (between := text[place:following])
        and not _LABEL.search(COMMENTS.sub("", between))
        for place, following in zip(places, places[1:])
    )


def may_have_own_macro(text: str) -> bool:
    """Whether a file may define a macro that makes an access."""
    return "define" in text and _OWN_MACRO.search(text) is not None


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
    own = text[span(text, place)[0] : place]
    star = r"\*\s*" if operand["star"] else ""
    record = rf"\b(?:struct|union) \w+ (?:__user )?{star}{name}\b"
    # A declaration with another type, or one that shadows it in an inner block.
    other = rf"(?<!struct )(?<!union )\b(?!return\b|else\b|sizeof\b|__user\b)\w+ \**{name}\s*[;,=)[]"
    return re.search(record, own) is not None and not re.search(other, own)


def loop_around(text: str, place: int) -> bool:
    """Whether an offset may be in a loop that begins after the end of the previous function."""
    start, _ = span(text, place)
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


def may_hold_reload(text: str) -> bool:
    """Whether one function may have two loads of credentials."""
    found = [match.start() for match in _LOAD.finditer(text)]
    return any(END not in text[a:b] for a, b in zip(found, found[1:]))


def _accesses(text: str) -> Iterator[int]:
    return (match.start() for match in _ACCESS.finditer(text))


def may_hold_dispatch(text: str) -> bool:
    """Whether to run a semantic patch on a file: a copy may take its size from a command or a caller."""
    return any(may_be_dispatch(text, match.start()) for match in COPY.finditer(text))


def may_hold_hot_copy(text: str, hot: frozenset[str]) -> bool:
    """Whether one of the hot functions of a file may have a copy."""
    return any(
        not hot.isdisjoint(re.findall(r"\w+", header(text, match.end())))
        for match in COPY.finditer(text)
    )


def may_hold_length(text: str, hot: frozenset[str]) -> bool:
    """Whether the size of a copy may be a count or a length in one of the hot functions of a file."""
    return any(
        _is_variable(text, match)
        and not hot.isdisjoint(re.findall(r"\w+", header(text, match.end())))
        for match in COPY.finditer(text)
    )


def may_hold_variable_size(text: str) -> bool:
    """Whether the size of a copy may be known at run time only."""
    return any(_is_variable(text, match) for match in COPY.finditer(text))


def _is_variable(text: str, copy: re.Match[str]) -> bool:
    return not is_constant(text[_last_argument(text, copy.end())].strip())


def may_be_dispatch(text: str, place: int) -> bool:
    """Whether the copy at an offset may take its size from a command or a caller."""
    start, end = span(text, place)
    if SIZE.search(text, start, end):
        return True
    return _is_parameter(text, text.find("(", place) + 1, place)


def _last_argument(text: str, start: int) -> slice:
    """The range of the last argument of a call whose arguments begin at ``start``."""
    depth, comma, index = 1, start, start
    while index < len(text) and depth:
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if text[index] == "," and depth == 1:
            comma = index + 1
        index += 1
    return slice(comma, index - 1)


def _is_parameter(text: str, start: int, place: int) -> bool:
    """Whether the size of a copy is a parameter that a caller may give a constant."""
    size = text[_last_argument(text, start)].strip()
    head = header(text, place)
    if not size.isidentifier() or not head:
        return False
    return (
        re.search(rf"\b{size}\s*[,)]", head) is not None
        and not FILE_OPERATION & set(re.findall(r"\w+", head))
        and "SYSCALL_DEFINE" not in head
        and ("static" not in head or _given_constant(text, head))
    )


def _given_constant(text: str, head: str) -> bool:
    """Whether a call of a static function may pass a constant."""
    found = re.search(r"(\w+)\s*\(", head)
    if found is None:
        return False
    name = found[1]
    # A search for a literal is fast; what is before it is looked at last.
    calls = re.findall(rf"{name}(?<!\w{name})\s*\(([^;{{}}]*)[;{{]", text)
    return any(re.search(r"\b(?:sizeof|_IOC_SIZE|\d+)\b", call) for call in calls)


def is_constant(size: str) -> bool:
    """Whether a size is a ``sizeof`` or a number."""
    return isinstance(parse_text(size), Literal) or operand_of(size) is not None


def operand_of(size: str) -> str | None:
    """The operand of ``sizeof``, without parentheses; None if it is no ``sizeof``."""
    found = _SIZEOF.match(size)
    if not isinstance(parse_text(size), SizeOf) or found is None:
        return None
    operand = found["operand"].strip()
    while operand.startswith("(") and operand.endswith(")"):
        operand = operand[1:-1].strip()
    return operand
