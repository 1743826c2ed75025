# SPDX-License-Identifier: GPL-2.0
"""Give local variables without a value one that nobody knows: gcc takes for them whatever makes the code shorter.

An initialiser that a change drops may have been the value that gcc takes. Nothing in the machine code shows it, nor
does a warning, nor -ftrivial-auto-var-init: gcc merges such values before it looks for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import partial

from hotcocci.c.source import (
    DIRECTIVE,
    NAME,
    Token,
    closing,
    closing_at,
    split,
    tokenize,
)
from hotcocci.proof.changed import Aligned, Text, differing
from hotcocci.proof.objects.conditional import functions
from hotcocci.proof.objects.variant import Variant

UNSET = "a local variable may be used without a value"

_VALUE = "hotcocci_unset"
_DECLARATION = f"extern char {_VALUE}[];\n"
# What sets a variable, or leads past what sets it
_SETS = frozenset("= goto break continue if else case default while for && ||".split())
# What begins no declaration of a local variable without a value
_NO_TYPE = frozenset(
    "return goto case else default break continue static extern typedef register do".split()
)
_BEFORE = frozenset(";{}")
_RECORDS = frozenset("struct union enum".split())


def filled(given: Aligned) -> Variant | None:
    """How to compile a change that assigns variables or leads past it, if some have no value at first; else None."""
    texts = [Text(given.file, text) for text in given.texts]
    sides = differing(texts[0], texts[1])
    words = {token.text for side in sides for token in side}
    if not words & _SETS:
        return None
    names = {
        text.pieces.all[owner].function
        for text, side in zip(texts, sides, strict=True)
        for token in side
        if (owner := text.pieces.owner.get(token.start)) is not None
    }
    unset = {
        token.text
        for text in texts
        for header, end in _bodies(text.text, names)
        for token in _unset(tokenize(text.text, header, end))
    }
    rewritten = partial(_filled, names=names, variables=unset)
    return Variant(UNSET, ("-fpreprocessed",), rewritten) if unset else None


def _filled(text: str, names: Set[str], variables: Set[str]) -> str:
    """A preprocessed file in which these variables of functions are set where they are declared."""
    places = []
    for start, end in _bodies(text, names):
        code = tokenize(text, start, end)
        for token in _unset(code):
            if token.text in variables:
                after = text.index(";", token.end) + 1
                name = token.text
                fill = f" __builtin_memcpy(&{name}, {_VALUE}, sizeof({name}));"
                places.append((after, fill))
    parts, done = [_DECLARATION], 0
    for after, fill in sorted(places):
        parts += [text[done:after], fill]
        done = after
    return "".join(parts) + text[done:]


def _bodies(text: str, names: Set[str]) -> Iterator[tuple[int, int]]:
    """Where the body of each of these functions begins and ends."""
    found = functions(text)
    for name in names & found.keys():
        start = found[name].end() - 1
        end = closing_at(text, start)
        if end is not None:
            yield start, end


def _unset(code: Sequence[Token]) -> Iterator[Token]:
    """The names of the variables that a function's body declares without a value."""
    code = [token for token in code if token.kind != DIRECTIVE]
    statement: list[Token] = []
    at = 0
    while at < len(code):
        token = code[at]
        if token.text == "{" and any(t.text in _RECORDS for t in statement[-2:]):
            # Members are no variables.
            at = closing(code, at) or at
        elif token.text in _BEFORE:
            if token.text == ";":
                yield from _declared(statement)
            statement = []
        else:
            statement.append(token)
        at += 1


def _declared(statement: Sequence[Token]) -> Iterator[Token]:
    words = [token for token in statement[:2] if token.kind == NAME]
    starred = [token.text for token in statement[1:2]] == ["*"]
    if not words or words[0].text in _NO_TYPE or len(words) < 2 and not starred:
        return
    for part in split(statement, ","):
        texts = [token.text for token in part]
        end = texts.index("[") if "[" in texts else len(texts)
        if not {"=", "("} & set(texts) and part[end - 1].kind == NAME:
            yield part[end - 1]
