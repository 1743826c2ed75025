# SPDX-License-Identifier: GPL-2.0
"""Find changed variables of a file that the compiler leaves out: another configuration may use them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set

from hotcocci.c.source import DIRECTIVE, NAME, Token


def unused(
    tokens: Sequence[Token],
    changed: Sequence[Token],
    there: Sequence[Token],
    symbols: Set[str],
    expanded: Callable[[], str],
) -> Iterator[Token]:
    """The changed tokens of static variables that are among no ``symbols``.

    ``there`` are the tokens of the other side: what that has not, nothing may use. A number may be in the code of those that
    use it, and is unused if what is ``expanded`` of the file names it once.
    """
    places = {token.start for token in changed if token.kind != DIRECTIVE}
    known = {token.text for token in there if token.kind == NAME}
    for own in _definitions([token for token in tokens if token.kind != DIRECTIVE]):
        differs = [token for token in own if token.start in places]
        words = [token.text for token in own] if differs else []
        name = _static(words)
        if not name or name not in known or name in symbols:
            continue
        if "{" in words or len(re.findall(rf"\b{name}\b", expanded())) == 1:
            yield from differs


def _definitions(code: Sequence[Token]) -> Iterator[Sequence[Token]]:
    """The declarations and definitions of a file, but for functions."""
    start = depth = opened = 0
    for at, token in enumerate(code):
        if token.text == "{" and depth == 0:
            opened = at
        depth += (token.text == "{") - (token.text == "}")
        if depth == 0 and token.text == ";":
            yield code[start:at]
            start = at + 1
        elif depth == 0 and token.text == "}" and code[opened - 1].text == ")":
            start = at + 1


def _static(words: Sequence[str]) -> str:
    """The name of the static variable that a definition with a value is of; empty if it is of something else."""
    if "static" not in words[:2] or "=" not in words:
        return ""
    place = min(words.index(mark) for mark in "=[" if mark in words)
    names = [w for w in words[:place] if w.isidentifier() and not w.startswith("__")]
    return names[-1] if "(" not in words[:place] and names else ""
