# SPDX-License-Identifier: GPL-2.0
"""C types as the rest of the project sees them: definitions, members and layouts."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.c.integers import Bytes

INTEGER = "integer"
BOOL = "bool"
POINTER = "pointer"
RECORD = "record"
# Bytes without a type
BYTES = "bytes"


@dataclass(frozen=True)
class Record:
    """The definition of a structure, union or enumeration.

    ``kind`` is its keyword, ``body`` the text between its braces, ``attributes`` the
    words of its attributes: ``__packed``, ``__attribute__((aligned(8)))``.
    """

    kind: str
    body: str
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Member:
    """A member as its structure declares it; one that could not be parsed has no name and no type.

    ``type`` is the text of its type without stars, ``record`` its definition if that is
    in place. ``bounds`` are the array bounds as written; that of a flexible array is
    empty. ``width`` is that of a bit-field. ``shared`` is set if it is in an anonymous
    union.
    """

    name: str
    type: str
    stars: int = 0
    bounds: tuple[str, ...] = ()
    width: str | None = None
    record: Record | None = None
    attributes: tuple[str, ...] = ()
    function: bool = False
    shared: bool = False


@dataclass(frozen=True)
class Scalar:
    """A scalar in a type: its path ``.a.b[1]``, and its size on each machine."""

    path: str
    kind: str
    sizes: Bytes


@dataclass(frozen=True)
class Layout:
    """The size and alignment of a type on each machine, in bytes.

    ``members`` are the scalars of a structure in order, None if they cannot all be named (in a
    long array, a union, bit-fields). With ``padding``, some bytes belong to none of them on some
    machine.
    """

    kind: str
    sizes: Bytes
    aligns: Bytes
    members: tuple[Scalar, ...] | None = None
    padding: bool = False

    @property
    def size(self) -> int | None:
        """The size in bytes, if all machines agree."""
        return self.sizes[0] if len(set(self.sizes)) == 1 else None
