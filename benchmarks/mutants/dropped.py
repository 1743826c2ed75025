# SPDX-License-Identifier: GPL-2.0
"""Mutations that drop something a rewrite must keep."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Way, replaced, units

CLEARED = re.compile(r"(?:memset|memzero\w*)\(")
INITIALISED = re.compile(r"\s*=\s*(?:\{[^{}]*\}|[^,;=]+)(?=[,;])")
STORE = re.compile(r"(?:\*|[\w.>\[\]()-]*(?:->|\.|\]))[^=;(]*\s[|&+-]?=\s")
ASSIGNMENT = re.compile(r"\w+\s[|&+-]?=\s")
CALL = re.compile(r"[a-z_]\w*\(")
ZEROED = re.compile(r"\b[kv](?:v?z|c)alloc(?:_node)?\(")


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield removed initialisers, stores, assignments, calls and checks."""
    for unit in units(lines):
        if unit.is_declaration:
            for found in INITIALISED.finditer(unit.text):
                yield replaced("dropped: initialiser", unit, *found.span(), "")
            continue
        bare = (f"{unit.indent};",)
        for pattern, kind in (
            (CLEARED, "initialiser"),
            (STORE, "store"),
            (ASSIGNMENT, "assignment"),
            (CALL, "call"),
        ):
            if unit.is_simple and pattern.match(unit.head):
                yield Way(f"dropped: {kind}", unit.start, unit.end, bare)
                break
        if unit.head.startswith("if ("):
            yield Way("dropped: check", unit.start, unit.end, bare)
        for found in re.finditer(r"\bkzalloc\(", unit.text):
            yield replaced("dropped: initialiser", unit, *found.span(), "kmalloc(")
