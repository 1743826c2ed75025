# SPDX-License-Identifier: GPL-2.0
"""Copies whose size is only known at run time, and the source of that size.

Two sources often give small sizes: the argument size of an ioctl command, and a
parameter for which callers pass constants. read() and write() sizes are neither and are
not reported. Other sizes are reported in hot functions (lengths.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotcocci.c.expression import Name
from hotcocci.c.source import NAME, Token, closing, expression_at
from hotcocci.c.syntax import condition, enclosing, innermost
from hotcocci.rewrite.context import Context
from hotcocci.rewrite.copies.calls import Copy
from hotcocci.rewrite.prefilter import FILE_OPERATION, SIZE, is_constant

COMMAND = "command"
CALLERS = "callers"

_COMMAND = re.compile(r"\b_IOC_SIZE\s*\(\s*(\w+)\s*\)")
# A test after which the size is a constant.
_FIXED = re.compile(r"\b_IOC_SIZE\s*\([^()]*\)\s*!=\s*sizeof")
# Commands of any size: the size of their argument is the caller's buffer.
_ANY_SIZE = re.compile(r"~\s*\(?\s*(?:IOCSIZE_MASK\b|_IOC_SIZEMASK\b)")

# Larger copies are what copy_from_user() is for.
MOST_BYTES = 64
# A size of fewer than one copy in so many is left to the general copy.
SHARE = 40
# Each size adds code.
MOST_SIZES = 6


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
    if SIZE.search(text):
        return COMMAND
    if not text.isidentifier():
        return None
    if _set_by_command(text, context, frozenset()):
        return COMMAND
    parameter = parameter_of(text, context)
    if parameter is None or assignments(text, context):
        return None
    words = {t.text for t in context.header}
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
    body = source.of(context.body)
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


def parameter_of(name: str, context: Context) -> int | None:
    """The position of the function's parameter of this name; None if it has none."""
    for place, tokens in enumerate(context.parameters):
        names = [token.text for token in tokens if token.kind == NAME]
        if names[-1:] == [name]:
            return place
    return None


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
        if SIZE.search(text):
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


def frequent(sizes: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The sizes to copy inline, smallest first, of a table of sizes and how often each occurs.

    They are 4 bytes and multiples of 8 up to `MOST_BYTES`, each of one copy in `SHARE` or more; the most
    frequent ones if there are more than `MOST_SIZES`.
    """
    total = sum(count for size, count in sizes if size)
    fit = [
        (count, -size)
        for size, count in sizes
        if (size == 4 or 0 < size <= MOST_BYTES and size % 8 == 0)
        and count * SHARE >= total
    ]
    return tuple(sorted(-size for _, size in sorted(fit)[-MOST_SIZES:]))
