# SPDX-License-Identifier: GPL-2.0
"""Find unhygienic macro definitions of the accessors, architecture by architecture."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hotcocci.c.headers import reachable
from hotcocci.tree.source import read_text

_DEFINE = r"^[ \t]*\#[ \t]*define[ \t]+{}\(([^)]*)\)((?:.*\\\n)*.*)$"
_LOCAL = re.compile(r"[\w\s*]+?\b(\w+) *= *\(")


@dataclass(frozen=True)
class Hygiene:
    """The hygiene problems of an accessor's definitions.

    ``bare_if`` and ``semicolon`` are the first files that define it as a bare if, or with a
    trailing semicolon; either breaks a following else. ``locals`` are the variables that the
    definitions declare.
    """

    bare_if: str = ""
    semicolon: str = ""
    locals: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def hygiene(root: Path, file: str, name: str) -> Hygiene:
    """The hygiene problems in any definition of a macro that a file may see."""
    pattern = re.compile(_DEFINE.format(re.escape(name)), re.MULTILINE)
    own = arch_of(file)
    bare_if = semicolon = ""
    names: set[str] = set()
    for place, text in _headers(root, file):
        if name not in text or own not in ("", arch_of(place), "include"):
            continue
        for match in pattern.finditer(text):
            body = re.sub(r"\\\n", " ", match[2]).strip()
            if body.startswith("if"):
                bare_if = bare_if or place
            if body.endswith(";"):
                semicolon = semicolon or place
            names |= {m for m in _LOCAL.findall(body) if m.startswith("_")}
    return Hygiene(bare_if, semicolon, frozenset(names))


def accessors(root: Path) -> list[Path]:
    """The headers that define the accessors, of all architectures."""
    return sorted(root.glob("arch/*/include/asm/uaccess.h"))


def arch_of(file: str) -> str:
    """The architecture that a file belongs to; empty for generic code."""
    parts = file.split("/")
    return parts[1] if parts[0] == "arch" and len(parts) > 1 else ""


@lru_cache(maxsize=256)
def _headers(root: Path, file: str) -> tuple[tuple[str, str], ...]:
    arches = accessors(root)
    named = [(str(p.relative_to(root)), read_text(p)) for p in arches]
    return (*named, *(("include", header.text) for header in reachable(root, file)))
