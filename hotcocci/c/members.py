# SPDX-License-Identifier: GPL-2.0
"""Parse the declarations of members between the braces of a structure or union."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from hotcocci.c.integers import integer
from hotcocci.c.model import Member, Record
from hotcocci.c.source import COMMENT, DIRECTIVE, NAME, Token, closing, split, tokenize

KINDS = ("struct", "union", "enum")
# These are no part of a type.
_SPACES = frozenset(
    (
        "__user __force __rcu __percpu __iomem __kernel __bitwise __private __extension__"
        " randomized_struct_fields_start randomized_struct_fields_end"
    ).split()
)
_QUALIFIERS = frozenset({"const", "volatile", "restrict"})
_LAYOUT = re.compile(r"packed|aligned")
_FLEXIBLE = ("DECLARE_FLEX_ARRAY", "__DECLARE_FLEX_ARRAY")
_UNKNOWN = Member("", "")


@lru_cache(maxsize=4096)
def declared(body: str) -> tuple[Member, ...]:
    """The members in a structure's text, in order; directives are ignored."""
    tokens = [t for t in tokenize(body) if t.kind not in (COMMENT, DIRECTIVE)]
    found: list[Member] = []
    for declaration in split([t for t in tokens if t.text not in _SPACES], ";"):
        if declaration:
            found += _declaration(body, declaration)
    return tuple(found)


@lru_cache(maxsize=4096)
def members(record: Record) -> dict[str, Member]:
    """The members of a record by name, with those of anonymous records in it.

    Pointers to functions are left out.
    """
    found: dict[str, Member] = {}
    for member in declared(record.body):
        if member.record is not None and not member.name:
            found |= members(member.record)
        elif member.name and not member.function:
            found[member.name] = member
    if record.kind == "union":
        return {name: replace(one, shared=True) for name, one in found.items()}
    return found


def _declaration(text: str, tokens: tuple[Token, ...]) -> list[Member]:
    """The members of one declaration, without its semicolon."""
    if tokens[0].text in _FLEXIBLE and len(tokens) > 4:
        type_ = " ".join(t.text for t in split(tokens[2:-1], ",")[0])
        return [Member(tokens[-2].text, type_, bounds=("",))]
    tokens, attributes = without_attributes(tokens)
    opening = next((i for i, t in enumerate(tokens) if t.text in ("{", "(")), None)
    record, cut = None, 0
    if opening is not None and tokens[opening].text == "{":
        kind = next((t.text for t in tokens[:opening] if t.text in KINDS), "")
        last = closing(tokens, opening)
        if last is None or not kind:
            return [_UNKNOWN]
        body = text[tokens[opening].end : tokens[last].start]
        cut = last + 1
        inside = tuple(w for at, words in attributes if at <= cut for w in words)
        record = Record(kind, body, inside)
        type_ = " ".join(t.text for t in tokens[:opening])
        if cut == len(tokens):
            return [Member("", type_, record=record)]
    elif tokens:
        ends = (i for i, t in enumerate(tokens) if t.text in ("*", "(", ",", "[", ":"))
        cut = next(ends, len(tokens))
        if cut == len(tokens) or tokens[cut].text not in ("*", "("):
            cut -= cut > 0 and tokens[cut - 1].kind == NAME and cut > 1
        type_ = " ".join(t.text for t in tokens[:cut])
    if not tokens or not type_:
        return [_UNKNOWN]
    own = tuple(w for at, words in attributes if not record or at > cut for w in words)
    made = Member("", type_, record=record, attributes=own)
    return [_declarator(text, piece, made) for piece in split(tokens[cut:], ",")]


def _declarator(text: str, tokens: tuple[Token, ...], made: Member) -> Member:
    """Parse a member after its type: ``*name``, ``name[2]``, ``name : 3``, ``(*name)(void)``."""
    texts = [t.text for t in tokens]
    if "(" in texts and texts[0] in ("*", "("):
        start = texts.index("(")
        last = closing(tokens, start)
        if texts[start + 1] != "*":
            return _UNKNOWN
        named = _declarator(text, tokens[start + 1 : last], made)
        return replace(named, stars=1, function=True)
    stars, index = 0, 0
    while index < len(tokens) and tokens[index].text in {"*"} | _QUALIFIERS:
        stars += tokens[index].text == "*"
        index += 1
    name = ""
    if index < len(tokens) and tokens[index].kind == NAME:
        name, index = tokens[index].text, index + 1
    bounds: list[str] = []
    while index < len(tokens) and tokens[index].text == "[":
        last = closing(tokens, index)
        if last is None:
            return _UNKNOWN
        bounds.append(text[tokens[index].end : tokens[last].start].strip())
        index = last + 1
    width = None
    if index + 1 < len(tokens) and tokens[index].text == ":":
        width = text[tokens[index].end : tokens[-1].end].strip()
        index = len(tokens)
    if index < len(tokens) or not (name or width):
        return _UNKNOWN
    return replace(made, name=name, stars=stars, bounds=tuple(bounds), width=width)


def without_attributes(
    tokens: tuple[Token, ...],
) -> tuple[tuple[Token, ...], list[tuple[int, list[str]]]]:
    """The tokens without attributes, and the words of each with the number of tokens before it."""
    kept: list[Token] = []
    found: list[tuple[int, list[str]]] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        last: int | None = index
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if token.text in ("{", "(", "["):
            last = closing(tokens, index)
        elif token.text.startswith("__") and called and kept:
            last = closing(tokens, index + 1)
        last = len(tokens) - 1 if last is None else last
        piece = tokens[index : last + 1]
        alone = _LAYOUT.search(token.text) and integer(token.text) is None
        if token.text.startswith("__") and (len(piece) > 1 or alone):
            found.append((len(kept), [t.text for t in piece]))
        else:
            kept += piece
        index = last + 1
    return tuple(kept), found
