# SPDX-License-Identifier: GPL-2.0
"""Find the variables on a function's stack with its debug information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hotcocci.machine.dies import read_signed

# A location that is only DW_OP_fbreg and an offset; the frame base is the CFA. Functions that align
# their stack use DW_OP_bregN instead.
FBREG = 0x91
BREG, REGISTERS = 0x70, 32


@dataclass(frozen=True)
class Local:
    """A variable: offset from the CFA and size in bytes, and whether it is a struct or union.

    With ``register``, a DWARF register number, the offset is relative to that register.
    """

    start: int
    size: int
    record: bool
    register: int | None = None


def on_stack(die: Any) -> Iterator[Any]:
    """The variables and parameters of a function, including those of inlined functions."""
    for child in die.iter_children():
        if child.tag in ("DW_TAG_variable", "DW_TAG_formal_parameter"):
            yield child
        elif child.has_children:
            yield from on_stack(child)


def place(variable: Any) -> tuple[int | None, int] | None:
    """The register (None for the CFA) and offset of a variable; None if it moves."""
    location = variable.attributes.get("DW_AT_location")
    if location is None or not isinstance(location.value, list):
        return None
    code: list[int] = location.value
    if len(code) < 2:
        return None
    register = None if code[0] == FBREG else code[0] - BREG
    if register is not None and not 0 <= register < REGISTERS:
        return None
    value = read_signed(code[1:])
    return (register, value) if value is not None else None
