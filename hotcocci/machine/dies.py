# SPDX-License-Identifier: GPL-2.0
"""Read names, types and sizes from entries of the debug information (DIEs)."""

from __future__ import annotations

from typing import Any

# Type qualifiers, which do not matter here.
QUALIFIERS = {
    "DW_TAG_const_type",
    "DW_TAG_volatile_type",
    "DW_TAG_typedef",
    "DW_TAG_restrict_type",
    "DW_TAG_atomic_type",
}

RECORDS = {"DW_TAG_structure_type", "DW_TAG_union_type"}


def origin(die: Any) -> Any:
    """The abstract origin of a DIE that has no type itself."""
    while "DW_AT_type" not in die.attributes and (
        "DW_AT_abstract_origin" in die.attributes
    ):
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    return die


def name_of(die: Any) -> str:
    """The name of an entry, or of the one that it is a copy of; empty if it has none."""
    while "DW_AT_name" not in die.attributes and (
        "DW_AT_abstract_origin" in die.attributes
    ):
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    found = die.attributes.get("DW_AT_name")
    return found.value.decode() if found is not None else ""


def type_of(die: Any) -> Any:
    """The type of an entry; None for void."""
    if "DW_AT_type" in die.attributes:
        return die.get_DIE_from_attribute("DW_AT_type")
    return None


def bare(die: Any) -> tuple[Any, bool]:
    """A type without qualifiers, and whether one of them was const."""
    constant = False
    while die is not None and die.tag in QUALIFIERS:
        constant = constant or die.tag == "DW_TAG_const_type"
        die = type_of(die)
    return die, constant


def size_of(die: Any) -> int:
    """The size of a type in bytes; 0 for incomplete types and functions."""
    found = die.attributes.get("DW_AT_byte_size")
    if found is not None:
        return int(found.value)
    if die.tag == "DW_TAG_array_type":
        element, _ = bare(type_of(die))
        count = 1
        for child in die.iter_children():
            last = child.attributes.get("DW_AT_upper_bound")
            count *= int(last.value) + 1 if last and isinstance(last.value, int) else 0
        return count * size_of(element) if element is not None else 0
    return 0


def read_signed(code: list[int]) -> int | None:
    """The signed number that these bytes are, in LEB128; None if they are not exactly one."""
    value = 0
    for number, byte in enumerate(code):
        value |= (byte & 0x7F) << 7 * number
        if not byte & 0x80:
            if number != len(code) - 1:
                return None
            return value - (1 << 7 * len(code)) if byte & 0x40 else value
    return None
