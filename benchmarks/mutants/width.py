# SPDX-License-Identifier: GPL-2.0
"""Mutations that change the width or sign of values."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from mutants.text import Unit, Way, arguments, heads, masked, replaced

CASTS = ("u8", "s8", "u16", "s16", "u32", "s32", "bool")
ASSIGNED = re.compile(r"[\w\])]\s*=(?!=)\s*(?P<value>[^={][^;{]*);$")
RETURNED = re.compile(r"\treturn (?P<value>[^;]+);$")
ACCESS = re.compile(r"\b(?:unsafe_|__)?(?P<what>get|put)_user\(")
TYPE = re.compile(
    r"\t(?P<type>(?:unsigned|signed) (?:int|long|char|short)|(?:compat_)?u?long|u?int|unsigned|size_t|"
    r"ssize_t|(?:__)?[us](?:8|16|32|64)|loff_t|bool|short|char)(?= \w)"
)
OTHERS = ("int", "unsigned int", "long", "u16", "s16", "u8", "u32", "bool", "u64")


def ways(lines: Sequence[str]) -> Iterator[Way]:
    """Yield casts that truncate or extend, other variable types, and other access widths."""
    for unit in heads(lines):
        plain = masked(unit.text)
        for pattern in (ASSIGNED, RETURNED):
            found = pattern.search(plain)
            if found:
                yield from _cast(unit, *found.span("value"))
        declared = TYPE.match(plain) if unit.is_declaration else None
        if declared:
            for other in OTHERS:
                if other != declared["type"]:
                    yield replaced("width: type", unit, *declared.span("type"), other)
        for access in ACCESS.finditer(plain):
            spans = arguments(unit.text, access.end() - 1)
            if len(spans) < 2:
                continue
            if access["what"] == "put":
                yield from _cast(unit, *spans[0])
            pointer = unit.text[slice(*spans[1])]
            for other in ("u8", "u16", "u32", "u64"):
                by = f"({other} __user *)({pointer})"
                yield replaced("width: access", unit, *spans[1], by)


def _cast(unit: Unit, start: int, end: int) -> Iterator[Way]:
    for cast in CASTS:
        by = f"({cast})({unit.text[start:end]})"
        yield replaced("width: cast", unit, start, end, by)
