# SPDX-License-Identifier: GPL-2.0
"""Known functions of the kernel and of compilers: contracts, allocations, and effects of calls (known.toml)."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_DATA: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
# ___GFP_ZERO (include/linux/gfp_types.h), the same since 4.x.
ZERO = 0x100


@dataclass(frozen=True)
class Allocator:
    """Argument numbers of size and flags, from 0; without a size it allocates a page."""

    size: int | None = None
    flags: int | None = None


ALLOCATORS = {name: Allocator(**given) for name, given in _DATA["allocators"].items()}
BUCKETS = ("__kmalloc_node", "__kvmalloc_node")
BOUNDED: dict[str, int] = _DATA["bounded"]
FLAGGED: dict[str, int] = _DATA["flagged"]
PLACES: dict[str, int] = _DATA["places"]
NULL_IS_NOTHING: dict[str, int] = _DATA["null-is-nothing"]
TAKES_LOCK, DUPLICATORS, SILENT, CONFINED, ADDS_TO_LIST, PURE, WARNINGS, DEBUGGING = (
    frozenset(_DATA[names].split())
    for names in (
        *("takes-lock", "duplicators", "silent", "confined", "adds-to-list"),
        *("pure", "warnings", "debugging"),
    )
)
READS_AT_ONCE = frozenset(_DATA["reads-at-once"].split())
WRITES = frozenset(_DATA["writes"].split()).union(BOUNDED)
WITHOUT_ARGUMENTS = frozenset(_DATA["without-arguments"].split())
# Names of macros and functions that mean the same everywhere, whatever their code is
SAME_MEANING = re.compile("|".join(_DATA["same-meaning"].split()))
KEEPS_NONE = re.compile("|".join(_DATA["keeps-none"].split()))
PASSED_OVER = re.compile("|".join(_DATA["passed-over"].split()))
IGNORED = SILENT | frozenset(_DATA["ignored"].split())
# Functions that compilers call implicitly, and that are done rather than called: those that need their
# memory apart, those that do not, and those that fill it.
COPIES = ("memcpy", "__memcpy")
MOVES = ("memmove", "__memmove")
FILLS = ("memset", "__memset")
IMITATED = frozenset((*COPIES, *MOVES, *FILLS))


def allocator(name: str, parameters: int) -> Allocator | None:
    """Return how a function with this name and number of parameters allocates, None if not."""
    name = name.removesuffix("_noprof")
    found = ALLOCATORS.get(name)
    if found is not None and name in BUCKETS and parameters == 4:
        return Allocator(0, 2)
    return found


def fails_with_null(name: str, parameters: int) -> bool:
    """Whether a function returns memory or NULL, never an error pointer.

    The __free() of include/linux/slab.h tests for both.
    """
    plain = name.removesuffix("_noprof")
    return plain in DUPLICATORS or allocator(name, parameters) is not None
