# SPDX-License-Identifier: GPL-2.0
"""Where a function keeps its variables on the stack, read from debug information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# DW_OP_fbreg with its number is all of a location; the frame's base is the CFA (-fno-omit or not).
FBREG = 0x91
RECORDS = ("DW_TAG_structure_type", "DW_TAG_union_type")


@dataclass(frozen=True)
class Local:
    """A variable: where it begins, in bytes from the CFA, its bytes, and whether it has members."""

    start: int
    size: int
    record: bool


def on_stack(die: Any) -> Iterator[Any]:
    """The variables and parameters of a function and of what was inlined into it."""
    for child in die.iter_children():
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            yield child
        elif child.has_children:
            yield from on_stack(child)


def offset(variable: Any) -> int | None:
    """Where a variable lies, in bytes from the CFA; None if that is not one place all the time."""
    location = variable.attributes.get("DW_AT_location")
    if location is None or not isinstance(location.value, list):
        return None
    code: list[int] = location.value
    if len(code) < 2 or code[0] != FBREG:
        return None
    value: int = 0
    shift: int = 0
    for number, byte in enumerate(code[1:], 1):
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            if number != len(code) - 1:
                return None
            return value - (1 << shift) if byte & 0x40 else value
    return None
