# SPDX-License-Identifier: GPL-2.0
"""Compute the offsets of the members of a structure or union on each machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hotcocci.c.model import BYTES, RECORD, Layout, Member, Scalar

MACHINES = (0, 1, 2)
# More elements than a small copy can have.
MOST_ELEMENTS = 8


@dataclass(frozen=True)
class Part:
    """A member to place: the layout of one element, and the number of elements.

    ``width`` is that of a bit-field, ``aligned`` the alignment that its attributes request.
    """

    member: Member
    one: Layout
    count: int
    width: int | None
    aligned: int


def laid_out(parts: Sequence[Part], union: bool, packed: bool, aligned: int) -> Layout:
    """The layout of a structure or union, which is itself aligned to ``aligned`` or more."""
    first, middle, last = (
        _placed(parts, machine, union, packed, aligned) for machine in MACHINES
    )
    scalars = None if union else _scalars(parts)
    return Layout(
        RECORD,
        (first[0], middle[0], last[0]),
        (first[1], middle[1], last[1]),
        tuple(scalars) if scalars else None,
        first[2] or middle[2] or last[2],
    )


def _placed(
    parts: Sequence[Part], machine: int, union: bool, packed: bool, align: int
) -> tuple[int, int, bool]:
    """Size and alignment on one machine, and whether there is padding."""
    bits = widest = 0
    padding = False
    for part in parts:
        natural = max(part.aligned, 1 if packed else part.one.aligns[machine])
        unit = 8 * part.one.sizes[machine]
        start = 0 if union else bits
        if part.width is None:
            begin = _rounded(start, 8 * natural)
            bits = begin + part.count * unit
            padding = padding or part.one.padding or begin != start
        else:
            crossing = not packed and start % unit + part.width > unit
            if crossing or not part.width:
                start = _rounded(start, unit)
            bits = start + part.width
        align = max(align, natural)
        widest = max(widest, bits)
    size = _rounded(-(-widest // 8), align)
    return size, align, padding or 8 * size != widest


def _rounded(number: int, step: int) -> int:
    return -(-number // step) * step


def _scalars(parts: Sequence[Part]) -> list[Scalar] | None:
    """The scalars in a structure; None if they cannot all be named."""
    found: list[Scalar] = []
    for part in parts:
        one, bounds = part.one, part.member.bounds
        if not part.count:
            continue
        nameless = one.kind == BYTES or (one.kind == RECORD and not one.members)
        if nameless or part.width is not None or len(bounds) > 1:
            return None
        if part.count > MOST_ELEMENTS:
            return None
        name = f".{part.member.name}" if part.member.name else ""
        inner = one.members or (Scalar("", one.kind, one.sizes),)
        for index in range(part.count):
            path = f"{name}[{index}]" if bounds else name
            found += [replace(scalar, path=path + scalar.path) for scalar in inner]
    return found
