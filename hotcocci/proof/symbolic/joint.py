# SPDX-License-Identifier: GPL-2.0
"""Old and new code at corresponding points of a joint path, and what stays fixed in a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hotcocci.proof.objects.signatures import Local, Value
from hotcocci.proof.symbolic.access import Side, Stable
from hotcocci.proof.symbolic.code import Code, Liveness
from hotcocci.proof.symbolic.memory import Heap
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Access, End, Event, Path, State
from hotcocci.proof.symbolic.values import Word

# Frame addresses by DWARF register number; None is the CFA.
Bases = Mapping[int | None, int]
# Both sides have ended.
DONE: tuple[Event, Event] = (End("done"), End("done"))


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

    def with_state(self, number: int, state: State) -> Joint:
        """The joint state with another state of one side."""
        old, new = self.states
        return replace(self, states=(state, new) if number == 0 else (old, state))

    def with_event(self, number: int, event: Event | None) -> Joint:
        """The joint state with another next event of one side."""
        old, new = self.events
        return replace(self, events=(event, new) if number == 0 else (old, event))

    def all(self) -> tuple[State, ...]:
        """The states of both sides, and that of the refusal."""
        return self.states if self.refusal is None else (*self.states, self.refusal)

    def with_all(self, states: Sequence[State]) -> Joint:
        """The joint state with others, in the order of all()."""
        refusal = None if self.refusal is None else states[2]
        return replace(self, states=(states[0], states[1]), refusal=refusal)


@dataclass
class Context:
    """What stays fixed while two functions are compared, and what was found out on the way.

    ``frames`` are the locals of each side, ``top`` is their CFA, and ``result`` the type of the result,
    None for void. ``notes`` collects the assumptions made.
    """

    codes: tuple[Code, Code]
    solver: Solver
    stable: Stable
    frames: tuple[tuple[Local, ...], tuple[Local, ...]]
    top: int
    result: Value | None
    liveness: tuple[Liveness, Liveness]
    notes: set[str] = field(default_factory=set)
    leaks: bool = False
    # By side: sites whose user access was compared
    reached: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    # What was stored by each access, by its site: of those that both sides made, and of those that
    # the new one left out after a fault.
    stored: dict[int, set[int | str]] = field(default_factory=dict)
    stopped: dict[int, set[int | str]] = field(default_factory=dict)
    # Results of paths without a fault, and those that are to tell of one.
    answers: list[tuple[Path, Word | None]] = field(default_factory=list)
    reports: list[tuple[Path, Word]] = field(default_factory=list)

    def reach(self, joint: Joint) -> None:
        """Record that both sides make a user access."""
        for state, reached in zip(joint.states, self.reached, strict=True):
            reached.add(state.access_site)

    def stores(
        self, state: State, access: Access, where: dict[int, set[int | str]]
    ) -> None:
        """Record what an access of the old side stores."""
        if access.data is not None:
            data = self.codes[0].terms.name(access.data)
            where.setdefault(state.access_site, set()).add(data)

    def side(self, number: int, joint: Joint) -> Side:
        """One side of a joint state, ready to run."""
        return Side(
            self.codes[number],
            joint.path,
            joint.states[number],
            self.stable,
            tuple(
                range(at, at + pair.size)
                for pair in joint.escaped
                for at in ((pair.old, pair.new)[number],)
            ),
        )


def continued(joint: Joint, states: Sequence[State], **changes: object) -> Joint:
    return replace(
        joint,
        states=(states[0], states[1]),
        events=(None, None),
        moment=joint.moment + 1,
        rest=None,
        **changes,  # type: ignore[arg-type]
    )


def both_failed(joint: Joint) -> bool:
    """Whether both sides had a fault, or the old one had and the new one was refused its window."""
    old, new = joint.states
    return bool(old.faulted and (new.faulted or new.attempt is not None))


def frame_bases(context: Context, joint: Joint) -> list[Bases]:
    """The frame addresses for locals, by DWARF register, as a call is entered."""
    found: list[Bases] = []
    arch = context.codes[0].arch
    for state in joint.states:
        base: dict[int | None, int] = {None: context.top}
        for number, register in arch.framed.items():
            value = state.registers.get(register)
            if isinstance(value, int):
                pushed = arch.convention.frame if register == arch.registers.sp else 0
                base[number] = value + pushed
        found.append(base)
    return found


def next_epoch(heap: Heap, changes: bool) -> Heap:
    """Kernel memory after others may have written to it."""
    return Heap(heap.epoch + 1, heap.credentials + changes)
