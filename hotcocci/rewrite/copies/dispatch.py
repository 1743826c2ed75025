# SPDX-License-Identifier: GPL-2.0
"""Copies whose size is only known at run time, and the source of that size.

Two sources often give small sizes: the argument size of an ioctl command, and a
parameter for which callers pass constants. read() and write() sizes are neither and are
not reported. Other sizes are reported in hot functions (lengths.py).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from hotcocci.c.expression import Name
from hotcocci.c.source import NAME, Token, closing, expression_at, split
from hotcocci.c.syntax import condition, enclosing, innermost
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Copy
from hotcocci.rewrite.copies.sizes import is_constant
from hotcocci.rewrite.prefilter import COPY

COMMAND = "command"
CALLERS = "callers"

# Macros that extract the size from a command (include/uapi/asm-generic/ioctl.h).
_SIZE = re.compile(r"\b(?:_IOC_SIZE\s*\(|_?IOC_?SIZE_?SHIFT\b)")
_COMMAND = re.compile(r"\b_IOC_SIZE\s*\(\s*(\w+)\s*\)")
# A test after which the size is a constant.
_FIXED = re.compile(r"\b_IOC_SIZE\s*\([^()]*\)\s*!=\s*sizeof")
# Commands of any size: the size of their argument is the caller's buffer.
_ANY_SIZE = re.compile(r"~\s*\(?\s*(?:IOCSIZE_MASK\b|_IOC_SIZEMASK\b)")
# Parameters of read(), write() and sysctl handlers, which are called with any size.
FILE_OPERATION = frozenset({"loff_t", "ctl_table", "iov_iter"})


@dataclass(frozen=True)
class Parameter:
    """A parameter of a function: its name, its position, and the text before it."""

    name: str
    place: int
    words: tuple[str, ...]


def may_hold_dispatch(text: str) -> bool:
    """Whether to run a semantic patch on a file: a copy may take its size from a command or a caller."""
    return any(may_be_dispatch(text, match.start()) for match in COPY.finditer(text))


def may_hold_hot_copy(text: str, hot: frozenset[str]) -> bool:
    """Whether one of the hot functions of a file may have a copy."""
    return any(
        not hot.isdisjoint(re.findall(r"\w+", _header_above(text, match.end())))
        for match in COPY.finditer(text)
    )


def may_hold_length(text: str, hot: frozenset[str]) -> bool:
    """Whether the size of a copy may be a count or a length in one of the hot functions of a file."""
    return any(
        _is_variable(text, match)
        and not hot.isdisjoint(re.findall(r"\w+", _header_above(text, match.end())))
        for match in COPY.finditer(text)
    )


def may_hold_variable_size(text: str) -> bool:
    """Whether the size of a copy may be known at run time only."""
    return any(_is_variable(text, match) for match in COPY.finditer(text))


def _is_variable(text: str, copy: re.Match[str]) -> bool:
    return not is_constant(text[_last_argument(text, copy.end())].strip())


def may_be_dispatch(text: str, place: int, callers: bool = True) -> bool:
    """Whether the copy at an offset may take its size from a command or a caller.

    Without ``callers`` the text may lack them: it is an excerpt.
    """
    start, end = _function(text, place)
    if _SIZE.search(text, start, end):
        return True
    opening = text.find("(", place)
    return _is_parameter(text, opening + 1, place, callers)


def _header_above(text: str, place: int) -> str:
    """The text between the previous function and the body around an offset, empty if there is none."""
    body = text.rfind("\n{", 0, place)
    if body < 0 or text.rfind("\n}", 0, place) > body:
        return ""
    low = max(text.rfind(end, 0, body) for end in ("\n}", ";\n", "*/", "\n#"))
    return text[max(low, 0) : body]


def _last_argument(text: str, start: int) -> slice:
    """The range of the last argument of a call whose arguments begin at ``start``."""
    depth, comma, index = 1, start, start
    while index < len(text) and depth:
        depth += (text[index] in "([{") - (text[index] in ")]}")
        if text[index] == "," and depth == 1:
            comma = index + 1
        index += 1
    return slice(comma, index - 1)


def _function(text: str, place: int) -> tuple[int, int]:
    """Start and end of the function around an offset, whose braces are in column 0."""
    start = max(text.rfind("\n}", 0, place), 0)
    end = text.find("\n}", place)
    return start, len(text) if end < 0 else end


def _is_parameter(text: str, start: int, place: int, callers: bool) -> bool:
    """Whether the size of a copy is a parameter that a caller may give a constant."""
    size = text[_last_argument(text, start)].strip()
    header = _header_above(text, place)
    if not size.isidentifier() or not header:
        return False
    return (
        re.search(rf"\b{size}\s*[,)]", header) is not None
        and not FILE_OPERATION & set(re.findall(r"\w+", header))
        and "SYSCALL_DEFINE" not in header
        and ("static" not in header or not callers or _given_constant(text, header))
    )


def _given_constant(text: str, header: str) -> bool:
    """Whether a call of a static function may pass a constant."""
    found = re.search(r"(\w+)\s*\(", header)
    if found is None:
        return False
    name = found[1]
    # A search for a literal is fast; what is before it is looked at last.
    calls = re.findall(rf"{name}(?<!\w{name})\s*\(([^;{{}}]*)[;{{]", text)
    return any(re.search(r"\b(?:sizeof|_IOC_SIZE|\d+)\b", call) for call in calls)


def source_of_size(copy: Copy) -> str | None:
    """Return `COMMAND`, `CALLERS`, or None if the size comes from neither."""
    text = copy.text(copy.size)
    context = copy.context
    if is_constant(text) or switched(copy):
        return None
    if _FIXED.search(context.source.text, context.body.start, copy.start):
        return None
    if _ANY_SIZE.search(context.source.text, context.body.start, context.body.end):
        return None
    if _in_case_of_command(copy):
        return None
    if _SIZE.search(text):
        return COMMAND
    if not text.isidentifier():
        return None
    if _set_by_command(text, context, frozenset()):
        return COMMAND
    parameter = parameter_of(text, context)
    if parameter is None or assignments(text, context):
        return None
    words = {t.text for t in header_of(context)}
    if words & FILE_OPERATION or any("SYSCALL_DEFINE" in word for word in words):
        return None
    return CALLERS


def switched(copy: Copy) -> bool:
    """Whether a copy is the default of a switch on its own size, which is the form we emit."""
    context = copy.context
    tokens = context.source.code_between(context.body.start, copy.start)
    size = copy.text(copy.size)
    for index, token in enumerate(tokens):
        if token.text != "switch":
            continue
        last = closing(tokens, index + 1)
        if last is None:
            continue
        over = context.source.text[tokens[index + 1].end : tokens[last].start]
        remaining = tokens[last + 1 :]
        inside = remaining and closing(remaining, 0) is None
        if (
            over.strip() == size
            and inside
            and any(t.text == "default" for t in remaining)
        ):
            return True
    return False


def _in_case_of_command(copy: Copy) -> bool:
    """Whether a copy is in a case of a switch over the command, which tells its size."""
    context = copy.context
    source = context.source
    body = source.text[context.body.start : context.body.end]
    commands = set(_COMMAND.findall(body))
    for parent in enclosing(innermost(context.function, copy.start)):
        over = condition(source, parent) if parent.kind == "switch" else None
        # A part of the command, _IOC_DIR(cmd), does not tell the size.
        if not isinstance(over, Name) or over.text not in commands:
            continue
        depth, label = 0, ""
        for token in source.code_between(parent.start, copy.start):
            depth += (token.text == "{") - (token.text == "}")
            if depth == 1 and token.text in ("case", "default"):
                label = token.text
        return label == "case"
    return False


def parameter_of(name: str, context: Context) -> Parameter | None:
    """The function's parameter of this name."""
    for parameter in parameters(header_of(context)):
        if parameter.name == name:
            return parameter
    return None


