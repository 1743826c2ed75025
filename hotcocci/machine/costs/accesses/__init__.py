# SPDX-License-Identifier: GPL-2.0
"""The cost of each form of user access, one data file per target, as compiled from whole kernels.

A form is the name of an access, of what opens a window (with what closes it), or of a copy; after a
blank the bytes of a copy of a structure, or the direction of a masked window. A later access costs
less than the first, as the compiler keeps what they share: these are of the second one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from hotcocci.findings import READ, READ_WRITE, WRITE, Count
from hotcocci.machine.costs.accesses import (
    arm64,
    i386,
    powerpc_8xx,
    powerpc_book3s32,
    powerpc_book3s64,
    x86_64,
)

_CLASSIC: Mapping[str, Mapping[str, Count]] = {
    "x86-64": x86_64.CLASSIC,
    "i386": i386.CLASSIC,
    "arm64": arm64.CLASSIC,
    "powerpc-8xx": powerpc_8xx.CLASSIC,
    "powerpc-book3s32": powerpc_book3s32.CLASSIC,
    "powerpc-book3s64": powerpc_book3s64.CLASSIC,
}
_SCOPED: Mapping[str, Mapping[str, Count]] = {
    "x86-64": x86_64.SCOPED,
    "i386": i386.SCOPED,
    "arm64": arm64.SCOPED,
    "powerpc-8xx": powerpc_8xx.SCOPED,
    "powerpc-book3s32": powerpc_book3s32.SCOPED,
    "powerpc-book3s64": powerpc_book3s64.SCOPED,
}


@lru_cache
def costs_of(target: str, scopes: bool) -> Mapping[str, Count]:
    """The cost of each form on a target; ``scopes`` is set for trees with scoped windows.

    Where nothing is masked, a masked window is a classic one.
    """
    counts = (_SCOPED if scopes else _CLASSIC)[target]
    ways = {
        READ: "user_read_access",
        WRITE: "user_write_access",
        READ_WRITE: "user_access",
    }
    masked = {
        f"masked_user_access_begin {way}": counts[f"{name}_begin"]
        for way, name in ways.items()
    }
    return {**masked, **counts}
