# SPDX-License-Identifier: GPL-2.0
"""Compute the size of uapi types on a 64-bit machine from the text of headers.

Unlike a `Layout`, this is only a size, so unions, bit-fields and arrays of arrays have one too. If
machines differ, it is that of x86-64, or for a file in arch/ that of its architecture. Unknown
sizes are None: structures with a configuration-dependent ``#if``, names with two definitions,
bounds that are not constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.constants import (
    defined,
    evaluate,
    evaluate_bound,
    interface,
    macro_of,
)
from hotcocci.c.headers import reachable
from hotcocci.c.layout import layout
from hotcocci.c.preprocessed import view, view_on_x86_64
from hotcocci.c.records import MOST_ALIASES
from hotcocci.c.source import DIRECTIVE, NAME, Token, closing, split, tokenize

_IGNORED = frozenset(
    "const volatile __user __force __bitwise __extension__ __be __le".split()
)
_RECORDS = ("struct", "union")
_C_WORDS = frozenset(
    "char short int long signed unsigned __signed__ bool _Bool".split()
)
_FIXED = re.compile(
    r"_*[us](?:8|16|32|64)$|_*[bl]e(?:16|32|64)$|u?int(?:8|16|32|64)_t$"
    r"|_*aligned_[us]64$|(?:__kernel_)?s?size_t$"
)
_WORD = 8


@dataclass(frozen=True)
class Extent:
    """Size and alignment of a type, in bytes."""

    size: int
    align: int


class _UnknownError(Exception):
    """The size is unknown."""


@lru_cache(maxsize=4096)
def size_of(root: Path, file: str, type_: str) -> int | None:
    """The size of a type in bytes, as written in a file of the tree; None if unknown.

    It may be an array (``__u8[16]``). ``file`` is relative to the tree ``root``.
    """
    try:
        return _extent(root, file, tokenize(type_), MOST_ALIASES).size
    except (_UnknownError, OSError):
        return None


def size_of_declared(root: Path, file: str, tokens: Sequence[Token]) -> int | None:
    """The size of the variable in a declaration without initialiser, in bytes; None if unknown."""
    try:
        found = _declared(root, file, tuple(tokens), MOST_ALIASES)
    except (_UnknownError, OSError):
        return None
    return found[0][0].size if len(found) == 1 else None


def _extent(root: Path, file: str, tokens: tuple[Token, ...], left: int) -> Extent:
    """The extent of a type without a declarator."""
    tokens = tuple(t for t in tokens if t.text not in _IGNORED)
    texts = [t.text for t in tokens]
    if not texts or not left or tokens[0].kind != NAME:
        raise _UnknownError
    if "{" in texts:
        return _inline(root, file, tokens, left)
    if "[" in texts:
        cut = texts.index("[")
        one = _extent(root, file, tokens[:cut], left)
        return _times(root, file, one, tokens[cut:])
    if "*" in texts:
        return Extent(_WORD, _WORD)
    if any(not t.isidentifier() for t in texts):
        raise _UnknownError
    if texts[0] == "enum" and len(texts) == 2:
        return Extent(4, 4)
    if texts[0] in _RECORDS:
        return _named(root, file, texts[0], texts[-1], left)
    known = layout(root, file, " ".join(texts)) if _plain(texts) else None
    if known is not None and 0 not in known.aligns:
        return Extent(known.sizes[2], known.aligns[2])
    return _typedef(root, file, texts[-1], left)


def _plain(texts: list[str]) -> bool:
    """Whether a type is a basic type of C, or a fixed-width type of the kernel."""
    return all(t in _C_WORDS for t in texts) or (
        len(texts) == 1 and _FIXED.match(texts[0]) is not None
    )


def _named(root: Path, file: str, word: str, name: str, left: int) -> Extent:
    pattern = re.compile(rf"\b{word}\s+(?:__packed\s+)?{name}\s*\{{")
    for header in reachable(root, file):
        if name not in header.records:
            continue
        for text in _texts(root, file, header.path):
            found = list(pattern.finditer(text))
            if len(found) != 1 or "#pragma" in text:
                continue
            tokens = _until_semicolon(text, found[0].start())
            try:
                return _inline(root, file, tokens, left)
            except _UnknownError:
                continue
        if pattern.search(header.text):
            raise _UnknownError
    raise _UnknownError


def _texts(root: Path, file: str, path: Path) -> Iterator[str]:
    """The text of a header as all kernels see it, then as x86-64 sees it."""
    yield view(path).text
    yield view_on_x86_64(root, file, path).text


def _typedef(root: Path, file: str, name: str, left: int) -> Extent:
    near = {header.path for header in interface(root, file)}
    for header in reachable(root, file):
        known = name in header.aliases or name in header.closings
        if not known and (header.path not in near or name not in header.text):
            continue
        met = False
        for text in _texts(root, file, header.path):
            try:
                found = _aliased(root, file, name, text, left)
            except _UnknownError:
                met = True
                continue
            if found is not None:
                return found
        if met:
            raise _UnknownError
    raise _UnknownError


def _aliased(root: Path, file: str, name: str, text: str, left: int) -> Extent | None:
    """The extent of a typedef in a header's text; None if it has no such typedef."""
    pattern = re.compile(
        rf"\btypedef\s+([^;{{}}()]*?\W){name}\s*((?:\[[^\];]*\]\s*)*);"
    )
    aliases = {f"{a.strip()} {b.strip()}" for a, b in pattern.findall(text)}
    ends = list(re.finditer(rf"\}}[^;{{}}]*\b{name}\s*;", text))
    if len(aliases) > 1 or len(ends) > 1 or (aliases and ends):
        raise _UnknownError
    if aliases:
        return _extent(root, file, tokenize(aliases.pop()), left - 1)
    if not ends:
        return None
    start = text.rfind("typedef", 0, ends[0].start())
    tokens = _until_semicolon(text, start) if start >= 0 else ()
    if "#pragma" in text or not tokens or tokens[-1].end != ends[0].end() - 1:
        raise _UnknownError
    return _inline(root, file, tokens[1:], left)


