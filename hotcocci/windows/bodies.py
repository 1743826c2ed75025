# SPDX-License-Identifier: GPL-2.0
"""Divide the body of a macro or function, given as tokens, into statements."""

from __future__ import annotations

from hotcocci.c.source import Token, closing, expression_at

LEAVING = frozenset({"break", "return", "goto", "continue"})


def statement_end(tokens: tuple[Token, ...]) -> int:
    """The index where the statement at the start ends; an else belongs to it."""
    if not tokens:
        return 0
    first = tokens[0].text
    if first == "{":
        return (closing(tokens, 0) or len(tokens) - 1) + 1
    if first in ("if", "for", "while", "switch"):
        head = (closing(tokens, 1) or len(tokens) - 1) + 1
        end = head + statement_end(tokens[head:])
        if first == "if" and tokens[end : end + 1] and tokens[end].text == "else":
            end += 1 + statement_end(tokens[end + 1 :])
        return end
    if first == "do":
        end = 1 + statement_end(tokens[1:])
        return end + len(expression_at(tokens, end)) + 1
    depth = choices = 0
    for index, token in enumerate(tokens):
        depth += (token.text in "([{") - (token.text in ")]}")
        if depth:
            continue
        choices += (token.text == "?") - (token.text == ":")
        if token.text == ";" or choices < 0:  # or a label
            return index + 1
    return len(tokens)


def branches(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], tuple[Token, ...], tuple[Token, ...]]:
    """What an if, or a loop, at the start does, what its else does, and what follows it."""
    head = (closing(tokens, 1) or len(tokens) - 1) + 1
    rest = tokens[head:]
    end = statement_end(rest)
    body, after = rest[:end], rest[end:]
    if tokens[0].text != "if" or not after or after[0].text != "else":
        return body, (), after
    end = statement_end(after[1:]) + 1
    return body, after[1:end], after[end:]
