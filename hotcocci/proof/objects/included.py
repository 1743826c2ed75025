# SPDX-License-Identifier: GPL-2.0
"""Names that a file takes from another header than before, where an architecture or an option has none of its own.

Of linux/io-64-nonatomic-lo-hi.h and …-hi-lo.h nothing is left with 64 bits, where asm/io.h has writeq().
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from hotcocci.c.source import NAME, Token
from hotcocci.proof.changed import Text, word_of
from hotcocci.proof.objects.conditional import is_conditional

_FILE = re.compile(r'^# \d+ "([^"<]+)"', re.MULTILINE)
_WORD = re.compile(r"\b[A-Za-z_]\w*")


def includes(tokens: Sequence[Token]) -> list[Token]:
    """The directives among tokens that include a header."""
    return [token for token in tokens if word_of(token) == "include"]


def overrides(
    texts: tuple[Text, Text],
    preprocessed: tuple[str, str],
    text_of: Callable[[str], str],
) -> Iterator[str]:
    """The names in both texts that a header defines under a condition, which only the first one includes.

    ``preprocessed`` are what ``gcc -E`` makes of them; ``text_of`` reads a file that it names. Sorted.
    """
    headers = _headers(preprocessed[0]) - _headers(preprocessed[1])
    shared = _names(texts[0]) & _names(texts[1])
    found: set[str] = set()
    for header in headers:
        text = text_of(header)
        words = shared & set(_WORD.findall(text))
        found.update(name for name in words if is_conditional(name, text, own=False))
    yield from sorted(found)


def _headers(preprocessed: str) -> Set[str]:
    return set(_FILE.findall(preprocessed))


def _names(text: Text) -> Set[str]:
    return {token.text for token in text.tokens if token.kind == NAME}
