# SPDX-License-Identifier: GPL-2.0
"""The permitted differences of a pair, each tied to a call, a load or a window."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from hotcocci.proof.execution.address_names import Names
from hotcocci.proof.execution.trace import LOAD, Access, Event, Fault, Trace


@dataclass(frozen=True)
class Permissions:
    """What fault-free runs have shown.

    ``early`` are call instructions of the new code that may move up because their results are
    stored. ``destinations`` are the kernel bytes that depend on a load, by the name of the load.
    ``windows`` are the user bytes that each window of the new code covers. ``changed`` are the
    accesses of the old code on changed lines.
    """

    early: frozenset[int] = frozenset()
    destinations: Mapping[str, frozenset[str]] = field(default_factory=dict)
    windows: tuple[frozenset[str], ...] = ()
    changed: frozenset[int] = frozenset()


class Skipped:
    """The accesses that the new code skips in one run, after a fault or a refused range."""

    def __init__(self, old: Trace, new: Trace, permissions: Permissions) -> None:
        self._old, self._new, self._permissions = old, new, permissions
        self._names = Names(old)
        self._left = self._loads()

    def of_one_run(self) -> bool:
        """Whether all skipped accesses belong to the window in which the old code faulted.

        Without a window, whether all are on changed lines.
        """
        missing = self._missing()
        fault = next((e for e in self._old.events if isinstance(e, Fault)), None)
        touched = [
            self._names.of(byte) for access in missing for byte in _bytes(access)
        ]
        if fault is not None:
            touched.append(self._names.of(fault.address))
        if any(all(w & names for names in touched) for w in self._permissions.windows):
            return True
        if fault is not None and any(
            window & self._names.of(fault.address)
            for window in self._permissions.windows
        ):
            return False
        return {a.site for a in missing} <= self._permissions.changed

    def explains(self, address: int) -> bool:
        """Whether a byte of kernel memory was written with the data of a skipped load."""
        names = self._names.of(address)
        return any(
            names & bytes_
            for load, bytes_ in self._permissions.destinations.items()
            if load not in self._left
        )

    def name(self, address: int) -> str:
        """The shortest name of an address."""
        return self._names.best(address)

    def _missing(self) -> list[Access]:
        made = {b for a in _accesses(self._new.events) for b in _bytes(a)}
        return [a for a in _accesses(self._old.events) if not made >= set(_bytes(a))]

    def _loads(self) -> Collection[str]:
        """The names of the loads that the new code completed."""
        names = Names(self._new)
        found: set[str] = set()
        events = self._new.events
        for event, following in zip_longest(events, events[1:]):
            if isinstance(event, Access) and event.kind == LOAD:
                end = event.address + len(event.data)
                part = isinstance(following, Fault) and following.address == end
                if not (part and event.block):
                    found |= names.of(event.address)
        return found


def _accesses(events: Iterable[Event]) -> list[Access]:
    return [e for e in events if isinstance(e, Access)]


def _bytes(access: Access) -> range:
    return range(access.address, access.address + len(access.data))
