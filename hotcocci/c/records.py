# SPDX-License-Identifier: GPL-2.0
"""Find definitions of structures, unions and typedefs, nearest first."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import Header, reachable
from hotcocci.c.source import COMMENTS

# Maximum nesting of typedefs; more is a cycle.
MOST_ALIASES = 8

_BRACE = re.compile(rf"{COMMENTS.pattern}|[{{}}]", re.DOTALL)


@dataclass(frozen=True)
class Record:
    """The definition of a structure or union: its members as text.

    ``attributes`` is what stands between the closing brace and the semicolon, and between
    ``struct`` and the name: a typedef's name, ``__packed``, ``__aligned(8)``.
    """

    body: str
    attributes: str
    union: bool


def bare(type_: str) -> str:
    """A type without qualifiers that do not affect its layout."""
    words = type_.split()
    return " ".join(
        w for w in words if w not in ("const", "volatile", "__user", "__force")
    )


@lru_cache(maxsize=2048)
def record(root: Path, file: str, type_: str) -> Record | None:
    """The definition of a structure, union or typedef of one; None if not found."""
    for _ in range(MOST_ALIASES):
        words = bare(type_).split()
        if not words:
            return None
        alias = None
        for header in reachable(root, file):
            if words[0] in ("struct", "union"):
                if words[-1] in header.records:
                    return _record(header, header.records[words[-1]])
            elif words[-1] in header.aliases:
                alias = header.aliases[words[-1]]
                break
            elif words[-1] in header.closings:
                return _typedef_record(header, words[-1])
        if alias is None or "*" in alias:
            return None
        type_ = alias
    return None


def _record(header: Header, opening: int) -> Record | None:
    closed = _closing(header.text, opening)
    if closed is None:
        return None
    head = header.text[max(0, opening - 120) : opening]
    word = max(head.rfind("struct"), head.rfind("union"))
    behind = header.text[closed + 1 : header.text.find(";", closed) + 1]
    return Record(
        header.text[opening + 1 : closed],
        head[word:] + behind,
        head[word:].startswith("union"),
    )


def _typedef_record(header: Header, name: str) -> Record | None:
    opening = _opening(header.text, header.closings[name])
    if opening is None or "typedef" not in header.text[max(0, opening - 120) : opening]:
        return None
    return _record(header, opening)


def _closing(text: str, opening: int) -> int | None:
    """The brace that closes the one at an offset."""
    depth = 0
    for match in _BRACE.finditer(text, opening):
        depth += (match.group() == "{") - (match.group() == "}")
        if depth == 0:
            return match.start()
    return None


def _opening(text: str, closed: int) -> int | None:
    """The brace that the one at an offset closes."""
    text = COMMENTS.sub(lambda m: " " * len(m.group()), text[: closed + 1])
    depth = 0
    for position in range(closed, -1, -1):
        depth += (text[position] == "}") - (text[position] == "{")
        if depth == 0:
            return position
    return None


def typedef(root: Path, file: str, name: str) -> str | None:
    """The type that a typedef names; ``struct NAME`` for one of an anonymous structure."""
    for header in reachable(root, file):
        if name in header.aliases:
            return header.aliases[name]
        if name in header.closings:
            return f"struct {name}"
    return None
