# SPDX-License-Identifier: GPL-2.0
"""Name addresses by the arguments, results and pointers that lead to them, to compare runs.

``argument 0+0x8`` is 8 bytes into the object that the first argument points to, ``[argument
0+0x10]+0x4`` is 4 bytes into the object that a pointer in there points to.
"""

from __future__ import annotations

import bisect

from hotcocci.proof.execution.inputs import Argument, Memory, Origin, Result
from hotcocci.proof.execution.space import PAGE
from hotcocci.proof.execution.trace import Trace

# Longest chain of pointers.
DEEPEST = 5
# Most names of one address; each pointer to a member of an object gives one.
MOST = 6
NARROW = 0xFFFF_FFFF


class Names:
    """Names for the addresses of one run."""

    def __init__(self, trace: Trace) -> None:
        self._pointed = dict(trace.pointed)
        # compat_ptr() drops the upper half.
        for value, origin in trace.pointed.items():
            self._pointed.setdefault(value & NARROW, origin)
        self._sorted = sorted(self._pointed)

    def of(self, address: int, depth: int = 0) -> frozenset[str]:
        """All names of an address; the number itself if no pointer led there."""
        low = bisect.bisect_left(self._sorted, address - PAGE + 1)
        high = bisect.bisect_left(self._sorted, address + PAGE)
        near = sorted(self._sorted[low:high], key=lambda v: abs(address - v))
        found = {
            f"{name}{address - value:+#x}"
            for value in near[:MOST]
            for name in self._called(self._pointed[value], depth)
        }
        return frozenset(found) or frozenset({f"{address:#x}"})

    def best(self, address: int) -> str:
        """The shortest name."""
        return min(self.of(address), key=lambda name: (len(name), name))

    def _called(self, origin: Origin, depth: int) -> frozenset[str]:
        if isinstance(origin, Argument):
            return frozenset({f"argument {origin.number}"})
        if isinstance(origin, Result):
            return frozenset({f"{origin.name}() {origin.call}"})
        assert isinstance(origin, Memory)
        if depth >= DEEPEST:
            return frozenset()
        return frozenset(f"[{name}]" for name in self.of(origin.address, depth + 1))
