# SPDX-License-Identifier: GPL-2.0
"""Return and parameter types of functions, from their declarations in headers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.c.source import closing, tokenize
from hotcocci.c.types import Type, parsed


@dataclass(frozen=True)
class Prototype:
    """The return type and parameter types of a function; variadic arguments have none."""

    result: Type
    parameters: tuple[Type, ...]


def prototype(root: Path, file: str, name: str) -> Prototype | None:
    """The first declaration of a function in a file and its headers."""
    pattern = re.compile(rf"^([A-Za-z_][\w \t*]*[\s*]){name}\s*\(", re.MULTILINE)
    for header in reachable(root, file):
        if name not in header.text:
            continue
        match = pattern.search(header.text)
        if match is None or match[1].split()[0] in ("return", "else", "typedef"):
            continue
        tokens = tokenize(header.text[match.end() - 1 : match.end() + 1000])
        last = closing(tokens, 0)
        if last is None:
            return None
        inside = header.text[match.end() : match.end() - 1 + tokens[last].start]
        return Prototype(parsed(_result(match[1])), _parameters(inside))
    return None


def _result(head: str) -> str:
    words = re.sub(
        r"\b(?:static|extern|inline|__always_inline|noinline|__\w+)\b", " ", head
    )
    return words if words.strip() else head


def _parameters(text: str) -> tuple[Type, ...]:
    found: list[Type] = []
    if "(" in text or "/*" in text:
        return ()
    for part in text.split(","):
        words = part.strip()
        if words in ("...", "void", ""):
            break
        match = re.match(r"(.*?[\s*])(\w+)(\[[^\]]*\])?$", words, re.DOTALL)
        named = match is not None and match[1].strip() not in (
            "struct",
            "unsigned",
            "const",
        )
        found.append(
            parsed((match[1] + (match[3] or "")) if match and named else words)
        )
    return tuple(found)
