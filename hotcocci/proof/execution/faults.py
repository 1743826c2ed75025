# SPDX-License-Identifier: GPL-2.0
"""Plan the faults that a run is repeated with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hotcocci.proof.execution.branch_inputs import origins
from hotcocci.proof.execution.inputs import Input, Memory, Origin
from hotcocci.proof.execution.space import PAGE, Layout
from hotcocci.proof.execution.trace import Access, Trace

# Accesses up to this size are tried byte by byte; longer ones at both ends and every eighth byte.
EACH = 64
# Distances from the end of user space to put a pointer at, so that an access may cross it.
SIZES = (1, 2, 3, 4, 7, 8, 12, 16, 24, 32, 48, 64, 96, 128)


def plans(
    given: Input, trace: Trace, read: Mapping[Origin, int], layout: Layout
) -> Iterator[Input]:
    """Repeat an input with each access faulting, with each page boundary, and with bad pointers.

    ``trace`` is the run of the input. A page boundary between two accesses makes no difference, so
    it is placed at every byte that some access touches.
    """
    accesses = [event for event in trace.events if isinstance(event, Access)]
    for number in range(trace.accesses):
        yield replace(given, fault=number)
    ends: dict[int, None] = {}
    starts: dict[int, None] = {}
    for access in accesses:
        size = len(access.data)
        for offset in range(1, size + 1):
            if size <= EACH or offset % 8 == 0 or offset in (1, size):
                ends[access.address + offset] = None
                starts[access.address + offset] = None
    yield from (replace(given, high=end) for end in ends)
    yield from (replace(given, low=start) for start in starts)
    yield from _bad_pointers(given, accesses, read, layout)


def accessed(trace: Trace) -> Iterator[tuple[int, int, int]]:
    """Yield each access: its instruction, its address, and how many accesses had that address so far."""
    accesses = [event for event in trace.events if isinstance(event, Access)]
    for number, access in enumerate(accesses):
        at = access.address
        times = sum(
            a.address <= at < a.address + len(a.data) for a in accesses[:number]
        )
        yield access.site, at, times + 1


def _bad_pointers(
    given: Input, accesses: list[Access], read: Mapping[Origin, int], layout: Layout
) -> Iterator[Input]:
    """The input with each user pointer set to bad addresses and to the end of user space."""
    done = set()
    lowest = min((a.address for a in accesses), default=0)
    span = max((a.address + len(a.data) for a in accesses), default=0) - lowest
    for access in accesses:
        for origin, held, delta in origins(access.address, 8, read):
            if origin in done:
                continue
            done.add(origin)
            width = origin.size * 8 if isinstance(origin, Memory) else 64
            bad = [0, 1, layout.kernel, layout.kernel + PAGE, layout.user_high]
            bad += [(1 << 64) - 1, (1 << 64) - PAGE]
            bad += [
                layout.user_high - size for size in (*SIZES, span, span + 8) if size
            ]
            for value in bad:
                yield replace(
                    given,
                    values={
                        **given.values,
                        origin: (value - delta) & ((1 << width) - 1),
                    },
                )
