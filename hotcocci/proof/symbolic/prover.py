# SPDX-License-Identifier: GPL-2.0
"""Questions to the symbolic engine, and its answers."""

import math
import resource
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hotcocci.proof.objects.compiled import Credentials, Side
from hotcocci.proof.symbolic.architecture import Architecture

PROVEN, DIFFERS, UNKNOWN = "proven", "differs", "unknown"

# The permitted differences, as every report names them
ZEROED = "the destination is not zeroed on a fault"
STOPS = "user accesses stop at the first fault"
REFUSED = (
    "a range not entirely in user space is now refused before the first user access"
)
LATE = "a range not entirely in user space now fails at an access, not at the check"
UNREFUSED = "a range not entirely in user space is no longer refused if no access leaves user space"
LOADED_LATE = "loads that now fail where the check did may write their destinations"
PARTS = "a faulting copy may transfer other bytes than separate accesses do"

# Those after a fault that need a result which tells callers of it.
REPORTED = frozenset({PARTS, STOPS, ZEROED, LOADED_LATE})
# Effort per function (solver.py), about a minute
EFFORT = 200_000_000
# Share of the time of this process in which all searches must end, as z3 answers no sooner.
SHARE = 0.8


class Argument(NamedTuple):
    """An argument of the compared function, counted from 0."""

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
    """The values that a run reads, as far as they matter.

    ``keys`` are the static keys that are flipped. The n-th access to the address in ``hit`` (address,
    n from 1) faults, as do accesses outside of user space.
    """

    values: Mapping[Origin, int] = field(default_factory=dict)
    keys: frozenset[str] = frozenset()
    hit: tuple[int, int] | None = None


@dataclass(frozen=True)
class Answer:
    """The result of a comparison for all inputs.

    ``what`` is the difference, or the reason for UNKNOWN. ``turns`` is the number of loop
    iterations that a bounded proof covers, 0 for a full one. ``paths`` counts the paths followed to
    their end. ``permitted`` are the permitted differences, ``assumed`` the assumptions. ``example``
    is an input that shows the difference, if one could be made.
    """

    verdict: str
    what: str = ""
    paths: int = 0
    turns: int = 0
    permitted: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()
    example: Input | None = None


@dataclass(frozen=True)
class Question:
    """Both sides of a file, and what is known of its calls.

    ``trusts_lists``: the changed file does not itself check lists for corruption. ``settles``: what the old side reads
    again at once is what a volatile load returned, as it may be. ``looks_up``: each value of an index of a constant
    table is followed, as of those that gcc makes of a switch.
    """

    target: str
    sides: tuple[Side, Side]
    inline: tuple[frozenset[str], frozenset[str]]
    processor: Architecture
    safe: frozenset[str]
    noreturn: frozenset[str]
    credentials: Credentials
    trusts_lists: bool
    settles: bool = False
    looks_up: bool = False


def deadline() -> float:
    """The processor time in seconds at which no search goes on, from the limit of this process."""
    soft, _ = resource.getrlimit(resource.RLIMIT_CPU)
    return math.inf if soft == resource.RLIM_INFINITY else SHARE * soft
