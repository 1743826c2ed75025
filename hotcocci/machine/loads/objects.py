# SPDX-License-Identifier: GPL-2.0
"""Name the places in C objects that machine code accesses, by the types in debug information."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from hotcocci.machine.dies import RECORDS, bare, name_of, size_of, type_of

POINTER = "DW_TAG_pointer_type"
ARRAY = "DW_TAG_array_type"


@dataclass(frozen=True)
class Place:
    """A place in an object: the type at its start as a DIE, and the distance from there in bytes."""

    type: Any
    offset: int = 0

    def moved(self, distance: int) -> Place:
        """The place that many bytes further on."""
        return Place(self.type, self.offset + distance)


@dataclass(frozen=True)
class Member:
    """A member: the structure it is in, its path, offset there and size, and what it points to.

    ``record`` is empty for an object that is no structure.
    """

    record: str
    path: str
    offset: int
    size: int
    target: Place | None


def pointed(type_: Any) -> Place | None:
    """What a type points to; None if it is no pointer."""
    found, _ = bare(type_)
    if found is None or found.tag != POINTER:
        return None
    target, _ = bare(type_of(found))
    return Place(target) if target is not None else None


def member(place: Place) -> Member | None:
    """The innermost member at a place; None if the type has nothing there."""
    type_, _ = bare(place.type)
    if type_ is None or place.offset < 0:
        return None
    record = name_of(type_) if type_.tag in RECORDS else ""
    path, left = "", place.offset
    while True:
        step = _step(type_, left)
        if step is None:
            break
        text, type_, left = step
        path += text
    if left >= max(size_of(type_), pointer_size(type_)):
        return None
    offset = place.offset - left
    width = size_of(type_) or pointer_size(type_)
    return Member(record, path.removeprefix("."), offset, width, pointed(type_))


def element(place: Place, size: int) -> Member | None:
    """The element of this size at a place, whatever its index; None if that is no array.

    What a pointer points to may be one, too.
    """
    found = member(place)
    if found is not None and "[" in found.path:
        return replace(found, path=f"{found.path.partition('[')[0]}[]")
    first = member(Place(place.type))
    if first is None or first.path or first.size != size or place.offset % size:
        return None
    return replace(first, path="[]")


def pointer_size(type_: Any) -> int:
    """8 for a pointer without a size of its own, else 0."""
    return 8 if type_.tag == POINTER else 0


def _step(type_: Any, offset: int) -> tuple[str, Any, int] | None:
    """One step into a structure or an array: its text, the type there, and the rest of the offset."""
    if type_.tag in RECORDS:
        for name, inner, start, size in _members(type_):
            if start <= offset < start + size:
                return f".{name}" if name else "", inner, offset - start
        return None
    if type_.tag == ARRAY:
        element, _ = bare(type_of(type_))
        size = size_of(element) if element is not None else 0
        if size:
            return f"[{offset // size}]", element, offset % size
    return None


def _members(record: Any) -> Iterator[tuple[str, Any, int, int]]:
    """The members of a structure or union: name, type, offset and size in bytes."""
    for child in record.iter_children():
        if child.tag != "DW_TAG_member":
            continue
        inner, _ = bare(type_of(child))
        if inner is None:
            continue
        place = child.attributes.get("DW_AT_data_member_location")
        bits = child.attributes.get("DW_AT_data_bit_offset")
        start = place.value if place is not None else bits.value // 8 if bits else 0
        yield name_of(child), inner, int(start), size_of(inner) or pointer_size(inner)
