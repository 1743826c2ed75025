# SPDX-License-Identifier: GPL-2.0
"""The types along a chain of members, read from the headers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c.records import MOST_ALIASES, record, typedef
from hotcocci.c.types import Field, fields

_STARS = re.compile(r"\*+")
_BOUND = re.compile(r"\[([^\]]*)\]")
_ATTRIBUTE = re.compile(r"\b__(?:user|force|rcu|percpu|iomem|kernel|bitwise|private)\b")
# The members of ``const struct { … };`` are as good as any (struct vm_fault).
_CONST_RECORD = re.compile(r"\bconst\s+(struct|union)\s*\{")
_WORD = re.compile(r"/\*.*?\*/|//[^\n]*|[{};]|\w+", re.DOTALL)
_PLAIN = frozenset(
    "char short int long signed unsigned bool _Bool float double".split()
)
_FIXED = re.compile(r"_*[us](8|16|32|64)$|_*[bl]e(16|32|64)$|u?int(8|16|32|64)_t$")


@dataclass(frozen=True)
class Type:
    """A type: ``name`` without stars, so many ``stars``, and so many array ``bounds``.

    ``body`` are the members where they are declared in place. ``const`` says that what it points to, or
    it is, does not change, ``volatile`` that it is to be loaded wherever that is written. ``bitfield`` and
    ``shared`` tell of a member that it is a bit-field, and that it lies in a union.
    """

    name: str
    stars: int = 0
    bounds: int = 0
    body: str | None = None
    bitfield: bool = False
    shared: bool = False
    const: bool = False
    volatile: bool = False

    @property
    def pointer(self) -> bool:
        """Whether it is a pointer."""
        return self.stars > 0 and not self.bounds


def parsed(type_: str) -> Type:
    """A type as C writes it: ``const struct a *``, ``u32[4]``."""
    bounds = len(_BOUND.findall(type_))
    plain = _ATTRIBUTE.sub("", _BOUND.sub("", type_))
    stars = sum(len(found) for found in _STARS.findall(plain))
    words = _STARS.sub(" ", plain).split()
    kept = [w for w in words if w not in ("const", "volatile", "restrict")]
    name = " ".join(kept)
    return Type(
        name, stars, bounds, const="const" in words, volatile="volatile" in words
    )


def pointed(type_: Type) -> Type | None:
    """What a pointer points to, or an array is made of."""
    if type_.bounds:
        return replace(type_, bounds=type_.bounds - 1)
    return replace(type_, stars=type_.stars - 1) if type_.stars else None


@lru_cache(maxsize=4096)
def _fields(body: str) -> dict[str, Field]:
    return fields(_CONST_RECORD.sub(r"\1 {", body))


@lru_cache(maxsize=4096)
def _in_union(body: str, name: str) -> bool:
    """Whether a member of a structure's text lies in a union that is declared in place."""
    opened: list[int | None] = []
    word = ""
    for match in _WORD.finditer(body):
        text = match.group()
        if text == "{":
            opened.append(match.end() if word == "union" else None)
        elif text == "}" and opened:
            start = opened.pop()
            if start is not None and name in _fields(body[start : match.start()]):
                return True
        elif text in ("union", "struct", ";"):
            word = text
    return False


def member(root: Path, file: str, owner: Type, name: str) -> Type | None:
    """The type of a member; None if the headers do not tell."""
    if owner.stars or owner.bounds:
        return None
    body, union = owner.body, False
    if body is None:
        found = record(root, file, owner.name)
        if found is None:
            return None
        body, union = found.body, found.union
    field = _fields(body).get(name)
    if field is None:
        return None
    shared = union or _in_union(body, name)
    base = parsed(field.type)
    return Type(
        base.name,
        base.stars + field.pointer,
        base.bounds + len(field.bounds),
        field.body,
        field.bitfield,
        shared or owner.shared,
        base.const,
        base.volatile or owner.volatile,
    )


@lru_cache(maxsize=4096)
def is_record(root: Path, file: str, type_: Type) -> bool | None:
    """Whether a type is a structure or union; None if that is not known."""
    if type_.stars or type_.bounds:
        return False
    if type_.body is not None:
        return True
    name = type_.name
    for _ in range(MOST_ALIASES):
        words = name.split()
        if not words:
            return None
        if words[0] in ("struct", "union"):
            return True
        if words[0] == "enum" or _scalar(words):
            return False
        alias = typedef(root, file, words[-1])
        if alias is None:
            return None
        if "*" in alias:
            return False
        name = alias
    return None


def _scalar(words: list[str]) -> bool:
    return all(w in _PLAIN for w in words) or _FIXED.match(words[-1]) is not None
