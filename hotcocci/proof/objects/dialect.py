# SPDX-License-Identifier: GPL-2.0
"""Find C that this compiler takes, and others with which the kernel is compiled need not (Documentation/process/changes.rst).

What gcc itself warns of is found where a patch is compiled (gate.py).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hotcocci.c.source import DIRECTIVE, NAME, STRING, Token, closing, is_member
from hotcocci.proof.changed import Text

VARIABLE = "compilers before gcc 8 take no variable for a constant"
NESTED = "clang takes no function in a function"
LETTER = "compilers before gcc 10 take no such letter"
# Which is inline as of 1989 (include/linux/compiler_types.h)
EXTERN = "where a compiler does not inline it, it is in no object file"

_VARIABLE = re.compile(r"\bconst (?:[\w ]*?\b)?(\w+) = ")
# What may be before a loop's macro, a condition or a call
_NO_TYPE = frozenset("else do return case goto sizeof typeof __typeof__".split())


def refused(own: Text, other: Text) -> Iterator[tuple[Token, str]]:
    """The places of one side that other compilers refuse, if they are not on the other side, and why."""
    known = Counter((token.text, why) for token, why in _refused(other))
    for token, why in _refused(own):
        known[token.text, why] -= 1
        if known[token.text, why] < 0:
            yield token, why


def _refused(text: Text) -> Iterator[tuple[Token, str]]:
    code = [token for token in text.tokens if token.kind != DIRECTIVE]
    yield from ((token, VARIABLE) for token in _initialisers(text, code))
    for at, token in enumerate(code):
        if not token.text.isascii() and token.kind != STRING:
            yield token, LETTER
        near = [t.text for t in code[at + 1 : at + 4] if token.text == "extern"]
        if any("inline" in each for each in near):
            yield token, EXTERN
        if token.text == "(" and _is_nested(text, code, at):
            yield code[at - 1], NESTED


def _initialisers(text: Text, code: Sequence[Token]) -> Iterator[Token]:
    """The variables that initialisers of static variables read."""
    variables = set(_VARIABLE.findall(" ".join(token.text for token in code)))
    static = inside = False
    for at, token in enumerate(code[:-1] if variables else ()):
        ended = token.text == ";" or token.text == "{" and not inside
        static = token.text == "static" or static and not ended
        if token.text in ("=", ";"):
            inside = token.text == "=" and (static or not text.function(token))
        elif inside and token.text in variables and not is_member(code, at):
            sized = [t.text for t in code[at - 2 : at]] == ["sizeof", "("]
            if code[at - 1].text != "&" and code[at + 1].text != "=" and not sized:
                yield token


def _is_nested(text: Text, code: Sequence[Token], at: int) -> bool:
    """Whether a bracket begins the parameters of a function that is in another one."""
    if at < 2 or code[at - 1].kind != NAME or code[at - 2].kind != NAME:
        return False
    name, end = code[at - 1], closing(code, at)
    body = end is not None and [t.text for t in code[end + 1 : end + 2]] == ["{"]
    indented = text.text[text.text.rfind("\n", 0, name.start) + 1].isspace()
    inside = indented and text.function(name) not in ("", name.text)
    return body and inside and code[at - 2].text not in _NO_TYPE