def _until_semicolon(text: str, start: int) -> tuple[Token, ...]:
    """The tokens of one declaration at file scope, without its semicolon."""
    # Most are short; no uapi structure is longer than the last limit.
    for length in (1000, 4000, 20000):
        tokens = tokenize(text, start, min(len(text), start + length))
        first, *rest = split(tokens, ";")
        if rest:
            return first
    raise _UnknownError


def _inline(root: Path, file: str, tokens: tuple[Token, ...], left: int) -> Extent:
    """The extent of ``struct name { … }``, with the attributes or typedef name after it."""
    opening = next(i for i, t in enumerate(tokens) if t.text == "{")
    last = closing(tokens, opening)
    if last is None:
        raise _UnknownError
    if tokens[0].text == "enum":
        return Extent(4, 4)
    if tokens[0].text not in _RECORDS:
        raise _UnknownError
    around = _spelled(root, file, (*tokens[1:opening], *tokens[last + 1 :]))
    packed = any(t in ("__packed", "packed", "__packed__") for t in around)
    aligned = _aligned(root, file, around)
    made = _members(
        root, file, tokens[opening + 1 : last], tokens[0].text == "union", packed, left
    )
    align = max(made.align, aligned)
    return Extent(-(-made.size // align) * align, align)


def _spelled(root: Path, file: str, tokens: tuple[Token, ...]) -> list[str]:
    """The words around the braces of a structure, with macros such as EPOLL_PACKED expanded."""
    found: list[str] = []
    for token in tokens:
        own = token.kind != NAME or token.text.startswith("__")
        macro = None if own else macro_of(root, file, token.text)
        if macro is None and not own and defined(root, file, token.text):
            raise _UnknownError
        body = tokenize(macro.body) if macro is not None else (token,)
        found += [t.text for t in body]
    return found


def _aligned(root: Path, file: str, texts: list[str]) -> int:
    """The alignment that attributes request; 1 if none does."""
    for index, text in enumerate(texts):
        if text in ("__aligned", "aligned", "__aligned__"):
            depth, end = 1, index + 2
            while depth and end < len(texts):
                depth += (texts[end] == "(") - (texts[end] == ")")
                end += 1
            if depth or texts[index + 1] != "(":
                raise _UnknownError
            asked = " ".join(texts[index + 2 : end - 1])
            value = evaluate(root, file, asked, lambda t: size_of(root, file, t))
            if not value:
                raise _UnknownError
            return value
    return 1


def _members(
    root: Path,
    file: str,
    tokens: tuple[Token, ...],
    union: bool,
    packed: bool,
    left: int,
) -> Extent:
    bits, align, widest = 0, 1, 0
    tokens = tuple(
        t for t in tokens if not (t.kind == DIRECTIVE and "define" in t.text)
    )
    if any(t.kind == DIRECTIVE for t in tokens):
        raise _UnknownError
    *members, rest = split(tokens, ";")
    if rest:
        raise _UnknownError
    for member in members:
        for one, width in _declared(root, file, member, left) if member else ():
            natural = 1 if packed else one.align
            unit = 8 * one.size
            if union:
                bits = 0
            if width is None:
                bits = -(-bits // (8 * natural)) * 8 * natural + unit
            elif not width:
                bits = -(-bits // unit) * unit
            else:
                if not packed and bits % unit + width > unit:
                    bits = -(-bits // unit) * unit
                bits += width
            align = max(align, natural)
            widest = max(widest, bits)
    size = -(-widest // 8)
    return Extent(-(-size // align) * align, align)


def _declared(
    root: Path, file: str, tokens: tuple[Token, ...], left: int
) -> list[tuple[Extent, int | None]]:
    """The extents of the names in a declaration, each with its width if it is a bit-field."""
    tokens = tuple(t for t in tokens if t.text not in _IGNORED)
    attributes, tokens = _without_attributes(root, file, tokens)
    texts = [t.text for t in tokens]
    if "(" in texts:
        if texts[texts.index("(") + 1 : texts.index("(") + 2] == ["*"]:
            return [(Extent(_WORD, _WORD), None)]  # a pointer to a function
        if "{" not in texts[: texts.index("(")] and "[" not in texts:
            raise _UnknownError
    if "{" in texts:
        last = closing(tokens, texts.index("{"))
        if last is None:
            raise _UnknownError
        head, rest = tokens[: last + 1], tokens[last + 1 :]
        if not rest:
            return [(_raised(_extent(root, file, head, left), attributes), None)]
    else:
        cut = next((i for i, t in enumerate(texts) if t in ("*", ",", "[", ":")), None)
        if cut is None or texts[cut] != "*":
            cut = len(texts[:cut]) - 1
        head, rest = tokens[:cut], tokens[cut:]
    found: list[tuple[Extent, int | None]] = []
    for piece in _pieces(rest):
        one = Extent(_WORD, _WORD) if piece[0].text == "*" else None
        names = [i for i, t in enumerate(piece) if t.kind == NAME]
        behind = piece[names[0] + 1 :] if names and piece[0].text != ":" else piece
        one = one or _extent(root, file, head, left)
        width: int | None = None
        if behind and behind[0].text == ":":
            width = evaluate(root, file, _text(behind[1:]), lambda _: None)
            if width is None:
                raise _UnknownError
        else:
            one = _times(root, file, one, behind)
        found.append((_raised(one, attributes), width))
    return found


def _raised(extent: Extent, aligned: int) -> Extent:
    return Extent(extent.size, max(extent.align, aligned))


def _without_attributes(
    root: Path, file: str, tokens: tuple[Token, ...]
) -> tuple[int, tuple[Token, ...]]:
    """The alignment that attributes outside braces request, and the rest of a declaration."""
    kept: list[Token] = []
    aligned = 1
    index = depth = 0
    while index < len(tokens):
        token = tokens[index]
        depth += (token.text == "{") - (token.text == "}")
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if depth == 0 and token.text.startswith("__") and called:
            last = closing(tokens, index + 1)
            if last is None:
                raise _UnknownError
            words = [t.text for t in tokens[index : last + 1]]
            if not words[0].startswith(("__attribute", "__aligned", "__counted_by")):
                raise _UnknownError
            if any(w in ("packed", "__packed__") for w in words) and kept:
                kept.append(Token(NAME, "__packed", token.start, token.end))
            aligned = max(aligned, _aligned(root, file, words))
            index = last + 1
            continue
        kept.append(token)
        index += 1
    # An attribute after the brace of an inline structure belongs to that structure.
    if kept and kept[-1].text == "__packed" and "{" not in [t.text for t in kept]:
        raise _UnknownError
    return aligned, tuple(kept)


def _pieces(tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    pieces = [
        tuple(token for token in piece if token.text != "__packed")
        for piece in split(tokens, ",")
    ]
    if not all(pieces):
        raise _UnknownError
    return pieces


def _times(root: Path, file: str, one: Extent, tokens: tuple[Token, ...]) -> Extent:
    """The extent of an array with these bounds; a flexible array has size 0."""
    size = one.size
    index = 0
    while index < len(tokens):
        last = closing(tokens, index) if tokens[index].text == "[" else None
        if last is None:
            raise _UnknownError
        bound = _text(tokens[index + 1 : last])
        count = (
            evaluate_bound(root, file, bound, lambda t: size_of(root, file, t))
            if bound
            else 0
        )
        if count is None or count < 0:
            raise _UnknownError
        size *= count
        index = last + 1
    return Extent(size, one.align)


def _text(tokens: tuple[Token, ...]) -> str:
    return " ".join(t.text for t in tokens)
