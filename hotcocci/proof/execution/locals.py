# SPDX-License-Identifier: GPL-2.0
"""Where a function keeps its variables on the stack, read from debug information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

# DW_OP_fbreg with its number is all of a location; the frame's base is the CFA (-fno-omit or not).
# In a function that aligns its stack it is DW_OP_breg0 and the number of a register.
FBREG = 0x91
BREG, REGISTERS = 0x70, 32
RECORDS = ("DW_TAG_structure_type", "DW_TAG_union_type")


@dataclass(frozen=True)
class Local:
    """A variable: where it begins, in bytes from the CFA, its bytes, and whether it has members.

    With a ``register``, by its number in debug information, it begins as far from what that holds.
    """

    start: int
    size: int
    record: bool
    register: int | None = None


def on_stack(die: Any) -> Iterator[Any]:
    """The variables and parameters of a function and of what was inlined into it."""
    for child in die.iter_children():
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            yield child
        elif child.has_children:
            yield from on_stack(child)


def place(variable: Any) -> tuple[int | None, int] | None:
    """A register, None for the CFA, and the bytes from there; None if that is not one place all the time."""
    location = variable.attributes.get("DW_AT_location")
    if location is None or not isinstance(location.value, list):
        return None
    code: list[int] = location.value
    if len(code) < 2:
        return None
    register = None if code[0] == FBREG else code[0] - BREG
    if register is not None and not 0 <= register < REGISTERS:
        return None
    value: int = 0
    shift: int = 0
    for number, byte in enumerate(code[1:], 1):
        value |= (byte & 0x7F) << shift
        shift += 7
        if not byte & 0x80:
            if number != len(code) - 1:
                return None
            return register, value - (1 << shift) if byte & 0x40 else value
    return None
