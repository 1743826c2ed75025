# SPDX-License-Identifier: GPL-2.0
"""Look up the members of structures in the tree's headers.

A range depends on the type it is computed from: a flexible array is not part of ``sizeof``, some
architectures cannot fetch eight bytes, a bit-field has no address. As SmPL does not read headers,
definitions are searched in the file itself, then in its includes, nearest first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.expression import Expr, Index, Literal, Member
from hotcocci.c.records import MOST_ALIASES, bare, record, typedef
from hotcocci.c.source import NAME, Token, closing, split, tokenize

SCALAR = "scalar"
WIDE = "wide"  # eight bytes on every architecture
RECORD = "record"  # a structure or union
BITFIELD = "bitfield"
UNKNOWN = "unknown"

_WIDE_TYPE = re.compile(
    r"^(?:(?:const|volatile|signed|unsigned|int) )*(?:_*[us]64|_*[bl]e64|_*kernel_loff_t|loff_t|__kernel_time64_t"
    r"|u?int64_t|long long(?: int)?|unsigned long long|ktime_t|time64_t|compat_[us]64"
    r"|_*aligned_[us]64)$"
)
_NARROW_TYPE = re.compile(
    r"^(?:(?:const|volatile|signed|unsigned|int|long|short|char) ?)+$"
    r"|^(?:const )?(?:_*[us](?:8|16|32)|_*[bl]e(?:16|32)|u?int(?:8|16|32)?_t|size_t|ssize_t|bool"
    r"|uid_t|gid_t|pid_t|compat_(?!s?u?64)\w+|old_\w+32_t|u(?:int|long|short)|__kernel_\w+_t)$"
)


@dataclass(frozen=True)
class Field:
    """A member of a structure.

    ``type`` is the text of its type without stars, ``pointer`` tells whether it has any.
    ``bounds`` are the array bounds as written; that of a flexible array is empty.
    """

    name: str
    type: str
    pointer: bool
    bounds: tuple[str, ...]
    bitfield: bool
    body: str | None


def fields(body: str) -> dict[str, Field]:
    """The members in a structure's text, including those of anonymous structures."""
    tokens = tuple(t for t in tokenize(body) if t.kind not in ("comment", "directive"))
    found: dict[str, Field] = {}
    for declaration in split(tokens, ";"):
        _declare(body, declaration, found)
    return found


def _declare(body: str, tokens: tuple[Token, ...], found: dict[str, Field]) -> None:
    tokens = _without_attributes(tokens)
    if not tokens:
        return
    inner: str | None = None
    if tokens[0].text in ("struct", "union"):
        opening = next((i for i, t in enumerate(tokens[:4]) if t.text == "{"), None)
        if opening is not None:
            last = closing(tokens, opening)
            if last is None:
                return
            inner = body[tokens[opening].end : tokens[last].start]
            tokens = (*tokens[:1], *tokens[last + 1 :])
            if (
                len(
                    [
                        t
                        for t in tokens
                        if t.kind == NAME and not t.text.startswith("__")
                    ]
                )
                == 1
            ):
                found.update(fields(inner))
                return
    if (
        tokens[0].text in ("__DECLARE_FLEX_ARRAY", "DECLARE_FLEX_ARRAY")
        and len(tokens) > 4
    ):
        found[tokens[-2].text] = Field(
            tokens[-2].text, tokens[2].text, False, ("",), False, None
        )
        return
    type_words: list[str] = []
    for number, piece in enumerate(split(tokens, ",")):
        cut = next((i for i, t in enumerate(piece) if t.text in ("[", ":")), len(piece))
        words = [
            t.text for t in piece[:cut] if t.text not in ("*", "__user", "__aligned")
        ]
        if not words or any(t.text == "(" for t in piece[:cut]):
            continue
        if number == 0:
            type_words = words[:-1]
        rest = piece[cut:]
        found[words[-1]] = Field(
            words[-1],
            " ".join(type_words),
            any(t.text == "*" for t in piece),
            _bounds(body, rest),
            bool(rest) and rest[0].text == ":",
            inner,
        )


