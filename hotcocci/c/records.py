# SPDX-License-Identifier: GPL-2.0
"""Find definitions of structures, unions and typedefs, nearest first."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import Header, reachable
from hotcocci.c.integers import integer
from hotcocci.c.model import Record
from hotcocci.c.source import closing_at

# Maximum nesting of typedefs; deeper nesting is a cycle.
MOST_ALIASES = 8
RECORDS = ("struct ", "union ")

_IGNORED = frozenset(
    "const volatile __user __force __rcu __percpu __iomem __kernel __private __extension__".split()
)
_TYPEDEF = re.compile(r"\btypedef\s+[^;{}()]*\{")
_WORD = re.compile(r"\w+")


def bare(type_: str) -> str:
    """A type without qualifiers that do not affect its layout."""
    return " ".join(word for word in type_.split() if word not in _IGNORED)


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
