# SPDX-License-Identifier: GPL-2.0
"""Find the memory that a call can reach from its arguments and from global variables.

Every word of the random memory looks like a pointer, so only pages used so far are followed.
"""

from __future__ import annotations

from collections.abc import Iterable

from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.space import PAGE


def around(address: int, size: int) -> range:
    """The pages of an object and of those that may contain it (container_of())."""
    return range((address - PAGE) & -PAGE, address + max(size, 1) + PAGE, PAGE)


def reached(space: AddressSpace, objects: Iterable[range]) -> frozenset[int]:
    """The start addresses of used pages that ``objects`` or global variables lead to."""
    layout = space.layout
    used = set(space.mapped())
    outside = range(layout.outside, layout.outside + (1 << 28))
    waiting = [
        start for start in used if start in outside or space.has_variables(start)
    ]
    waiting += [start for each in objects for start in each if start in used]
    found: set[int] = set()
    while waiting:
        start = waiting.pop()
        if start in found:
            continue
        found.add(start)
        data = space.read(start, PAGE)
        for at in range(0, PAGE, layout.pointer):
            value = int.from_bytes(data[at : at + layout.pointer], layout.order)
            for page in (value - PAGE, value, value + PAGE):
                if page & -PAGE in used:
                    waiting.append(page & -PAGE)
    return frozenset(found)