def _without_attributes(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Tokens without __packed, __aligned(8), __counted_by(n) and the like after the name."""
    kept: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        called = index + 1 < len(tokens) and tokens[index + 1].text == "("
        if (
            kept
            and token.text.startswith("__")
            and (called or token.text == "__packed")
        ):
            index = (closing(tokens, index + 1) or index) if called else index
        else:
            kept.append(token)
        index += 1
    return tuple(kept)


def _bounds(body: str, tokens: tuple[Token, ...]) -> tuple[str, ...]:
    bounds: list[str] = []
    index = 0
    while index < len(tokens) and tokens[index].text == "[":
        last = closing(tokens, index)
        if last is None:
            break
        bounds.append(body[tokens[index].end : tokens[last].start].strip())
        index = last + 1
    return tuple(bounds)


def _members(root: Path, file: str, type_: str) -> str | None:
    """The text of the members of a structure or union; None if not found."""
    found = record(root, file, type_)
    return found.body if found else None


@dataclass(frozen=True)
class Place:
    """What an access path leads to, according to the headers.

    ``inside`` is False if the path may leave the structure (a flexible array, an index at or past
    a bound), None if the definition was not found.
    """

    kind: str
    inside: bool | None


def place(root: Path, file: str, type_: str, path: list[Expr]) -> Place:
    """Follow ``.field`` and ``[index]`` steps, outermost object first, through a type."""
    body = _members(root, file, type_)
    inside: bool | None = True
    current: Field | None = None
    bounds: tuple[str, ...] = ()
    for step in path:
        if isinstance(step, Member):
            known = fields(body) if body is not None else {}
            current = known.get(step.field)
            if current is None:
                return Place(UNKNOWN, None)
            bounds = current.bounds
            body = current.body or _members(root, file, current.type)
        elif isinstance(step, Index):
            if not bounds:
                return Place(UNKNOWN, None)
            inside = inside and _within(step.index, bounds[0])
            bounds = bounds[1:]
    if current is None:
        return Place(_scalar(root, file, type_), inside)
    if bounds and any(b in ("", "0") for b in bounds):
        inside = False
    if current.bitfield:
        return Place(BITFIELD, inside)
    if current.pointer:
        return Place(SCALAR, inside)
    if current.body is not None or current.type.startswith(("struct ", "union ")):
        return Place(RECORD, inside)
    return Place(_scalar(root, file, current.type), inside)


def bounds(
    root: Path, file: str, type_: str, path: list[Expr]
) -> tuple[str, ...] | None:
    """The bounds of the array at the end of a path of members; None if not found."""
    body = _members(root, file, type_)
    current: Field | None = None
    for step in path:
        known = fields(body) if body is not None else {}
        current = known.get(step.field) if isinstance(step, Member) else None
        if current is None:
            return None
        body = current.body or _members(root, file, current.type)
    return current.bounds if current is not None else None


def _within(index: Expr, bound: str) -> bool | None:
    if bound in ("", "0"):
        return False
    try:
        limit = int(bound.rstrip("uUlL"), 0)
    except ValueError:
        # A named bound is at least 1.
        return True if isinstance(index, Literal) and index.text == "0" else None
    if isinstance(index, Literal):
        try:
            return int(index.text.rstrip("uUlL"), 0) < limit
        except ValueError:
            return None
    return None


@lru_cache(maxsize=2048)
def _scalar(root: Path, file: str, type_: str) -> str:
    """The kind of a scalar type, depending on whether it is eight bytes wide everywhere."""
    for _ in range(MOST_ALIASES):
        type_ = bare(type_)
        if "*" in type_ or "enum " in type_:
            return SCALAR
        if _WIDE_TYPE.match(type_):
            return WIDE
        if _NARROW_TYPE.match(type_):
            return SCALAR
        if type_.startswith(("struct ", "union ")):
            return RECORD
        resolved = typedef(root, file, type_)
        if resolved is None:
            return UNKNOWN
        type_ = resolved
    return UNKNOWN
