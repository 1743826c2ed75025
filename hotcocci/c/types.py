# SPDX-License-Identifier: GPL-2.0
"""Look up types and members of structures in the tree's headers.

A range depends on the type it is computed from: a flexible array is not part of ``sizeof``, some
architectures cannot fetch eight bytes, a bit-field has no address. As SmPL does not read headers,
definitions are searched in the file itself, then in its includes, nearest first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c import integers, members
from hotcocci.c.expression import Expr, Index, Literal, Member
from hotcocci.c.integers import Integer
from hotcocci.c.model import Record
from hotcocci.c.records import RECORDS, record, resolved

SCALAR = "scalar"
WIDE = "wide"  # eight bytes on every architecture
RECORD = "record"  # a structure or union
BITFIELD = "bitfield"
UNKNOWN = "unknown"

_STARS = re.compile(r"\*+")
_BOUND = re.compile(r"\[([^\]]*)\]")
_ATTRIBUTE = re.compile(r"\b__(?:user|force|rcu|percpu|iomem|kernel|bitwise|private)\b")


@dataclass(frozen=True)
class Type:
    """A type: ``name`` without stars, the number of ``stars``, and array ``bounds`` as written.

    ``record`` is its definition if that is in place. ``const`` is set if it, or the
    type it points to, is const; ``volatile`` likewise, so that each read is a load.
    ``bitfield`` and ``shared`` describe a member: it is a bit-field, it is in a union.
    """

    name: str
    stars: int = 0
    bounds: tuple[str, ...] = ()
    record: Record | None = None
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
    bounds = tuple(bound.strip() for bound in _BOUND.findall(type_))
    plain = _ATTRIBUTE.sub("", _BOUND.sub("", type_))
    stars = plain.count("*")
    words = _STARS.sub(" ", plain).split()
    name = " ".join(w for w in words if w not in ("const", "volatile", "restrict"))
    return Type(
        name, stars, bounds, const="const" in words, volatile="volatile" in words
    )


def pointed(type_: Type) -> Type | None:
    """The type that a pointer points to, or the element type of an array."""
    if type_.bounds:
        return replace(type_, bounds=type_.bounds[1:])
    return replace(type_, stars=type_.stars - 1) if type_.stars else None


def member(root: Path, file: str, owner: Type, name: str) -> Type | None:
    """The type of a member; None if the headers do not define it."""
    if owner.stars or owner.bounds:
        return None
    found = owner.record or record(root, file, owner.name)
    field = members.members(found).get(name) if found is not None else None
    if field is None:
        return None
    base = parsed(field.type)
    return Type(
        base.name,
        base.stars + field.stars,
        field.bounds,
        field.record,
        field.width is not None,
        field.shared or owner.shared,
        base.const,
        base.volatile or owner.volatile,
    )


@lru_cache(maxsize=4096)
def is_record(root: Path, file: str, type_: Type) -> bool | None:
    """Whether a type is a structure or union; None if unknown."""
    if type_.stars or type_.bounds:
        return False
    if type_.record is not None:
        return type_.record.kind != "enum"
    found = resolved(root, file, type_.name)
    if found is None:
        return None
    return found.startswith(RECORDS) and "*" not in found


def integer_of(root: Path, file: str, name: str) -> Integer | None:
    """The integer type with this name; None for anything else."""
    found = resolved(root, file, name)
    return integers.integer(found) if found is not None else None


@dataclass(frozen=True)
class Place:
    """The object that an access path leads to, according to the headers.

    ``inside`` is False if the path may leave the structure (a flexible array, an index
    at or past a bound), None if the definition was not found.
    """

    kind: str
    inside: bool | None


def place(root: Path, file: str, type_: str, path: list[Expr]) -> Place:
    """Follow ``.field`` and ``[index]`` steps, outermost object first, through a type."""
    current = parsed(type_)
    inside: bool | None = True
    for step in path:
        following = None
        if isinstance(step, Member):
            following = member(root, file, current, step.field)
        elif isinstance(step, Index) and current.bounds:
            inside = inside and _within(step.index, current.bounds[0])
            following = pointed(current)
        if following is None:
            return Place(UNKNOWN, None)
        current = following
    if path and any(bound in ("", "0") for bound in current.bounds):
        inside = False
    return Place(_kind(root, file, current), inside)


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


def _kind(root: Path, file: str, type_: Type) -> str:
    """The kind of a type, or of the elements of an array."""
    if type_.bitfield:
        return BITFIELD
    if type_.stars:
        return SCALAR
    if is_record(root, file, replace(type_, bounds=())):
        return RECORD
    found = resolved(root, file, type_.name)
    if found is None:
        in_place = type_.record is not None
        return SCALAR if in_place else UNKNOWN
    known = integers.integer(found)
    return WIDE if known is not None and known.size == 8 else SCALAR
