# SPDX-License-Identifier: GPL-2.0
"""Name words of width beside values whose width a configuration decides: phys_addr_t, dma_addr_t, resource_size_t.

On some 32-bit kernels they have 64 bits (CONFIG_PHYS_ADDR_T_64BIT), on others 32. One that is compared shows one of the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from hotcocci.c.source import DIRECTIVE, NAME, NUMBER, Token
from hotcocci.proof.objects.silent import edge

_TYPES = r"phys_addr_t|dma_addr_t|resource_size_t"
_DECLARED = re.compile(rf"\b(?:{_TYPES})\b[\s*]+(\w+)")
# A member, or a function; parameters of other functions are none of ours
_SHARED = re.compile(rf"{_DECLARED.pattern}(?=\s*[;(\[])")
_WIDTH = re.compile(
    r"\w*long\w*|(?!\d)\w*64\w*|s?size_t|u?intptr_t|loff_t|sector_t|\d\w*[lL][uU]?"
)
# What follows the name of a variable in its declaration
_AFTER = frozenset("; , = [".split())


def beside_wider(
    tokens: Sequence[Token], changed: Sequence[Token], preprocessed: Callable[[], str]
) -> Iterator[Token]:
    """The changed words of width in statements with such values, and in declarations of variables that get them.

    ``preprocessed`` gives the text after the preprocessor, which has the declarations of headers.
    """
    words = {
        token.start
        for token in changed
        if token.kind in (NAME, NUMBER) and _WIDTH.fullmatch(token.text)
    }
    if not words:
        return
    code = [token for token in tokens if token.kind != DIRECTIVE]
    own = _DECLARED.findall(" ".join(token.text for token in code))
    wide = frozenset([*own, *_SHARED.findall(preprocessed())])
    for at, token in enumerate(code):
        if token.start in words:
            statement = _statement(code, at)
            if wide & _names(statement) or _meets(code, at, statement, wide):
                yield token


def _statement(code: Sequence[Token], at: int) -> Sequence[Token]:
    return code[max(edge(code, at, -1), 0) : edge(code, at, 1) + 1]


def _names(code: Sequence[Token]) -> set[str]:
    return {token.text for token in code if token.kind == NAME}


def _meets(
    code: Sequence[Token], at: int, statement: Sequence[Token], wide: frozenset[str]
) -> bool:
    """Whether a variable that a statement declares is in another statement of its function with such a value."""
    variables = {
        name.text
        for before, name, after in zip(statement, statement[1:], statement[2:])
        if name.kind == NAME and after.text in _AFTER
        if before.kind == NAME or before.text in ("*", ",")
    }
    depth, n = 0, at
    while n < len(code) and depth >= 0:
        depth += (code[n].text == "{") - (code[n].text == "}")
        if code[n].text in variables and wide & _names(_statement(code, n)):
            return True
        n += 1
    return False
