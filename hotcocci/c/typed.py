# SPDX-License-Identifier: GPL-2.0
"""Find definitions of types in the tree's headers, nearest first, and the type of an lvalue."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from hotcocci.c import model
from hotcocci.c.expression import (
    Binary,
    Cast,
    Expr,
    Index,
    Literal,
    Member,
    Name,
    Postfix,
    Unary,
    number,
)
from hotcocci.c.headers import Header, reachable
from hotcocci.c.model import Record, declared, integer, members
from hotcocci.c.source import closing_at

# Maximum nesting of typedefs; deeper nesting is a cycle.
MOST_ALIASES = 8
RECORDS = ("struct ", "union ")
# Kinds of places
SCALAR = "scalar"
WIDE = "wide"  # eight bytes on every architecture
RECORD = "record"  # a structure or union
BITFIELD = "bitfield"
UNKNOWN = "unknown"

_IGNORED = frozenset(
    "const volatile __user __force __rcu __percpu __iomem __kernel __private __extension__".split()
)
_TYPEDEF = re.compile(r"\btypedef\s+[^;{}()]*\{")
_WORD = re.compile(r"\w+")


def bare(type_: str) -> str:
    """A type without qualifiers that do not affect its layout."""
    return " ".join(word for word in type_.split() if word not in _IGNORED)


def plain(type_: str) -> str:
    """A type without const and __user."""
    return " ".join(word for word in type_.split() if word not in ("const", "__user"))


@lru_cache(maxsize=4096)
def resolved(root: Path, file: str, type_: str) -> str | None:
    """A type with its typedefs followed; None if one is not found.

    The result is an integer type, a pointer, an enum, a structure or a union; for a typedef of
    one that is defined in place, ``struct`` and the name of the typedef.
    """
    for _ in range(MOST_ALIASES):
        bare_type = bare(type_)
        if (
            bare_type.startswith(RECORDS)
            or "*" in bare_type
            or integer(bare_type) is not None
        ):
            return bare_type
        alias = typedef(root, file, bare_type)
        if alias is None:
            return None
        type_ = alias
    return None


def typedef(root: Path, file: str, name: str) -> str | None:
    """The type that a typedef names; ``struct NAME`` for one of an anonymous structure."""
    for header in reachable(root, file):
        if name in header.aliases:
            return header.aliases[name]
        if name in header.closings:
            return f"struct {name}"
    return None


@lru_cache(maxsize=2048)
def variable(root: Path, file: str, name: str) -> str | None:
    """The type of a variable that a header declares; None if not found."""
    if name == "current":
        return "struct task_struct *"  # a macro on every architecture
    pattern = re.compile(rf"^extern\s+([\w\s*]*?[\s*]){name}\b[\w\s]*;", re.MULTILINE)
    for header in reachable(root, file):
        found = pattern.search(header.text) if name in header.text else None
        if found is not None:
            return " ".join(found[1].split())
    return None


@lru_cache(maxsize=2048)
def record(root: Path, file: str, type_: str) -> Record | None:
    """The definition of a structure, union or typedef of one; None if not found."""
    found = resolved(root, file, type_)
    if found is None or "*" in found or not found.startswith(RECORDS):
        return None
    name = found.split()[-1]
    tagged = bare(type_) == found
    for header in reachable(root, file):
        if name in header.records:
            return _record(header, header.records[name])
        if not tagged and name in header.closings:
            made = _typedef_record(header, name)
            if made is not None:
                return made
    return None


def _record(header: Header, opening: int) -> Record | None:
    closed = closing_at(header.text, opening)
    if closed is None:
        return None
    head = header.text[max(0, opening - 120) : opening]
    kind = max(("struct", "union"), key=head.rfind)
    after = header.text[closed + 1 : header.text.find(";", closed) + 1]
    words = _WORD.findall(head[head.rfind(kind) :] + after)
    return Record(kind, header.text[opening + 1 : closed], tuple(words[1:]))


def _typedef_record(header: Header, name: str) -> Record | None:
    closed = header.closings[name]
    for match in _TYPEDEF.finditer(header.text, 0, closed):
        if closing_at(header.text, match.end() - 1) == closed:
            return _record(header, match.end() - 1)
    return None


def type_of(
    root: Path, file: str, expr: Expr, variables: Mapping[str, str]
) -> str | None:
    """The type in C's notation (``struct a *``, ``u32[4]``); None if unknown.

    ``variables`` are the types of the names, as they are declared; ``file`` is relative to the tree.
    """
    if isinstance(expr, Name):
        found = variables.get(expr.text)
        return " ".join(found.split()) if found else None
    if isinstance(expr, Cast):
        return " ".join(expr.type.split())
    if isinstance(expr, Binary) and expr.operator in ("+", "-"):
        sides = [type_of(root, file, e, variables) for e in (expr.left, expr.right)]
        return next((_decayed(t) for t in sides if t and t.endswith(("*", "]"))), None)
    if isinstance(expr, Postfix) or (
        isinstance(expr, Unary) and expr.operator in ("++", "--")
    ):
        return type_of(root, file, expr.operand, variables)
    if isinstance(expr, Unary) and expr.operator == "*":
        return _element(type_of(root, file, expr.operand, variables))
    if isinstance(expr, Unary) and expr.operator == "&":
        inner = type_of(root, file, expr.operand, variables)
        return f"{inner} *" if inner and "[" not in inner else None
    if isinstance(expr, Index):
        return _element(type_of(root, file, expr.object, variables))
    if isinstance(expr, Member):
        return _member(root, file, expr, variables)
    return None


def _decayed(type_: str) -> str:
    """An array type decayed to a pointer to its element; pointers stay the same."""
    return type_ if type_.endswith("*") else f"{_element(type_)} *"


def _element(type_: str | None) -> str | None:
    """The type that a pointer points to, or the element type of an array."""
    if type_ is None:
        return None
    if type_.endswith("]"):
        # The element type of u32[2][4] is u32[4].
        head, _, rest = type_.partition("[")
        return (head + rest.partition("]")[2]).strip()
    words = type_.removesuffix("const").removesuffix("restrict").rstrip()
    return words[:-1].strip() if words.endswith("*") else None


def _member(
    root: Path, file: str, expr: Member, variables: Mapping[str, str]
) -> str | None:
    field = field_of(root, file, expr, variables)
    if field is None or field.width is not None or field.record is not None:
        return None
    bounds = "".join(f"[{bound}]" for bound in field.bounds)
    return f"{field.type}{' *' if field.stars else ''}{bounds}"


def field_of(
    root: Path, file: str, expr: Member, variables: Mapping[str, str]
) -> model.Member | None:
    """The field for a member expression, also if its structure is anonymous."""
    if expr.operator == "." and isinstance(expr.object, Member):
        around = field_of(root, file, expr.object, variables)
        if around is not None and around.record is not None:
            whole = not around.stars and not around.bounds
            return members(around.record).get(expr.field) if whole else None
    object_ = type_of(root, file, expr.object, variables)
    if expr.operator == "->":
        object_ = _element(object_)
    if object_ is None or "*" in object_ or "[" in object_:
        return None
    found = record(root, file, object_)
    return members(found).get(expr.field) if found else None


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
    current = next(iter(declared(f"{type_} value")), None)
    inside: bool | None = True
    for step in path:
        following = None
        if current is not None and isinstance(step, Member) and not current.bounds:
            found = current.record or record(root, file, current.type)
            if found is not None and not current.stars:
                following = members(found).get(step.field)
        elif current is not None and isinstance(step, Index) and current.bounds:
            inside = inside and _within(step.index, current.bounds[0])
            following = replace(current, bounds=current.bounds[1:])
        if following is None:
            return Place(UNKNOWN, None)
        current = following
    if current is None:
        return Place(UNKNOWN, None)
    if path and any(bound in ("", "0") for bound in current.bounds):
        inside = False
    return Place(_kind(root, file, current), inside)


def _within(index: Expr, bound: str) -> bool | None:
    """Whether an index is below a bound; None if that is not known."""
    if bound in ("", "0"):
        return False
    place = number(index.text) if isinstance(index, Literal) else None
    limit = number(bound)
    if limit is None:
        # A named bound is at least 1.
        return True if place == 0 else None
    return None if place is None else place < limit


def _kind(root: Path, file: str, found: model.Member) -> str:
    """The kind of a member, or of the elements of an array."""
    if found.width is not None:
        return BITFIELD
    if found.stars:
        return SCALAR
    if found.record is not None:
        return SCALAR if found.record.kind == "enum" else RECORD
    type_ = resolved(root, file, found.type)
    if type_ is None:
        return UNKNOWN
    if type_.startswith(RECORDS) and "*" not in type_:
        return RECORD
    known = integer(type_)
    return WIDE if known is not None and known.size == 8 else SCALAR
