# SPDX-License-Identifier: GPL-2.0
"""The fixed inputs of a comparison, and helpers for joint states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hotcocci.proof.objects.signatures import Local, Value
from hotcocci.proof.symbolic.access import Side, Stable
from hotcocci.proof.symbolic.code import Code
from hotcocci.proof.symbolic.compare_memory import (
    Bases,
)
from hotcocci.proof.symbolic.joint import Joint
from hotcocci.proof.symbolic.liveness import Liveness
from hotcocci.proof.symbolic.memory import Heap
from hotcocci.proof.symbolic.solver import Solver
from hotcocci.proof.symbolic.state import Access, Path, State
from hotcocci.proof.symbolic.values import Word


@dataclass
class Context:
    """What stays fixed while two functions are compared, and what was found out on the way.

    ``frames`` are the locals of each side, ``bases`` their CFA, and ``result`` the type of the
    result, None for void. ``notes`` collects the
    assumptions made. ``turns`` limits loop iterations without induction.
    """

    codes: tuple[Code, Code]
    solver: Solver
    stable: Stable
    constants: Mapping[int, bytes]
    frames: tuple[tuple[Local, ...], tuple[Local, ...]]
    bases: tuple[int, int]
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
    turns: int = 3
    private: range = range(0)

    def reach(self, joint: Joint) -> None:
        """Record that both sides make a user access."""
        for state, reached in zip(joint.states, self.reached, strict=True):
            reached.add(state.pc if state.inside is None else state.inside.site)

    def stores(
        self, state: State, access: Access, where: dict[int, set[int | str]]
    ) -> None:
        """Record what an access of the old side stores."""
        if access.data is not None:
            site = state.pc if state.inside is None else state.inside.site
            data = self.codes[0].terms.name(access.data)
            where.setdefault(site, set()).add(data)

    def side(self, number: int, joint: Joint) -> Side:
        """One side of a joint state, ready to run."""
        return Side(
            self.codes[number],
            joint.path,
            joint.states[number],
            self.stable,
            self.constants,
            self.private,
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


def with_state(joint: Joint, number: int, state: State) -> tuple[State, State]:
    old, new = joint.states
    return (state, new) if number == 0 else (old, state)


def frame_bases(context: Context, joint: Joint) -> list[Bases]:
    """The frame addresses for locals, by DWARF register, as a call is entered."""
    found: list[Bases] = []
    arch = context.codes[0].arch
    for state, frame in zip(joint.states, context.bases, strict=True):
        base: dict[int | None, int] = {None: frame}
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
