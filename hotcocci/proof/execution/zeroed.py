# SPDX-License-Identifier: GPL-2.0
"""Find destinations of loads that only the old code writes after a fault."""

from __future__ import annotations

from collections.abc import Mapping

from hotcocci.proof.execution.call_order import sees, written
from hotcocci.proof.execution.partial_copies import differing
from hotcocci.proof.execution.permissions import Skipped
from hotcocci.proof.execution.trace import Call
from hotcocci.proof.permitted import STOPS, ZEROED, LOADED_LATE


def memory(
    old: Mapping[int, int],
    new: Mapping[int, int],
    skipped: Skipped,
    permitted: set[str],
    left: set[str],
    late: bool = False,
) -> str:
    """Describe the first difference in kernel memory that is not permitted; empty if there is none.

    A faulting load zeroes its destination, and unsafe_get_user() need not. Values computed from a
    skipped load are not stored either, if STOPS permits to skip it. If a load may fail in place
    of the check (``late``), it zeroes what was not written. ``left`` receives the names of bytes
    that the new code does not write.
    """
    for address in sorted(differing(old, new)):
        if (
            late
            and address not in old
            and new[address] == 0
            and skipped.explains(address)
        ):
            permitted.add(LOADED_LATE)
            continue
        if address not in new and skipped.explains(address):
            if old[address] == 0:
                permitted.add(ZEROED)
                left.add(skipped.name(address))
                continue
            if STOPS in permitted:
                left.add(skipped.name(address))
                continue
        return (
            f"kernel memory at {address:#x} ({skipped.name(address)}) was "
            f"{byte(old.get(address))}, now {byte(new.get(address))}"
        )
    return ""


def same_at(was: Call, now: Call, skipped: Skipped, permitted: set[str]) -> bool:
    """Whether two calls find the same memory, except for destinations that they do not read."""
    old, new = written(was), written(now)
    if any(sees(now, address) for address in differing(old, new)):
        return False
    return not memory(old, new, skipped, permitted, set())


def byte(value: int | None) -> str:
    """A byte as text, "not written" for None."""
    return "not written" if value is None else f"{value:#04x}"
