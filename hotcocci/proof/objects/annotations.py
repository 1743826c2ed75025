# SPDX-License-Identifier: GPL-2.0
"""Find annotations that a declaration or a cast loses, and that this compilation makes no use of, as __user."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hotcocci.c.source import DIRECTIVE, Token, closing

# include/linux/compiler_types.h, compiler_attributes.h, compiler-context-analysis.h. Later compilers check bounds by
# __counted_by(), and with LTO __visible keeps a function.
DROPPED = "{} is for sparse, warnings or other builds, and not compared"

_PLAIN = re.compile(
    r"__(?:user|iomem|percpu|rcu|bitwise|kernel|nocast|safe|private|must_check|visible|nonstring"
    r"|returns_nonnull|designated_init|deprecated|releases|acquires|context_unsafe)"
)
_CALLED = re.compile(
    r"__(?:printf|scanf|nonnull|acquires\w*|releases\w*|must_hold\w*|cond_acquires\w*"
    r"|counted_by\w*|sized_by\w*|(?:pt_)?guarded_by|access)"
)
# What ends a declaration, a parameter or the type of a cast
_ENDS = frozenset("; { } ( ) , =".split())


class _Part(NamedTuple):
    """A declaration, a parameter or a type, without the annotations that it has."""

    text: str
    annotations: tuple[tuple[str, Token], ...]


def dropped(
    own: Sequence[Token], other: Sequence[Token]
) -> Iterator[tuple[Token, str]]:
    """The annotations that the ``other`` text has less often, though all that had them is still there."""
    sides = [list(_parts(text)) for text in (own, other)]
    texts = [Counter(part.text for part in side) for side in sides]
    said = [
        Counter((part.text, what) for part in side for what, _ in part.annotations)
        for side in sides
    ]
    lost = said[0] - said[1]
    for part in sides[0]:
        if texts[0][part.text] <= texts[1][part.text]:
            for what, token in part.annotations:
                if (part.text, what) in lost:
                    yield token, DROPPED.format(token.text)


def _parts(text: Sequence[Token]) -> Iterator[_Part]:
    code = [token for token in text if token.kind != DIRECTIVE]
    words, annotations = list[str](), list[tuple[str, Token]]()
    at = 0
    while at < len(code):
        token, end = code[at], None
        if _CALLED.fullmatch(token.text) and code[at + 1 : at + 2]:
            end = closing(code, at + 1) if code[at + 1].text == "(" else None
        if end is not None or _PLAIN.fullmatch(token.text):
            last = at if end is None else end
            annotations.append((_joined(code[at : last + 1]), token))
            at = last
        elif token.text in _ENDS:
            if words or annotations:
                yield _Part(" ".join(words), tuple(annotations))
            words, annotations = [], []
        else:
            words.append(token.text)
        at += 1


def _joined(code: Sequence[Token]) -> str:
    return " ".join(token.text for token in code)
