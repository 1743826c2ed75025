# SPDX-License-Identifier: GPL-2.0
"""The names in the user access API (include/linux/uaccess.h), and what each does."""

from __future__ import annotations

from dataclasses import dataclass

from hotcocci.findings import READ, READ_WRITE, WRITE


@dataclass(frozen=True)
class Begin:
    """A function that opens a window of this flavour; ``masked`` ones cannot fail."""

    flavour: str
    masked: bool = False


@dataclass(frozen=True)
class Accessor:
    """An access that is only allowed inside a window.

    ``pointer`` and ``label`` are argument indices, negative from the end. ``size`` is the index
    of the length in bytes, None if it takes none.
    """

    direction: str
    pointer: int
    label: int = -1
    size: int | None = None


BEGINS = {
    "user_access_begin": Begin(READ_WRITE),
    "user_rw_access_begin": Begin(READ_WRITE),
    "user_read_access_begin": Begin(READ),
    "user_write_access_begin": Begin(WRITE),
    "masked_user_access_begin": Begin(READ_WRITE, masked=True),
    "masked_user_rw_access_begin": Begin(READ_WRITE, masked=True),
    "masked_user_read_access_begin": Begin(READ, masked=True),
    "masked_user_write_access_begin": Begin(WRITE, masked=True),
}
ENDS = {
    "user_access_end": READ_WRITE,
    "user_rw_access_end": READ_WRITE,
    "user_read_access_end": READ,
    "user_write_access_end": WRITE,
}
SCOPES = {
    f"scoped_user_{word}_access{size}": flavour
    for word, flavour in (("read", READ), ("write", WRITE), ("rw", READ_WRITE))
    for size in ("", "_size")
}
ACCESSORS = {
    "unsafe_get_user": Accessor(READ, 1),
    "unsafe_put_user": Accessor(WRITE, 1),
    "arch_unsafe_get_user": Accessor(READ, 1),
    "arch_unsafe_put_user": Accessor(WRITE, 1),
    "unsafe_copy_from_user": Accessor(READ, 1, size=2),
    "unsafe_copy_to_user": Accessor(WRITE, 0, size=2),
    "unsafe_try_cmpxchg_user": Accessor(READ_WRITE, 0),
    "unsafe_atomic_store_release_user": Accessor(WRITE, 1),
}
SAVE = "user_access_save"
RESTORE = "user_access_restore"
END_OF = {
    READ: "user_read_access_end",
    WRITE: "user_write_access_end",
    READ_WRITE: "user_access_end",
}


def permits(flavour: str, direction: str) -> bool:
    """Whether a window of this flavour allows accesses in this direction."""
    return flavour in (READ_WRITE, direction)
