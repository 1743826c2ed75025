# SPDX-License-Identifier: GPL-2.0
"""Compare what faulting copies and faulting accesses leave at the destination.

A faulting copy has loaded some of its bytes and zeroes the rest. A faulting access zeroes all of
its destination, or nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hotcocci.proof.execution.trace import LOAD, Access, Call, Event, Fault, Trace
from hotcocci.proof.permitted import PARTS


@dataclass(frozen=True)
class Part:
    """What a faulting copy to the kernel leaves at its destination."""

    data: bytes

    def explains(
        self,
        differing: Collection[int],
        was: Mapping[int, int],
        now: Mapping[int, int],
    ) -> bool:
        """Whether the addresses that differ hold only what the faulting copy left there.

        ``was`` and ``now`` are the bytes written by old and new code, by address.
        """
        if not differing or any(now.get(at, 0) for at in differing):
            return False
        lowest = min(differing)
        return any(
            all(was.get(at) == self._at(at - start) for at in differing)
            for start in range(lowest - len(self.data) + 1, lowest + 1)
        )

    def _at(self, offset: int) -> int | None:
        return self.data[offset] if offset < len(self.data) else None


def part(trace: Trace) -> Part | None:
    """What the first fault of a run left, if it was a copy to the kernel; else None."""
    events = trace.events
    number = next((n for n, e in enumerate(events) if isinstance(e, Fault)), None)
    if number is None:
        return None
    fault = events[number]
    if not isinstance(fault, Fault) or fault.kind != LOAD or not fault.block:
        return None
    before = events[number - 1] if number else None
    loaded = b""
    if isinstance(before, Access) and before.block and before.kind == LOAD:
        if before.address + len(before.data) == fault.address:
            loaded = before.data
    return Part(loaded + bytes(fault.size))


def without_part(
    old: Trace, before: Sequence[Event], after: Sequence[Event], permitted: set[str]
) -> list[Event]:
    """The new events, with differences at calls removed that only the faulting copy explains."""
    left = part(old)
    calls = [event for event in before if isinstance(event, Call)]
    if left is None or len(calls) != sum(isinstance(e, Call) for e in after):
        return list(after)
    found: list[Event] = []
    for event in after:
        if isinstance(event, Call):
            was, now = dict(calls[0].written), dict(event.written)
            if left.explains(differing(was, now), was, now):
                permitted.add(PARTS)
                event = replace(event, written=calls[0].written)
            calls.pop(0)
        found.append(event)
    return found


def differing(was: Mapping[int, int], now: Mapping[int, int]) -> set[int]:
    """The addresses at which two records of memory differ."""
    return {at for at in was.keys() | now.keys() if was.get(at) != now.get(at)}
