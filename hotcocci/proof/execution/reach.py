# SPDX-License-Identifier: GPL-2.0
"""The memory that a call can get at: from its arguments, and from variables of the kernel.

Memory that comes into being as it is read holds a pointer wherever one is looked for, so that what was
used so far is followed, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable

from hotcocci.proof.execution.memory import AddressSpace
from hotcocci.proof.execution.space import PAGE


def around(address: int, size: int) -> range:
    """The pages of an object and of what it may be a member of (container_of())."""
    return range((address - PAGE) & -PAGE, address + max(size, 1) + PAGE, PAGE)


def reached(space: AddressSpace, objects: Iterable[range]) -> frozenset[int]:
    """The first addresses of used pages that can be got at from ``objects``, or from variables."""
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
