# SPDX-License-Identifier: GPL-2.0
"""What one run is given: everything it reads follows from this, the same for both sides."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Argument(NamedTuple):
    """An argument of the function that is run, counted from 0."""

    number: int


class Memory(NamedTuple):
    """Bytes of memory that nobody wrote before they were read."""

    address: int
    size: int


class Result(NamedTuple):
    """What a call returned: the function's name, and how many calls of it came before."""

    name: str
    call: int


# Where a value comes from that the code did not compute itself.
Origin = Argument | Memory | Result


@dataclass(frozen=True)
class Input:
    """One run's world.

    ``seed`` decides all that ``values`` does not. ``keys`` are the jump labels that stand
    the other way than the object has them. The user access numbered ``fault``, from 0,
    faults; so does every access that leaves the addresses from ``low`` up to ``high``, and the
    one that comes to an address for a certain time, as ``hit`` has both; times count from 1.
    With ``moving`` kernel memory changes at every call, as other functions and processors
    may change it; otherwise it is as it was. The calls of ``early`` change only what they can
    reach from their arguments and from the kernel's variables. ``poison`` chooses what memory
    holds that nobody initialised (poison.py).
    """

    seed: int
    values: Mapping[Origin, int] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    fault: int | None = None
    hit: tuple[int, int] | None = None
    low: int = 0
    high: int = 1 << 64
    moving: bool = False
    early: frozenset[Result] = frozenset()
    poison: int = 0

    @property
    def faulty(self) -> bool:
        """Whether an access is planned to fault."""
        limited = self.low > 0 or self.high < 1 << 64
        return limited or self.fault is not None or self.hit is not None


def filling(seed: int, what: str, size: int) -> bytes:
    """Bytes that follow from a seed and a name: no two of them are alike by more than chance."""
    return hashlib.shake_128(f"{seed} {what}".encode()).digest(size)


def word(seed: int, what: str) -> int:
    """A number of 64 bits, likewise."""
    return int.from_bytes(filling(seed, what, 8), "little")


def set_bytes(given: Input, order: Literal["little", "big"]) -> dict[int, int]:
    """The single bytes of memory that an input sets, by address."""
    found = {}
    for origin, value in given.values.items():
        if isinstance(origin, Memory):
            value &= (1 << 8 * origin.size) - 1
            for offset, byte in enumerate(value.to_bytes(origin.size, order)):
                found[origin.address + offset] = byte
    return found