def parameters(header: tuple[Token, ...]) -> list[Parameter]:
    """The parameters in the header of a function's definition."""
    opening = next((i for i, t in enumerate(header) if t.text == "("), None)
    last = closing(header, opening) if opening is not None else None
    if opening is None or last is None:
        return []
    found: list[Parameter] = []
    for piece in split(header[opening + 1 : last], ","):
        names = [t.text for t in piece if t.kind == NAME]
        if names:
            words = tuple(t.text for t in piece[:-1])
            found.append(Parameter(names[-1], len(found), words))
    return found


def header_of(context: Context) -> tuple[Token, ...]:
    """The tokens of a function's definition before its body."""
    return context.source.code_between(context.function.start, context.body.start)


def _set_by_command(name: str, context: Context, known: frozenset[str]) -> bool:
    """Whether a local variable only ever holds the size of a command, or zero."""
    values = assignments(name, context)
    if not values or None in values or address_taken(name, context):
        return False
    by_command = False
    for value in values:
        text = " ".join(t.text for t in value or ())
        called = [
            t.text
            for t, after in zip(value or (), (value or ())[1:], strict=False)
            if t.kind == NAME and after.text == "("
        ]
        if any(word not in ("_IOC_SIZE", "sizeof") for word in called):
            return False
        if _SIZE.search(text):
            by_command = True
            continue
        others = {t.text for t in value or () if t.kind == NAME} - known - {name}
        by_command = by_command or any(
            _set_by_command(other, context, known | {name})
            for other in others
            if assignments(other, context)
        )
    return by_command


def assignments(name: str, context: Context) -> list[tuple[Token, ...] | None]:
    """The values assigned to a variable in a function; None for any other modification."""
    tokens = context.source.code_between(context.body.start, context.body.end)
    found: list[tuple[Token, ...] | None] = []
    for index, token in enumerate(tokens):
        if token.text != name or (index and tokens[index - 1].text in (".", "->")):
            continue
        after = tokens[index + 1].text
        if after in ("++", "--") or tokens[index - 1].text in ("++", "--"):
            found.append(None)
        elif after.endswith("=") and after not in ("==", "!=", "<=", ">="):
            found.append(expression_at(tokens, index + 2) if after == "=" else None)
    return found


def address_taken(name: str, context: Context) -> bool:
    """Whether a variable's address is taken, so that other code may set it."""
    tokens = context.tokens
    return any(
        before.text == "&" and token.text == name and not _operand(first)
        for first, before, token in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def _operand(token: Token) -> bool:
    """Whether the token before an ampersand makes it a binary operator."""
    return token.kind == NAME or token.text in (")", "]")
