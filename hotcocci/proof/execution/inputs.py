# SPDX-License-Identifier: GPL-2.0
"""The input of a run, from which everything it reads follows, for old and new code alike."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple


class Argument(NamedTuple):
    """An argument of the tested function, counted from 0."""

    number: int


class Memory(NamedTuple):
    """Bytes of memory that are read before they are written."""

    address: int
    size: int


class Result(NamedTuple):
    """The result of a call: the function's name, and how many earlier calls it had."""

    name: str
    call: int


# The origin of a value that the code did not compute itself.
Origin = Argument | Memory | Result


@dataclass(frozen=True)
class Input:
    """The input of one run.

    ``seed`` decides everything that ``values`` does not. ``keys`` are the static keys that are
    flipped. ``fault`` numbers the user access that faults, from 0; accesses outside of ``low`` to
    ``high`` fault as well, and so does the n-th access to the address in ``hit`` (address, n from
    1). With ``moving``, kernel memory changes at every call, as callees and other CPUs may change
    it. The calls in ``early`` change only memory that they can reach from their arguments and from
    global variables. ``poison`` selects the contents of uninitialised memory (poison.py).
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
    """Pseudo-random bytes derived from a seed and a name."""
    return hashlib.shake_128(f"{seed} {what}".encode()).digest(size)


def word(seed: int, what: str) -> int:
    """A pseudo-random 64-bit number derived from a seed and a name."""
    return int.from_bytes(filling(seed, what, 8), "little")


def set_bytes(given: Input, order: Literal["little", "big"]) -> dict[int, int]:
    """The bytes of memory that an input sets, by address."""
    found = {}
    for origin, value in given.values.items():
        if isinstance(origin, Memory):
            value &= (1 << 8 * origin.size) - 1
            for offset, byte in enumerate(value.to_bytes(origin.size, order)):
                found[origin.address + offset] = byte
    return found
