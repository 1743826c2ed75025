# SPDX-License-Identifier: GPL-2.0
"""Old and new code at corresponding points of a joint path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hotcocci.proof.symbolic.state import Access, End, Event, Path, State
from hotcocci.proof.symbolic.values import Word


@dataclass(frozen=True)
class Pair:
    """A local whose address escaped on both sides: its two addresses, and its size in bytes."""

    old: int
    new: int
    size: int


@dataclass(frozen=True)
class Rest:
    """A copy of one side that the other makes as single accesses; ``done`` bytes so far."""

    side: int
    access: Access
    data: Word
    done: int = 0


@dataclass(frozen=True)
class Made:
    """A user access that both sides made; ``data`` is what a load returned."""

    address: Word
    size: int
    data: Word | None = None


@dataclass(frozen=True)
class Answered:
    """A call that both sides made; ``target`` is the pointer of an indirect call."""

    moment: int
    name: str
    target: Word | None


@dataclass(frozen=True)
class Joint:
    """A joint state: both sides and their next events; ``moment`` counts common events."""

    states: tuple[State, State]
    events: tuple[Event | None, Event | None] = (None, None)
    path: Path = field(default_factory=Path)
    moment: int = 0
    # Locals that others may write, and those that they may only read
    escaped: tuple[Pair, ...] = ()
    shown: tuple[Pair, ...] = ()
    rest: Rest | None = None
    permitted: frozenset[str] = frozenset()
    # The new side was refused a window: the old side continues alone to its fault.
    refused: bool = False
    # The old side where it was refused the window that it is followed in (refusal.py)
    refusal: State | None = None
    # Addresses on the two stacks that are known to be those of one local.
    locals_: Mapping[int, int] = field(default_factory=dict)
    # The loops that both sides are in (widen.py).
    loops: tuple[tuple[int, int], ...] = ()
    # The events that an example input is made of (example.py).
    history: tuple[Made | Answered, ...] = ()

    def all(self) -> tuple[State, ...]:
        """The states of both sides, and that of the refusal."""
        return self.states if self.refusal is None else (*self.states, self.refusal)

    def with_all(self, states: Sequence[State]) -> Joint:
        """The joint state with others, in the order of all()."""
        refusal = None if self.refusal is None else states[2]
        return replace(self, states=(states[0], states[1]), refusal=refusal)


# Both sides have ended.
DONE: tuple[Event, Event] = (End("done"), End("done"))
