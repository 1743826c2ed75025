# SPDX-License-Identifier: GPL-2.0
"""Compare the initial data of objects, which runs do not see if only its address is passed on."""

from __future__ import annotations

import bisect
from collections.abc import Mapping, Sequence

from hotcocci.machine.elf import COLD
from hotcocci.proof.execution.image import Image

# Section and address that each relocated field refers to (Image.references).
Pointers = Mapping[int, tuple[int, int]]
# Bytes of a field that can differ between addresses of one object.
LOW = 4


def other_data(old: Image, new: Image, name: str) -> str:
    """Name a data section used by a function that changed; empty if there is none.

    Data that the function loads itself is compared when it runs, as are literals passed as
    arguments. Data that a callee would find at an address is not, nor the initial value of the
    object's variables.
    """
    places = sorted(old.references), sorted(new.references)
    waiting = sorted(_referred(old, name) & _referred(new, name))
    seen = set(waiting)
    while waiting:
        base = waiting.pop()
        both = pointers(old, places[0], base), pointers(new, places[1], base)
        if not is_same(old, new, base, both):
            return old.sections[base]
        for section, _ in both[0].values():
            known = section in old.sections and section in new.sections
            if known and section not in seen:
                seen.add(section)
                waiting.append(section)
    return ""


def _referred(image: Image, name: str) -> set[int]:
    """The data sections that a function refers to, including from its .cold part."""
    own = [f for f in image.functions if f.name in (name, f"{name}{COLD}")]
    return {
        base
        for place, (base, _) in image.references.items()
        if base in image.sections and any(f.start <= place < f.end for f in own)
    }


def pointers(image: Image, places: Sequence[int], base: int) -> Pointers:
    """The relocated fields of a section; ``places`` are all of an image's fields, sorted."""
    first = bisect.bisect_left(places, base)
    last = bisect.bisect_left(places, base + len(image.segments[base]))
    return {place: image.references[place] for place in places[first:last]}


def is_same(
    old: Image,
    new: Image,
    base: int,
    pointers: tuple[Pointers, Pointers],
) -> bool:
    """Whether a section is unchanged, apart from the addresses of literals and code."""
    data = bytearray(old.segments[base]), bytearray(new.segments[base])
    if pointers[0].keys() != pointers[1].keys():
        return False
    for place, (_, was) in pointers[0].items():
        _, now = pointers[1][place]
        if (_named(old, was) or was) != (_named(new, now) or now):
            return False
        for each in data:
            each[place - base : place - base + LOW] = bytes(LOW)
    return data[0] == data[1]


def _named(image: Image, address: int) -> str | None:
    function = image.function_at(address)
    return image.text(address) if function is None else function.name
