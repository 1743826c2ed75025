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
    flipped. The n-th access to the address in ``hit`` (address, n from 1) faults, as do accesses
    outside of user space. With ``moving``, kernel memory changes at every call, as callees and other
    CPUs may change it.
    """

    seed: int
    values: Mapping[Origin, int] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    hit: tuple[int, int] | None = None
    moving: bool = False


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
