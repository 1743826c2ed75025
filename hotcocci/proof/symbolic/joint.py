# SPDX-License-Identifier: GPL-2.0
"""Both sides at one moment of a path that they go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hotcocci.proof.symbolic.state import Access, End, Event, Path, State
from hotcocci.proof.symbolic.values import Word


@dataclass(frozen=True)
class Pair:
    """A local of which both sides have given away the address: where it is on each, and its bytes."""

    old: int
    new: int
    size: int


@dataclass(frozen=True)
class Rest:
    """A copy of one side of which the other has made ``done`` bytes so far, access by access."""

    side: int
    access: Access
    data: Word
    done: int = 0


@dataclass(frozen=True)
class Made:
    """A user access that both sides made; ``data`` is what a load was given."""

    address: Word
    size: int
    data: Word | None = None


@dataclass(frozen=True)
class Answered:
    """A call that both sides made at a moment; ``target`` is the pointer that was called."""

    moment: int
    name: str
    target: Word | None


@dataclass(frozen=True)
class Joint:
    """Both sides, and what they are about to do; ``moment`` counts what both have done."""

    states: tuple[State, State]
    events: tuple[Event | None, Event | None] = (None, None)
    path: Path = field(default_factory=Path)
    moment: int = 0
    # Locals that others may write, and that they may only read.
    escaped: tuple[Pair, ...] = ()
    shown: tuple[Pair, ...] = ()
    rest: Rest | None = None
    permitted: frozenset[str] = frozenset()
    # The new side was refused a window: the old one goes on alone, to its fault.
    refused: bool = False
    # Addresses on both stacks that were found to be those of one local.
    locals_: Mapping[int, int] = field(default_factory=dict)
    # The loops that both sides are in (widen.py).
    loops: tuple[tuple[int, int], ...] = ()
    # What an input that goes this path is made of (example.py).
    told: tuple[Made | Answered, ...] = ()


# Both sides have come to their end.
DONE: tuple[Event, Event] = (End("done"), End("done"))
