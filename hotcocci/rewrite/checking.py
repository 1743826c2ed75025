# SPDX-License-Identifier: GPL-2.0
"""Tell whether functions that take a user pointer check its range themselves.

Then an access_ok() before them guards nothing of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hotcocci.c.source import COMMENT, NAME, Token, closing, split, tokenize

# Those of the user access API (include/linux/uaccess.h), and functions elsewhere that only use these.
_CHECKING = frozenset(
    name
    for _, names in (
        ("include/linux/uaccess.h", "copy_from_user copy_to_user get_user put_user"),
        ("include/linux/uaccess.h", "clear_user copy_struct_from_user access_ok"),
        ("include/linux/uaccess.h", "strncpy_from_user strnlen_user"),
        ("kernel/signal.c", "restore_altstack compat_restore_altstack"),
        ("kernel/signal.c", "copy_siginfo_to_user"),
        ("arch/x86/kernel/signal.c", "signal_fault"),
    )
    for name in names.split()
)
_TESTING = ("if", "while", "sizeof")
# Calls that are followed into the functions of the same file
_DEPTH = 3


def checks_argument(tokens: Sequence[Token], index: int, text: str) -> bool:
    """Whether the call that a mention of a pointer is an argument of checks its range.

    ``tokens[index]`` is the mention, ``text`` the file: calls of its functions are followed.
    False if the pointer is used in any other way.
    """
    return _is_checked(tokens, index, text, _DEPTH)


def callee(tokens: Sequence[Token], index: int) -> tuple[Token, int] | None:
    """The name of the call or statement that a token is an argument of, and its position; None for neither."""
    open_, position = 0, 0
    for at in range(index - 1, 0, -1):
        token = tokens[at]
        if token.text in (";", "{", "}", "="):
            return None
        if token.text == "," and not open_:
            position += 1
        open_ += {")": 1, "(": -1}.get(token.text, 0)
        if open_ >= 0:
            continue
        open_ = 0
        name = tokens[at - 1]
        if name.kind == NAME and name.text != "return":
            return name, position
        position = 0
    return None


def _is_checked(tokens: Sequence[Token], index: int, text: str, depth: int) -> bool:
    found = callee(tokens, index)
    if found is None:
        return False
    name, position = found
    return name.text in _TESTING or _checks(name.text, position, text, depth)


def _checks(name: str, position: int, text: str, depth: int) -> bool:
    """Whether a function, as far as this file shows, checks its argument at a position."""
    if name in _CHECKING:
        return True
    found = list(_definitions(name, text))
    if not found or not depth:
        return False
    return all(_body_checks(*each, position, text, depth - 1) for each in found)


def _definitions(
    name: str, text: str
) -> Iterator[tuple[tuple[Token, ...], tuple[Token, ...]]]:
    """The parameters and the body of each function of this name."""
    for start in re.finditer(rf"^(?:[A-Za-z_][^\n;=]*\b)?{name}\(", text, re.M):
        stop = text.find("\n}", start.end())
        tokens = tokenize(text, start.end() - 1, stop if stop >= 0 else len(text))
        code = tuple(t for t in tokens if t.kind != COMMENT)
        end = closing(code, 0)
        if end is not None and code[end + 1 : end + 2] and code[end + 1].text == "{":
            yield code[1:end], code[end + 2 :]


def _body_checks(
    parameters: tuple[Token, ...],
    body: tuple[Token, ...],
    position: int,
    text: str,
    depth: int,
) -> bool:
    listed = split(parameters, ",")
    names = (
        [t.text for t in listed[position] if t.kind == NAME]
        if position < len(listed)
        else []
    )
    if not names:
        return False
    return all(
        _is_checked(body, index, text, depth)
        for index, token in enumerate(body)
        if token.text == names[-1] and body[index - 1].text not in (".", "->")
    )
