# SPDX-License-Identifier: GPL-2.0
"""Integers in C arithmetic: their width, and whether they may be negative."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from hotcocci.c.types import Type, integer_of

# Classes of promoted operands
SMALL = "small"  # a nonnegative int with a bound
SIGNED = "signed"  # an int that may be negative or anything
UNSIGNED = "unsigned"  # an unsigned int
WORD = "word"  # an unsigned long
LONG = "long"  # a long: as wide as an int on some machines
WIDE = "wide"  # eight bytes on all
POINTER = "pointer"
UNKNOWN = "unknown"
# An int that used to be an unsigned int: with the same value, nonnegative and bounded,
# or with the same bits only
VALUE = "value"
BITS = "bits"

# An int above it may be negative.
MOST = 2**31 - 1


@dataclass(frozen=True)
class Class:
    """The class of an expression in arithmetic; ``bound`` is its largest value."""

    kind: str
    bound: int = MOST


def class_of(root: Path, file: str, type_: Type | None) -> Class:
    """The class of a value of a type after promotion."""
    if type_ is None or type_.bitfield:
        return Class(UNKNOWN)
    if type_.stars or type_.bounds:
        return Class(POINTER)
    found = integer_of(root, file, type_.name)
    if found is None or found.bitwise or found.signed is None:
        return Class(UNKNOWN)
    if found.size is None:
        return Class(LONG if found.signed else WORD)
    if found.size == 8:
        return Class(WIDE)
    if found.size == 4:
        return Class(SIGNED if found.signed else UNSIGNED)
    if found.signed:
        return Class(SIGNED)
    return Class(SMALL, 1 if found.boolean else 2 ** (8 * found.size) - 1)
