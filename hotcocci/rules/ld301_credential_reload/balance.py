# SPDX-License-Identifier: GPL-2.0
"""Check that a function restores the credentials it overrides on every path."""

from __future__ import annotations

from collections.abc import Sequence

from hotcocci.c.source import NAME, Token, closing

_CONDITIONAL = frozenset("if else for while switch case default ? && ||".split())
_LOOPS = frozenset({"for", "while", "do", "switch"})
_BOUNDS = (";", "{", "}")


def balanced(
    body: Sequence[Token], overrides: Sequence[int], reverts: Sequence[int]
) -> bool:
    """Whether each override, given by its token index, is always followed by its own revert.

    The revert must take the value that the override returned and be in the same block,
    and neither may be conditional.
    """
    remaining = list(reverts)
    for override in overrides:
        holder = _holder(body, override)
        own = next(
            (r for r in remaining if r > override and holder in _arguments(body, r)),
            None,
        )
        if own is None:
            return False
        remaining.remove(own)
        if _conditional(body, override) or _conditional(body, own):
            return False
        if _blocks(body, override) != _blocks(body, own) or _may_exit(
            body, override, own
        ):
            return False
    return not remaining


def _holder(body: Sequence[Token], index: int) -> str:
    """The variable that a call's value is stored to; empty if it is not stored."""
    stored = index > 1 and body[index - 1].text == "=" and body[index - 2].kind == NAME
    return body[index - 2].text if stored else ""


def _arguments(body: Sequence[Token], index: int) -> set[str]:
    last = closing(tuple(body), index + 1) or index
    return {token.text for token in body[index + 1 : last]}


def _conditional(body: Sequence[Token], index: int) -> bool:
    """Whether a call is made only under a condition in the same statement."""
    return any(word in _CONDITIONAL for word in _before(body, index))


def _blocks(body: Sequence[Token], index: int) -> list[int]:
    """The opening braces around an index."""
    opened: list[int] = []
    for number, token in enumerate(body[:index]):
        if token.text == "{":
            opened.append(number)
        elif token.text == "}" and opened:
            opened.pop()
    return opened


def _may_exit(body: Sequence[Token], start: int, end: int) -> bool:
    """Whether control may leave the code between two indexes."""
    labels = {
        body[i].text for i in range(start, end) if body[i + 1].text == ":"
    }  # The colons of ?: are not labels.
    outside = set(_blocks(body, start))
    for index in range(start, end):
        word = body[index].text
        if word == "return":
            return True
        if word == "goto" and body[index + 1].text not in labels:
            return True
        if word in ("break", "continue"):
            inner = [b for b in _blocks(body, index) if b not in outside]
            if not any(_is_loop(body, brace) for brace in inner):
                return True
    return False


def _is_loop(body: Sequence[Token], brace: int) -> bool:
    """Whether a brace opens the body of a loop or a switch."""
    return any(word in _LOOPS for word in _before(body, brace))


def _before(body: Sequence[Token], index: int) -> list[str]:
    """The words of a statement before an index; semicolons in ``for (;;)`` do not end it."""
    found: list[str] = []
    depth = 0
    for token in reversed(body[:index]):
        depth += (token.text == ")") - (token.text == "(")
        if token.text in _BOUNDS and depth <= 0:
            break
        found.append(token.text)
    return found
